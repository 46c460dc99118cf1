"""The registrar's pages."""

from apps.compliance.registry.admin.changes import EntityChangeAdmin
from apps.compliance.registry.admin.imports import WalletImportAdmin
from apps.compliance.registry.admin.registrations import RegistrationAdmin

__all__ = ["EntityChangeAdmin", "RegistrationAdmin", "WalletImportAdmin"]

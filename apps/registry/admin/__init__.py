"""The registrar's pages."""

from apps.registry.admin.changes import EntityChangeAdmin
from apps.registry.admin.imports import WalletImportAdmin
from apps.registry.admin.registrations import RegistrationAdmin

__all__ = ["EntityChangeAdmin", "RegistrationAdmin", "WalletImportAdmin"]

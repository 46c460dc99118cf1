"""The registrar’s pages, and payee checks."""

from apps.compliance.payees.admin.entity_changes import EntityChangeAdmin
from apps.compliance.payees.admin.imports import WalletImportAdmin
from apps.compliance.payees.admin.payee_checks import VopCheckAdmin
from apps.compliance.payees.admin.registrations import RegistrationAdmin

__all__ = ["EntityChangeAdmin", "RegistrationAdmin", "VopCheckAdmin", "WalletImportAdmin"]

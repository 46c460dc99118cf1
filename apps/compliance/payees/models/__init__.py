"""Registrations with the ledger of their events, imports, and payee checks."""

from apps.compliance.payees.models.entity_changes import EntityChange, EntityChangeEvent
from apps.compliance.payees.models.imports import ImportLine, Stage, WalletImport
from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.models.registration_events import Action, RegistrationEvent
from apps.compliance.payees.models.registrations import Registration, RegistrationType

__all__ = [
    "Action",
    "EntityChange",
    "EntityChangeEvent",
    "ImportLine",
    "Registration",
    "RegistrationEvent",
    "RegistrationType",
    "Stage",
    "VopCheck",
    "WalletImport",
]

"""Registrations, and the ledger of what happened to each."""

from apps.compliance.registry.models.changes import EntityChange, EntityChangeEvent
from apps.compliance.registry.models.events import Action, RegistrationEvent
from apps.compliance.registry.models.imports import ImportLine, Stage, WalletImport
from apps.compliance.registry.models.registrations import Registration, RegistrationType

__all__ = [
    "Action",
    "EntityChange",
    "EntityChangeEvent",
    "ImportLine",
    "Registration",
    "RegistrationEvent",
    "RegistrationType",
    "Stage",
    "WalletImport",
]

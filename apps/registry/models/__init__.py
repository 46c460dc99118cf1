"""Registrations, and the ledger of what happened to each."""

from apps.registry.models.changes import EntityChange, EntityChangeEvent
from apps.registry.models.events import Action, RegistrationEvent
from apps.registry.models.imports import ImportLine, Stage, WalletImport
from apps.registry.models.registrations import Registration, RegistrationType

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

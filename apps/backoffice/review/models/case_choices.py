"""Choices of a case's columns, and the parties that it is about."""

from typing import Protocol

from django.db import models


class Risk(models.TextChoices):
    LOW = "LOW", "Low"
    MEDIUM = "MEDIUM", "Medium"
    HIGH = "HIGH", "High"


class Status(models.TextChoices):
    OPEN = "OPEN", "Open"
    AWAITING_SECOND = "AWAITING_SECOND", "Awaiting second officer"
    DECIDED = "DECIDED", "Decided"
    RETIRED = "RETIRED", "Retired"  # without a user: there is nothing left to decide


class Outcome(models.TextChoices):
    APPROVE = "APPROVE", "Approved"
    REJECT = "REJECT", "Rejected"


class Escalation(models.TextChoices):
    """Why seniors should review: the case is past due, or an officer escalated it."""

    OVERDUE = "OVERDUE", "Overdue"
    OFFICER = "OFFICER", "By an officer"


class CaseParty(Protocol):
    """What tells whom a case is about."""

    @property
    def pk(self) -> int: ...
    @property
    def party_key(self) -> str: ...
    @property
    def own_lei(self) -> str: ...
    @property
    def wallet_key(self) -> str: ...

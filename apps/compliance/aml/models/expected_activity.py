"""Expected activity of institutions: proposed by one senior officer and decided by another."""

from typing import Any, ClassVar

from django.db import models

from apps.compliance.aml.rules.expected_activity import (
    ExpectedActivity,
    parse_stored_lines,
    sum_declared_lines,
)
from apps.platform.desk.models import (
    Proposal,
    ProposalEvent,
    four_eyes_constraints,
    one_pending_constraint,
)
from apps.platform.desk.versioned_terms import StatedTerms, TermsInForce
from apps.platform.ledger.records import LedgerRecord


class Declaration(StatedTerms):
    """The declaration of an institution: its accounts, and a line for each kind of payment.

    `accounts` are in their one form (rules/accounts.py), sorted, beside the account by which the
    institution pays without a wallet. No `lines` declare nothing any more.
    """

    STATED: ClassVar[tuple[str, ...]] = ("owner", "accounts", "lines")

    owner = models.CharField("institution", max_length=80, help_text="As `account:7`")
    accounts = models.JSONField("wallets and LEIs", default=list)
    lines = models.JSONField("kinds of payments", default=list)

    class Meta:
        abstract = True


class ActivityDeclaration(Declaration, TermsInForce):
    """The current expected activity of an institution (expected_activity/selectors.py)."""

    class Meta:
        verbose_name = "expected activity"
        verbose_name_plural = "expected activity"
        ordering: ClassVar[list[str]] = ["owner"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner"], name="aml_activity_once")
        ]

    def __str__(self) -> str:
        return self.owner

    @property
    def expected(self) -> ExpectedActivity | None:
        """What the lines come to; None where nothing is declared any more."""
        return sum_declared_lines(parse_stored_lines(self.lines)) if self.lines else None


class DeclaredAccount(models.Model):
    """An account that a declaration is of: by it a screen finds the declaration."""

    account = models.CharField(max_length=128, unique=True)
    declaration = models.ForeignKey(
        ActivityDeclaration, on_delete=models.CASCADE, related_name="declared"
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.account


class ActivityChange(Declaration, Proposal):
    """A proposed declaration; `based_on` is the version that the proposer saw."""

    DECIDER: ClassVar[str] = "senior officer"

    based_on = models.PositiveIntegerField()

    class Meta:
        verbose_name = "change of expected activity"
        verbose_name_plural = "changes of expected activity"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("propose_activitychange", "Can propose what activity is expected of an institution"),
            ("decide_activitychange", "Can approve or reject another's expected activity"),
        ]
        constraints: ClassVar[list[Any]] = [
            *four_eyes_constraints("aml_activity_change"),
            one_pending_constraint("owner", name="aml_activity_one_pending"),
        ]

    def __str__(self) -> str:
        return f"{'Change of' if self.based_on else 'New:'} {self.owner}"

    def event_columns(self) -> dict[str, Any]:
        return {"owner": self.owner}


class ActivityChangeEvent(ProposalEvent):
    """A step of a change of expected activity."""

    change = models.ForeignKey(ActivityChange, on_delete=models.PROTECT, related_name="events")
    owner = models.CharField(max_length=80)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.owner}: {self.state} by {self.by}"


class ActivityRecord(LedgerRecord):
    """One version of a declaration; the newest is in force. Kept for good.

    Payload: `stands` (a digest of the declaration), `stated`, `changeId`, `proposedBy`,
    `approvedBy`, `reason`.
    """

    LEDGER: ClassVar[str] = "aml_activity"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    owner = models.CharField(max_length=80)
    version = models.PositiveIntegerField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner", "version"], name="aml_activity_record_once")
        ]

    def __str__(self) -> str:
        return f"{self.owner} version {self.version}"

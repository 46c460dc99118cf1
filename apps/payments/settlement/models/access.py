"""Settlement access in production: proposed by one officer and decided by another."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.desk.models import (
    Proposal,
    ProposalEvent,
    four_eyes_constraints,
    one_pending_constraint,
)
from apps.platform.desk.versioned_terms import StatedTerms, TermsInForce
from apps.platform.ledger.records import LedgerRecord


class Terms(StatedTerms):
    """The stated terms of an institution: whether it settles, and from which wallets.

    `wallets` are in canonical form (payees.wallets), sorted.
    """

    STATED: ClassVar[tuple[str, ...]] = ("owner", "allowed", "wallets")

    owner = models.CharField("institution", max_length=80, help_text="As `account:7`")
    allowed = models.BooleanField("may settle", default=True)
    wallets = models.JSONField("settlement wallets", default=list)

    class Meta:
        abstract = True


class SettlementAccess(Terms, TermsInForce):
    """The current access of an institution (access/selectors.py)."""

    class Meta:
        verbose_name = "access to settlement"
        verbose_name_plural = "access to settlement"
        ordering: ClassVar[list[str]] = ["owner"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner"], name="set_access_once")
        ]

    def __str__(self) -> str:
        return self.owner


class AccessChange(Terms, Proposal):
    """A proposed access; `based_on` is the version that the proposer saw, 0 for none."""

    DECIDER: ClassVar[str] = "senior officer"

    based_on = models.PositiveIntegerField()

    class Meta:
        verbose_name = "change of access to settlement"
        verbose_name_plural = "changes of access to settlement"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("propose_accesschange", "Can propose institutions that may settle, and their wallets"),
            (
                "decide_accesschange",
                "Can approve or reject another person's change of settlement access",
            ),
        ]
        constraints: ClassVar[list[Any]] = [
            *four_eyes_constraints("set_access_change"),
            # two open proposals would each be based on a state that the other changes
            one_pending_constraint("owner", name="set_access_one_pending"),
        ]

    def __str__(self) -> str:
        return f"{'Change of' if self.based_on else 'New:'} {self.owner}"

    def event_columns(self) -> dict[str, Any]:
        return {"owner": self.owner, "allowed": self.allowed}


class AccessChangeEvent(ProposalEvent):
    """A step of a change of access."""

    change = models.ForeignKey(AccessChange, on_delete=models.PROTECT, related_name="events")
    owner = models.CharField(max_length=80)
    allowed = models.BooleanField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.owner}: {self.state} by {self.by}"


class AccessRecord(LedgerRecord):
    """One version of an access; the newest is in force. Kept permanently.

    Payload: `stands` (a digest of the access), `changeId`, `proposedBy`, `approvedBy`, `reason`.
    """

    LEDGER: ClassVar[str] = "settlement_access"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    owner = models.CharField(max_length=80)
    version = models.PositiveIntegerField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            # two approvals of one version: the second fails, whatever the rows say
            models.UniqueConstraint(fields=["owner", "version"], name="set_access_record_once")
        ]

    def __str__(self) -> str:
        return f"{self.owner} version {self.version}"

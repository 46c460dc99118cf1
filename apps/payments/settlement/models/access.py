"""Who may settle in production: proposed by one officer and decided by another."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.platform.crypto.canonical import canonical_digest
from apps.platform.desk.models import Proposal, ProposalEvent, four_eyes_constraints
from apps.platform.ledger.records import LedgerRecord

STATED = ("owner", "allowed", "wallets")


class Terms(models.Model):
    """What is stated of an institution: whether it settles, and from which wallets.

    `wallets` are in their one form (payees.wallets), sorted.
    """

    owner = models.CharField("institution", max_length=80, help_text="As `account:7`")
    allowed = models.BooleanField("may settle", default=True)
    wallets = models.JSONField("settlement wallets", default=list)

    class Meta:
        abstract = True

    def stated(self) -> dict[str, Any]:
        """Return what is stated, by column."""
        return {name: getattr(self, name) for name in STATED}


class SettlementAccess(Terms):
    """An institution's access as it stands; `version` counts its changes.

    Nobody relies on a row that is not as the newest AccessRecord has it (access/selectors.py).
    """

    version = models.PositiveIntegerField()
    changed_at = models.DateTimeField()

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

    @property
    def stands(self) -> str:
        """A digest of the access, as its last record keeps it."""
        return canonical_digest(self.stated() | {"version": self.version})


class AccessChange(Terms, Proposal):
    """An access as it is to stand; `based_on` is the version that the proposer saw, 0 for none."""

    DECIDER: ClassVar[str] = "senior officer"

    based_on = models.PositiveIntegerField()

    class Meta:
        verbose_name = "change of access to settlement"
        verbose_name_plural = "changes of access to settlement"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("propose_accesschange", "Can propose who may settle, and from which wallets"),
            ("decide_accesschange", "Can approve or reject another's change of who may settle"),
        ]
        constraints: ClassVar[list[Any]] = [
            *four_eyes_constraints("set_access_change"),
            models.UniqueConstraint(
                fields=["owner"], condition=Q(state="PROPOSED"), name="set_access_one_pending"
            ),
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
    """One version of an access; the newest is in force. Kept for good.

    Payload: `stands` (a digest of the access), `changeId`, `proposedBy`, `approvedBy`, `reason`.
    """

    LEDGER: ClassVar[str] = "settlement_access"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    owner = models.CharField(max_length=80)
    version = models.PositiveIntegerField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner", "version"], name="set_access_record_once")
        ]

    def __str__(self) -> str:
        return f"{self.owner} version {self.version}"

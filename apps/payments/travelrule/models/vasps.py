"""The directory of counterparties: who reads messages where, and how two people change that."""

from datetime import date
from typing import Any, ClassVar

from django.db import models

from apps.payments.travelrule.rules.directory import ENTRY_FIELDS, is_entry_live
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.desk.models import (
    Proposal,
    ProposalEvent,
    four_eyes_constraints,
    one_pending_constraint,
)
from apps.platform.desk.versioned_terms import StatedTerms, TermsInForce
from apps.platform.ledger.records import LedgerRecord

MAX_URL_LENGTH = 2000


class Entry(StatedTerms):
    """The stated terms of a VASP: where it takes messages, in which dialect, whom it serves, when.

    `valid_until` is its last day. `wallets` are in canonical form (payees.wallets), `leis` are of
    its customers; both are sorted.
    """

    STATED: ClassVar[tuple[str, ...]] = ENTRY_FIELDS

    lei = models.CharField("LEI", max_length=20)
    name = models.CharField("legal name", max_length=100)
    endpoint = models.CharField(max_length=MAX_URL_LENGTH)
    dialect = models.CharField(max_length=20)
    valid_from = models.DateField()
    valid_until = models.DateField(null=True, blank=True)
    wallets = models.JSONField(default=list, blank=True)
    leis = models.JSONField("Customer LEIs", default=list, blank=True)

    class Meta:
        abstract = True


class Vasp(Entry, TermsInForce):
    """A current entry; `version` counts its changes, `keys` are ids of its live secrets.

    A row that differs from its newest VaspRecord is not used (directory/selectors.py).
    """

    keys = models.JSONField(default=list)

    class Meta:
        verbose_name = "counterparty VASP"
        ordering: ClassVar[list[str]] = ["name", "id"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["lei"], name="tr_vasp_lei")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def stands(self) -> str:
        """A digest of the entry, as its last record keeps it."""
        return canonical_digest(self.stated() | {"keys": self.keys, "version": self.version})

    def live(self, on: date) -> bool:
        """Tell whether the entry holds on a day."""
        return is_entry_live(on=on, since=self.valid_from, until=self.valid_until)


class Served(models.Model):
    """A wallet or an LEI by which an entry is found.

    It only finds candidates; whether an entry serves somebody is decided by its own lists.
    """

    vasp = models.ForeignKey(Vasp, on_delete=models.CASCADE, related_name="served")
    what = models.CharField(max_length=128, db_index=True)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["vasp", "what"], name="tr_served_once")
        ]

    def __str__(self) -> str:
        return f"served by {self.vasp_id}"


class VaspKey(models.Model):
    """A secret shared with a VASP, encrypted; it is deleted once nothing is verified with it.

    `key_id` is a keyed digest of the secret, which it does not reveal; a secret with another id is
    not used.
    """

    lei = models.CharField(max_length=20)
    key_id = models.CharField(max_length=64)
    sealed = models.CharField(max_length=500)
    under = models.CharField(
        max_length=20, help_text="The key of TRAVEL_RULE_KEYS that encrypts it"
    )
    created_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            # a secret that two VASPs shared would not say which of them signed
            models.UniqueConstraint(fields=["key_id"], name="tr_vasp_key_once")
        ]

    def __str__(self) -> str:
        return f"key of {self.lei}"


class VaspChange(Entry, Proposal):
    """The new state of an entry, proposed by one officer and decided by another.

    `based_on` is the version that the proposer saw, 0 for a new entry; `new_key` the id of a secret
    that is to be the first; with `drop_older` the previous secret is no longer accepted.
    """

    DECIDER: ClassVar[str] = "senior officer"

    based_on = models.PositiveIntegerField()
    new_key = models.CharField(max_length=64, blank=True)
    drop_older = models.BooleanField(default=False)

    class Meta:
        verbose_name = "change of a counterparty VASP"
        verbose_name_plural = "changes of counterparty VASPs"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("propose_vaspchange", "Can propose a change of a counterparty VASP"),
            ("decide_vaspchange", "Can approve or reject another person's change of a VASP"),
        ]
        constraints: ClassVar[list[Any]] = [
            *four_eyes_constraints("vasp_change"),
            one_pending_constraint("lei", name="vasp_change_one_pending"),
        ]

    def __str__(self) -> str:
        return f"{'Change of' if self.based_on else 'New:'} {self.name}"

    def event_columns(self) -> dict[str, Any]:
        return {"lei": self.lei, "name": self.name}


class VaspChangeEvent(ProposalEvent):
    """A step of a change of the directory."""

    change = models.ForeignKey(VaspChange, on_delete=models.PROTECT, related_name="events")
    lei = models.CharField(max_length=20)
    name = models.CharField(max_length=100)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name}: {self.state} by {self.by}"


class VaspRecord(LedgerRecord):
    """One version of an entry; the newest is in force. Kept permanently.

    Payload: `stands` (a digest of the entry), `changeId`, `proposedBy`, `approvedBy`, `reason`.
    """

    LEDGER: ClassVar[str] = "travel_vasps"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    lei = models.CharField(max_length=20)
    version = models.PositiveIntegerField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["lei", "version"], name="vasp_record_once")
        ]

    def __str__(self) -> str:
        return f"{self.lei} version {self.version}"

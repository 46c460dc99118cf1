"""The profile of each wallet: one row of bounded size, whatever the wallet does."""

import json
import logging
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Exists
from django.db.models.expressions import RawSQL

from apps.compliance.aml.rules.flagging_signals import JUST_TRIED
from apps.compliance.aml.rules.profile import Profile
from apps.compliance.aml.rules.profile_codec import parse_stored_profile, profile_to_text
from apps.platform.common.clock import format_utc, to_epoch_seconds
from apps.platform.common.problems import Unavailable
from apps.platform.crypto import macs
from apps.platform.db.compiled_statements import CompiledSelect, insert_rows


class Standing(models.TextChoices):
    """The status of a wallet, apart from its payments."""

    NONE = "", "Nothing"
    LISTED = "LISTED", "On a sanctions list"
    CONFIRMED = "CONFIRMED", "Found to be bad by an officer"
    BOTH = "BOTH", "On a sanctions list, and found to be bad by an officer"

    @classmethod
    def of(cls, *, listed: bool, confirmed: bool) -> "Standing":
        """Return the standing of a wallet: neither hides the other."""
        if listed:
            # a listing may be lifted: what an officer found must not go with it
            return cls.BOTH if confirmed else cls.LISTED
        return cls.CONFIRMED if confirmed else cls.NONE

    @property
    def listed(self) -> bool:
        """Whether a sanctions list had it at its last screen."""
        return self in (Standing.LISTED, Standing.BOTH)

    @property
    def confirmed(self) -> bool:
        """Whether an officer found it to be bad: that stays."""
        return self in (Standing.CONFIRMED, Standing.BOTH)


logger = logging.getLogger(__name__)
REFUSED_BY = "refused:"  # before a caller whose payment to a wallet was blocked by a name
COLUMNS = (
    "pk", "wallet", "state", "payments", "touched", "standing", "tried_listed", "cleared_at",
    "last", "mac_key", "mac",
)  # fmt: skip


class AmlScreenIntegrityError(Unavailable):
    """Integrity check failed for a record that the answer depends on."""

    code, title = "record_unproved", "Screen integrity check failed"


class ProfileQuerySet(models.QuerySet["WalletProfile"]):
    def held(self, wallets: Sequence[str]) -> dict[str, "WalletProfile"]:
        """Return the rows of wallets by wallet, in one query; without a lock.

        AmlScreenIntegrityError (503) if one was altered, here and in `locked`.
        """
        return {row[1]: _build_profile(row) for row in HELD.rows(wallets)}

    def locked(
        self, wallets: Sequence[str], *, now: datetime, blocks: bool = False
    ) -> dict[str, "WalletProfile"]:
        """Return the rows of two wallets, locked in one order everywhere; made where need be.

        With `blocks` the payment is blocked whatever the profiles say: one that is not as it was
        written is then returned empty, marked `altered`, and must not be saved. Nothing is locked
        unless both are there: who waits for a row that another is making must hold nothing that the
        other may want.
        """
        rows = LOCKED.rows(wallets)
        # one of the two is missing: make both, then lock; of two who make the same row one waits,
        # and finds it
        if not rows:
            new = [WalletProfile(wallet=wallet, updated_at=now) for wallet in sorted(wallets)]
            insert_rows(new, missing=True)
            rows = LOCKED.rows(wallets)
        return {row[1]: _build_profile(row, blocks=blocks) for row in rows}

    def flagged(self, wallets: Collection[str]) -> dict[str, bool]:
        """Return which of these wallets are flagged, and whether they are on a list; one query.

        A wallet's standing is of its last screen; who was listed since is looked up anew
        (screening/payment_snapshot.py).
        """
        rows = FLAGGED.rows(list(wallets))
        return {wallet: Standing(standing).listed for wallet, standing in rows}

    def of(self, wallet: str) -> Self:
        """Return the row of one wallet."""
        return self.filter(wallet=wallet)


class WalletProfile(models.Model):
    """One wallet: its profile as `profile_codec.profile_to_text` writes it, and its status.

    `last` is the record of the screen that wrote the row and contains its `digest`, `touched` the
    number of screens that wrote it: both are verified against the ledger (integrity.py).
    `tried_listed` (JSON) has by caller when the wallet last tried to pay a listed wallet, and by
    REFUSED_BY and caller when a payment to it was blocked by the payee's name: by caller, so that
    naming another party's wallet holds only the caller's own payments. `cleared_at` is when an
    officer last released a payment flagged for that. `mac` covers all of it: an altered row
    releases nothing.
    """

    wallet = models.CharField(max_length=128, unique=True)
    state = models.TextField(blank=True)
    payments = models.PositiveBigIntegerField(default=0)
    standing = models.CharField(max_length=9, choices=Standing, blank=True, default=Standing.NONE)
    updated_at = models.DateTimeField()
    last = models.BigIntegerField(null=True)
    touched = models.PositiveBigIntegerField(default=0)
    tried_listed = models.TextField(blank=True)
    cleared_at = models.DateTimeField(null=True)
    mac_key = models.CharField(max_length=macs.LONGEST_ID, blank=True, editable=False)
    mac = models.CharField(max_length=64, blank=True, editable=False)

    objects = ProfileQuerySet.as_manager()
    altered = False  # the row is not as it was written, and nothing of it was read

    class Meta:
        verbose_name = "wallet profile"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        # none on what each screen changes, so that a change leaves every index as it is
        indexes: ClassVar[list[Any]] = [
            models.Index(
                fields=["wallet", "standing"],
                condition=~models.Q(standing=""),
                name="wallet_profile_flagged",
            ),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=models.Q(standing__in=Standing.values), name="wallet_profile_standing"
            )
        ]

    def __str__(self) -> str:
        return self.wallet

    @property
    def profile(self) -> Profile:
        """The profile as the rules have it."""
        return parse_stored_profile(self.state)

    def keep(self, known: Profile, *, now: datetime) -> None:
        """Set the profile; the caller saves the row."""
        self.state = profile_to_text(known)
        self.payments, self.updated_at = known.count, now

    def tried_listed_at(self, owner: str) -> int:
        """Return when it last tried to pay a listed wallet by a caller, in epoch seconds.

        0 where it never did, or an officer let it go on since.
        """
        # a release ends what was tried before it, not what is tried after
        at = int(json.loads(self.tried_listed or "{}").get(owner, 0))
        return 0 if self.cleared_at is not None and to_epoch_seconds(self.cleared_at) >= at else at

    def refused_at(self, owner: str) -> int:
        """Return when a payment of a caller to it was blocked by who it named, in epoch seconds."""
        return int(json.loads(self.tried_listed or "{}").get(f"{REFUSED_BY}{owner}", 0))

    def note_attempt(self, whose: str, *, at: int) -> None:
        """Note an attempt under what it is kept by; the caller saves the row."""
        document = json.loads(self.tried_listed or "{}")
        # what is too old to flag anything is dropped, so that the column stays small
        recent = {caller: when for caller, when in document.items() if at - when <= JUST_TRIED}
        recent[whose] = max(at, recent.get(whose, 0))
        self.tried_listed = json.dumps(recent, sort_keys=True)

    def touch(self, *, standing: str, now: datetime) -> None:
        """Count a screen of this wallet; the caller saves the row."""
        self.standing, self.touched, self.updated_at = standing, self.touched + 1, now

    def sign(self) -> None:
        """Set the MAC of the row; the caller saves it."""
        self.mac_key, self.mac = macs.make_mac(self._stated())

    def find_fault(self) -> str:
        """Return in words how the row was altered; "" if it was not."""
        if not (self.touched or self.state or self.standing or self.tried_listed):
            return ""  # made for a screen that is not concluded yet, and so without a MAC
        return macs.find_mac_fault(key_id=self.mac_key, mac=self.mac, said=self._stated())

    def _stated(self) -> dict[str, Any]:
        return {
            "wallet": self.wallet,
            "state": self.state,
            "payments": self.payments,
            "standing": self.standing,
            "tried": self.tried_listed,
            "cleared": format_utc(self.cleared_at) if self.cleared_at else "",
            "touched": self.touched,
            "last": self.last,
        }

    @property
    def digest(self) -> str:
        """What a screen's record says of the row that it left: all that screens write of it."""
        # not the standing: an officer's finding changes it between two screens
        text = f"{self.wallet}:{self.touched}:{self.tried_listed}:{self.state}"
        return blake2b(text.encode(), digest_size=16).hexdigest()


def _build_profile(row: Sequence[Any], *, blocks: bool = False) -> WalletProfile:
    values = dict(zip(COLUMNS, row, strict=True))
    if (cleared := values["cleared_at"]) is not None and cleared.tzinfo is None:
        values["cleared_at"] = cleared.replace(tzinfo=UTC)  # SQLite keeps no zone
    profile = WalletProfile(**values)
    if why := profile.find_fault():
        logger.error("wallet profile %s is not used: %s", profile.pk, why)
        if blocks:
            profile = WalletProfile(pk=profile.pk, wallet=profile.wallet)
            profile.altered = True
            return profile
        raise AmlScreenIntegrityError("Integrity check failed for records of this wallet.")
    return profile


def _select_pair(wallets: Sequence[str]) -> Any:
    wallet_profiles = WalletProfile.objects.filter(wallet__in=wallets).order_by("wallet")
    return wallet_profiles.values_list(*COLUMNS)


def _select_pair_for_update(wallets: Sequence[str]) -> Any:
    # no row unless both are there: who waits for a row that another transaction makes must hold
    # none that the other may want
    there = (Exists(WalletProfile.objects.filter(wallet=wallet)) for wallet in wallets)
    return _select_pair(wallets).filter(*there).select_for_update()


def select_flagged(wallets: Sequence[str]) -> Any:
    """Return the query of wallet and standing of those of some wallets that are flagged."""
    # written as a literal: the planner must know that the index of flagged ones serves
    wallet_profiles = WalletProfile.objects.filter(
        RawSQL("standing <> ''", (), models.BooleanField()), wallet__in=wallets
    )
    return wallet_profiles.order_by().values_list("wallet", "standing")


HELD = CompiledSelect(_select_pair)
LOCKED = CompiledSelect(_select_pair_for_update)
FLAGGED = CompiledSelect(select_flagged)

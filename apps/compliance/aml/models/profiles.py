"""What is kept of each wallet between payments: one row, of one size whatever the wallet does."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Exists
from django.db.models.expressions import RawSQL

from apps.compliance.aml.rules.flagging_signals import JUST_TRIED
from apps.compliance.aml.rules.profile import Profile
from apps.compliance.aml.rules.profile_codec import profile_from_stored, profile_to_text
from apps.platform.api.shapes import to_epoch_seconds
from apps.platform.db.compiled_statements import CompiledSelect, insert_rows


class Standing(models.TextChoices):
    """What is known of a wallet beside its payments."""

    NONE = "", "Nothing"
    LISTED = "LISTED", "On a sanctions list"
    CONFIRMED = "CONFIRMED", "Found to be bad by an officer"
    BOTH = "BOTH", "On a sanctions list, and found to be bad by an officer"

    @classmethod
    def of(cls, *, listed: bool, confirmed: bool) -> "Standing":
        """Return the standing of a wallet: neither hides the other."""
        if listed:
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


COLUMNS = (
    "pk", "wallet", "state", "payments", "touched", "standing", "tried_listed", "cleared_at",
)  # fmt: skip


class ProfileQuerySet(models.QuerySet["WalletProfile"]):
    def held(self, wallets: Sequence[str]) -> dict[str, "WalletProfile"]:
        """Return the rows of wallets by wallet, in one query; without a lock."""
        return {row[1]: _build_profile(row) for row in HELD.rows(wallets)}

    def locked(self, wallets: Sequence[str], *, now: datetime) -> dict[str, "WalletProfile"]:
        """Return the rows of two wallets, locked in one order everywhere; made where need be.

        Nothing is locked unless both are there: who waits for a row that another is making must
        hold nothing that the other may want.
        """
        found = LOCKED.rows(wallets)
        if not found:
            new = [WalletProfile(wallet=wallet, updated_at=now) for wallet in sorted(wallets)]
            insert_rows(new, missing=True)
            found = LOCKED.rows(wallets)
        return {row[1]: _build_profile(row) for row in found}

    def flagged(self, wallets: Collection[str]) -> dict[str, bool]:
        """Return which of some wallets are flagged, and whether a list has them; one query.

        A wallet's standing is of its last screen; who was listed since is looked up anew
        (screening/snapshot.py).
        """
        found = FLAGGED.rows(list(wallets))
        return {wallet: Standing(standing).listed for wallet, standing in found}

    def of(self, wallet: str) -> Self:
        """Return the row of one wallet."""
        return self.filter(wallet=wallet)


class WalletProfile(models.Model):
    """One wallet: its profile as `rules.profile.recorded` writes it, and its standing.

    `last` is the record of the screen that wrote the row, which holds `digest` of it, and
    `touched` how many screens did so: by both the row is held against the ledger (integrity.py).
    `tried_listed` says by caller when it last tried to pay a listed wallet, as JSON: whoever names
    a wallet of somebody else so holds nobody's payments but their own. `cleared_at` is when an
    officer last released a payment that was flagged for that.
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

    objects = ProfileQuerySet.as_manager()

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
        return profile_from_stored(self.state)

    def keep(self, known: Profile, *, now: datetime) -> None:
        """Set the profile; the caller saves the row."""
        self.state = profile_to_text(known)
        self.payments, self.updated_at = known.count, now

    def tried_listed_at(self, owner: str) -> int:
        """Return when it last tried to pay a listed wallet by a caller, in epoch seconds.

        0 where it never did, or an officer let it go on since.
        """
        at = int(json.loads(self.tried_listed or "{}").get(owner, 0))
        return 0 if self.cleared_at is not None and to_epoch_seconds(self.cleared_at) >= at else at

    def note_listed_attempt(self, *, owner: str, at: int) -> None:
        """Note that it tried to pay a listed wallet; the caller saves the row."""
        held = json.loads(self.tried_listed or "{}")
        recent = {one: when for one, when in held.items() if at - when <= JUST_TRIED}
        recent[owner] = max(at, recent.get(owner, 0))
        self.tried_listed = json.dumps(recent, sort_keys=True)

    def touch(self, *, standing: str, now: datetime) -> None:
        """Count a screen of this wallet; the caller saves the row."""
        self.standing, self.touched, self.updated_at = standing, self.touched + 1, now

    @property
    def digest(self) -> str:
        """What a screen's record says of the row that it left: all that screens write of it."""
        said = f"{self.wallet}:{self.touched}:{self.tried_listed}:{self.state}"
        return blake2b(said.encode(), digest_size=16).hexdigest()


def _build_profile(row: Sequence[Any]) -> WalletProfile:
    return WalletProfile(**dict(zip(COLUMNS, row, strict=True)))


def _select_pair(wallets: Sequence[str]) -> Any:
    wallet_profiles = WalletProfile.objects.filter(wallet__in=wallets).order_by("wallet")
    return wallet_profiles.values_list(*COLUMNS)


def _select_pair_for_update(wallets: Sequence[str]) -> Any:
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

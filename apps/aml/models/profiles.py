"""What is kept of each wallet between payments: one row, of one size whatever the wallet does."""

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models

from apps.aml.rules.profile import Profile, read, recorded


class Standing(models.TextChoices):
    """What is known of a wallet beside its payments."""

    NONE = "", "Nothing"
    LISTED = "LISTED", "On a sanctions list"
    CONFIRMED = "CONFIRMED", "Found to be bad by an officer"


class ProfileQuerySet(models.QuerySet["WalletProfile"]):
    def held(self, wallets: Collection[str]) -> dict[str, "WalletProfile"]:
        """Return the rows of wallets by wallet, in one query; without a lock."""
        return {one.wallet: one for one in self.filter(wallet__in=wallets)}

    def locked(self, wallets: Collection[str]) -> dict[str, "WalletProfile"]:
        """Return the rows of wallets, locked in one order everywhere; those not there are made.

        Rows are made first, in the same order: who waits for a row that another is making holds
        nothing that the other may want.
        """
        rows = self.select_for_update().filter(wallet__in=wallets).order_by("wallet")
        return {one.wallet: one for one in rows}

    def make(self, wallets: Iterable[str], *, now: datetime) -> None:
        """Make the rows of wallets that have none."""
        new = [WalletProfile(wallet=one, updated_at=now) for one in sorted(wallets)]
        WalletProfile.objects.bulk_create(new, ignore_conflicts=True)

    def flagged(self, wallets: Collection[str]) -> dict[str, bool]:
        """Return which of some wallets are flagged, and whether a list has them; one query."""
        known = self.exclude(standing=Standing.NONE).filter(wallet__in=wallets)
        found = known.values_list("wallet", "standing")
        return {wallet: standing == Standing.LISTED for wallet, standing in found}

    def of(self, wallet: str) -> Self:
        """Return the row of one wallet."""
        return self.filter(wallet=wallet)


class WalletProfile(models.Model):
    """One wallet: its profile as `rules.profile.recorded` writes it, and its standing."""

    wallet = models.CharField(max_length=128, unique=True)
    state = models.TextField(blank=True)
    payments = models.PositiveBigIntegerField(default=0)
    standing = models.CharField(max_length=9, choices=Standing, blank=True, default=Standing.NONE)
    updated_at = models.DateTimeField()

    objects = ProfileQuerySet.as_manager()

    class Meta:
        verbose_name = "wallet profile"
        ordering: ClassVar[list[str]] = ["-updated_at", "-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["-updated_at", "-id"], name="wallet_profile_recent"),
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
        return read(json.loads(self.state) if self.state else ())

    def keep(self, known: Profile, *, now: datetime) -> None:
        """Set the profile; the caller saves the row."""
        self.state = json.dumps(recorded(known), separators=(",", ":"))
        self.payments, self.updated_at = known.count, now

"""The current owner of a wallet."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import F, Q

from apps.compliance.payees.rules.lei_states import LEI_STATUSES, NOT_IN_FORCE
from apps.compliance.payees.rules.submission_steps import RegisteredEntity
from apps.compliance.payees.wallets import LONGEST_WALLET, Family
from apps.reference.lei.legal_name_check import fold_name
from apps.reference.lei.name_agreement import is_same_name

MOST_ALIASES = 10
MOST = 50  # earlier registrations of a wallet that are looked through


class RegistrationType(models.TextChoices):
    """What a registration rests on (document 1 section 2.3)."""

    SELF_DECLARED = "SELF_DECLARED", "Self-declared"
    GLEIF_VERIFIED = "GLEIF_VERIFIED", "Verified with GLEIF"


class RegistrationQuerySet(models.QuerySet["Registration"]):
    def active(self) -> Self:
        """Return the active registrations: at most one per wallet."""
        return self.filter(active=True)

    def before(self, wallet: str) -> "list[Registration]":
        """Return the registrations of an address that have ended, the last one first."""
        return list(self.filter(wallet=wallet, active=False).order_by("-ended_at", "-pk")[:MOST])

    def of(self, wallet: str) -> "Registration | None":
        """Return the active registration of an address in its one form, or None."""
        return self.active().filter(wallet=wallet).first()

    def under_another_name(self, *, lei: str, name: str) -> Self:
        """Return active registrations of an entity (LEI) that are not under this legal name.

        Spellings of one name are one: `Acme Ltd` and `Acme Limited`.
        """
        # the same spelling is excluded by the database, other spellings are compared below
        rows = self.active().filter(lei=lei).exclude(name_key=name_key(name))
        # an LEI for which GLEIF has another name says nothing about whose it is
        rows = rows.filter(pending__lei__isnull=True)
        names = rows.order_by().values_list("legal_name", flat=True).distinct()
        return rows.filter(
            legal_name__in=[
                legal_name for legal_name in names if not is_same_name(legal_name, name)
            ]
        )

    def named_like(self, starts: Iterable[str]) -> Self:
        """Return registrations whose legal name begins with any of these, folded."""
        # matches nothing, as a start for the alternatives
        condition = Q(pk__in=())
        for start in starts:
            condition |= Q(name_key__startswith=start)
        return self.filter(condition)


class Registration(models.Model):
    """One registration of a wallet: made, changed and ended by events, each with the whole row.

    A wallet that was deactivated and is registered anew has a second row; the first stays.
    `lei_status` and `gleif_name` are what GLEIF said at `lei_seen_at`; `effective_at` is from when
    the present entity counts.
    """

    wallet = models.CharField(max_length=LONGEST_WALLET)
    # in small letters, by which the beginning of an address is found
    wallet_key = models.CharField(max_length=LONGEST_WALLET, db_index=True)
    family = models.CharField(max_length=8, choices=[(value, value) for value in Family])
    legal_name = models.CharField(max_length=300)
    name_key = models.CharField(max_length=600, db_index=True)
    aliases = models.JSONField(default=list)
    # the aliases as `name_key` has the legal name, one a line: by them a registration is found
    alias_keys = models.TextField(default="", blank=True)
    country = models.CharField(max_length=2)
    kind = models.CharField("type", max_length=14, choices=RegistrationType)
    lei = models.CharField(max_length=20, blank=True, db_index=True)
    lei_status = models.CharField(max_length=10, choices=[(value, value) for value in LEI_STATUSES])
    gleif_name = models.CharField(max_length=500, blank=True)
    lei_seen_at = models.DateTimeField(null=True)
    active = models.BooleanField(default=True)
    under_review = models.BooleanField(default=False)
    review_since = models.DateTimeField(null=True, help_text="Since when it is under review")
    lei_since = models.DateTimeField(null=True, help_text="Since when the LEI is in this state")
    owner = models.CharField(max_length=80, help_text="Who registered it, as `account:7`")
    registered_at = models.DateTimeField()
    effective_at = models.DateTimeField()
    proved_at = models.DateTimeField(null=True, help_text="When control of the wallet was proved")
    pending = models.JSONField(
        default=dict,
        blank=True,
        help_text="What counts only once the review has ended: `names`, `lei`, `entity`",
    )
    ended_at = models.DateTimeField(null=True)

    objects = RegistrationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("register_wallet", "Can register and upgrade wallets"),
            ("deactivate_wallet", "Can deactivate wallets"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["wallet"], condition=Q(active=True), name="registration_one_active"
            ),
            models.CheckConstraint(
                condition=Q(kind="SELF_DECLARED", lei="", lei_status="NONE")
                | (Q(kind="GLEIF_VERIFIED") & ~Q(lei="") & ~Q(lei_status="NONE")),
                name="registration_type_has_lei",
            ),
            models.CheckConstraint(
                condition=Q(active=True, ended_at__isnull=True)
                | Q(active=False, ended_at__isnull=False, under_review=False),
                name="registration_ended_whole",
            ),
            models.CheckConstraint(
                condition=Q(effective_at__gte=F("registered_at")),
                name="registration_counts_from_start",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["active", "lei_status", "-id"], name="registration_by_lei_state"),
            models.Index(
                fields=["review_since", "id"],
                condition=Q(active=True, under_review=True),
                name="registration_review_queue",
            ),
            models.Index(
                fields=["lei_since", "id"],
                condition=Q(active=True, lei_status__in=NOT_IN_FORCE),
                name="registration_lei_queue",
            ),
            models.Index(fields=["active", "under_review", "-id"], name="registration_in_review"),
            models.Index(fields=["lei", "active", "wallet"], name="registration_of_entity"),
        ]

    def __str__(self) -> str:
        return f"{self.legal_name}: {self.wallet}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save it, with what its aliases are found by."""
        self.alias_keys = alias_keys(self.aliases)
        super().save(*args, **kwargs)

    @property
    def standing(self) -> RegisteredEntity:
        """What a submission is compared with."""
        return RegisteredEntity(self.legal_name, self.lei, tuple(self.aliases), self.country)

    @property
    def counted_names(self) -> list[str]:
        """The aliases that count: one that was added to a standing name waits for its review."""
        # a name that was added later could be that of a company which the payer means
        waiting = set(self.pending.get("names", ()))
        return [alias for alias in self.aliases if alias not in waiting]

    @property
    def lei_waits(self) -> bool:
        """Whether the LEI does not count yet: GLEIF has another name for it."""
        return bool(self.pending.get("lei"))

    @property
    def counted_lei(self) -> str:
        """The LEI that counts as the wallet's: none while GLEIF has another name for it.

        Code that shows, scores or attests a wallet's LEI reads this; `lei` is the stated one, for
        screening and for officers.
        """
        return "" if self.lei_waits else self.lei

    @property
    def country_waits(self) -> bool:
        """Whether the country (`country` of `pending`) does not count before the review has ended.

        GLEIF has a different one, or the wallet was registered with a different one.
        """
        return bool(self.pending.get("country"))

    @property
    def counted(self) -> bool:
        """Whether the entity of an ended registration ever counted: it did not wait to its end."""
        return not self.pending.get("entity") and (
            self.ended_at is None or self.effective_at <= self.ended_at
        )

    def counts(self, now: datetime) -> bool:
        """Return whether the entity counts: another one waits for its review, and cools off."""
        return not self.pending.get("entity") and self.effective_at <= now

    @property
    def checked(self) -> bool:
        """Whether the form of the address is known and holds."""
        return self.family != Family.OTHER

    def name_it(self, name: str) -> None:
        """Set the legal name and by what it is found."""
        self.legal_name, self.name_key = name, name_key(name)

    def look_at(self, *, now: datetime) -> None:
        """Put it under review, from the first finding on."""
        if not self.under_review:
            self.under_review, self.review_since = True, now

    def lei_stands(self, status: str, *, now: datetime) -> None:
        """Set the state of the LEI, and since when it is another."""
        # `lei_since` orders the queue: a repeated look must not move a registration to its end
        if self.lei_status != status or self.lei_since is None:
            self.lei_status, self.lei_since = status, now if self.lei else None

    def clear(self) -> None:
        """End the review: what waited for it counts."""
        self.under_review, self.review_since, self.pending = False, None, {}

    def end(self, *, now: datetime) -> None:
        """End the registration; what it was stays."""
        self.active, self.ended_at = False, now
        self.under_review, self.review_since = False, None


def name_key(name: str) -> str:
    """Return the key by which a legal name is found and compared, without case and spaces."""
    # twice the name: folding can make characters longer (`ß` becomes `ss`)
    return fold_name(name)[:600]


def alias_keys(aliases: Iterable[str]) -> str:
    """Return by what aliases are found: each as a legal name is, one a line."""
    # no key has a line break, so no search matches across two aliases
    return "\n".join(name_key(alias) for alias in aliases)

"""Country listings with their spells, and the two-person way in which they change."""

from datetime import UTC, datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from apps.platform.desk.models import (
    Proposal,
    ProposalEvent,
    four_eyes_constraints,
    one_pending_constraint,
)
from apps.platform.desk.time_formats import format_day
from apps.platform.ledger.records import LedgerRecord

CODE = "ISO 3166-1 alpha-2; a region that is embargoed by itself: ISO 3166-2"


class CountryList(models.TextChoices):
    """The lists by which a country is judged (DESIGN.md section 4, Countries)."""

    CALL_FOR_ACTION = "FATF_CALL_FOR_ACTION", "FATF call for action"
    INCREASED_MONITORING = "FATF_INCREASED_MONITORING", "FATF increased monitoring"
    EU_HIGH_RISK = "EU_HIGH_RISK", "EU high-risk third countries"
    EMBARGO = "EMBARGO", "Embargo: a comprehensive programme"


class CountryListing(models.Model):
    """One spell of a country on a list: from `since` up to, and not on, `until`.

    One that was withdrawn before it began has `until` = `since`: it holds on no day. `recorded_at`
    and `ended_at` say when we learnt of start and end, so that an old screen can be recomputed with
    what was known then.
    """

    list = models.CharField(max_length=25, choices=CountryList)
    country = models.CharField(max_length=6, help_text=CODE)
    since = models.DateField("from")
    until = models.DateField(null=True, blank=True)
    # what put it there and what ended it, each at most 300
    source = models.CharField(max_length=620)
    recorded_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["list", "country", "since"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["list", "country", "since"], name="country_listing_spell"
            ),
            models.UniqueConstraint(
                fields=["list", "country"],
                condition=Q(until__isnull=True),
                name="country_listing_one_open",
            ),
            models.CheckConstraint(
                # equal: withdrawn before it began
                condition=Q(until__isnull=True) | Q(until__gte=F("since")),
                name="country_listing_order",
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True, ended_at__isnull=True)
                | Q(until__isnull=False, ended_at__isnull=False),
                name="country_listing_end_recorded",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.country} on {self.get_list_display()} from {format_day(str(self.since))}"

    def state(self) -> dict[str, Any]:
        """Return what may change of a spell, as its records keep it."""
        return {
            "until": self.until.isoformat() if self.until else None,
            "source": self.source,
            "recordedAt": _format_moment(self.recorded_at),
            "endedAt": _format_moment(self.ended_at) if self.ended_at else None,
        }


def _format_moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


class CountryChange(Proposal):
    """A change of the listings: proposed by one senior officer, decided by another."""

    class Kind(models.TextChoices):
        ADD = "ADD", "Put on the list"
        END = "END", "Take off the list"

    kind = models.CharField(max_length=3, choices=Kind)
    list = models.CharField(max_length=25, choices=CountryList)
    country = models.CharField(max_length=6, help_text=CODE)
    effective = models.DateField(help_text="First day on the list, or first day off it")
    source = models.CharField(max_length=300, help_text="Statement or act, with its date")
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering: ClassVar = ["-pk"]
        permissions: ClassVar = [
            ("propose_countrychange", "Can propose a change of country listings"),
            ("decide_countrychange", "Can approve or reject another's proposal"),
        ]
        constraints: ClassVar = [
            *four_eyes_constraints("country_change"),
            one_pending_constraint("list", "country", name="country_change_one_pending"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.country}, {self.get_list_display()}"

    def event_columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("kind", "list", "country", "effective")}


class CountryEvent(ProposalEvent):
    """A step of a change of the listings, kept permanently."""

    change = models.ForeignKey(CountryChange, on_delete=models.PROTECT, related_name="events")
    kind = models.CharField(max_length=3, choices=CountryChange.Kind)
    list = models.CharField(max_length=25, choices=CountryList)
    country = models.CharField(max_length=6)
    effective = models.DateField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.country}: {self.state} by {self.by}"


class ListingRecord(LedgerRecord):
    """The state of a spell after a change: shipped with a release, or approved by two officers.

    It has no personal data; the payload is the spell's state, and kept permanently.
    """

    LEDGER: ClassVar[str] = "country_listings"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    list = models.CharField(max_length=25, choices=CountryList)
    country = models.CharField(max_length=6)
    since = models.DateField()
    change = models.ForeignKey(
        CountryChange, null=True, on_delete=models.PROTECT, related_name="records"
    )

    class Meta:
        verbose_name = "country listing record"
        default_permissions = ("view",)
        indexes: ClassVar = [
            models.Index(fields=["list", "country", "since"], name="listing_record_spell")
        ]

    def __str__(self) -> str:
        return f"{self.country} on {self.get_list_display()} from {format_day(str(self.since))}"

    @classmethod
    def of(cls, listing: CountryListing, *, now: datetime, change: CountryChange | None) -> None:
        """Record the state of a spell; without a `change` it was shipped with a release."""
        spell = {"list": listing.list, "country": listing.country, "since": listing.since}
        cls.write(payload=listing.state(), now=now, change=change, **spell)

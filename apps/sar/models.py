"""The SAR log: what was blocked and must be looked at for a suspicious activity report.

Ledgers of their own, seen by their permission alone: that an entry exists is confidential.
References to entries carry no database constraint: an entry cannot leave its append-only table.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q

from apps.core.ledger import LedgerRecord
from apps.sar import rules
from apps.sar.days import day_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User


# an inquiry into a suspicion may ask long after the business ended
KEPT = 10


class SarEntry(LedgerRecord):
    """One blocked outcome: where it came from, and in the payload who and why."""

    LEDGER: ClassVar[str] = "sar"
    CONFIDENTIAL: ClassVar[bool] = True
    YEARS: ClassVar[int] = KEPT

    kind = models.CharField(max_length=20)
    ref = models.CharField(max_length=64)

    class Meta:
        verbose_name = "SAR log entry"
        verbose_name_plural = "SAR log"
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [("file_sarentry", "Can record filing decisions")]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["kind", "ref"], name="sar_once_per_outcome")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"

    @classmethod
    def write(cls, *, payload: dict[str, Any], now: datetime, **columns: Any) -> Any:
        """Append one entry and start its clocks.

        `payload` says in `sanctions` whether a sanctioned party was matched, and in `zone` where
        the entry's days are counted; without it, where the desk is.
        """
        zone = str(payload.get("zone", settings.DESK_TIME_ZONE))
        with transaction.atomic():
            entry = super().write(payload=payload, now=now, **columns)
            matter = rules.opened(
                detected=day_of(now, zone=zone), sanctions=bool(payload.get("sanctions", False))
            )
            SarMatter.begin(entry=entry, matter=matter, zone=zone)
        return entry

    @classmethod
    def spared(cls, *, before: datetime) -> Q:
        return Q(pk__in=blocking(before=before))


class MatterQuerySet(models.QuerySet["SarMatter"]):
    def pending(self) -> Self:
        """Return the matters on which a clock runs, the nearest first."""
        return self.exclude(next_by=None).order_by("next_by", "pk")

    def late(self, today: date) -> Self:
        """Return the matters with a deadline that has passed."""
        return self.filter(next_by__lt=today)


class SarMatter(models.Model):
    """Where an entry stands: made from the entry and its filing events, for lists by due day."""

    entry = models.OneToOneField(
        SarEntry,
        primary_key=True,
        on_delete=models.DO_NOTHING,
        related_name="matter",
        db_constraint=False,
    )
    sanctions = models.BooleanField()
    # the desk's when the entry was made: another setting later moves no clock that runs
    zone = models.CharField(max_length=64, default="UTC")
    steps = models.PositiveIntegerField(default=0)
    last_action = models.CharField(max_length=20, blank=True)
    next_by = models.DateField(null=True)
    next_clock = models.CharField(max_length=10, blank=True)

    objects = MatterQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes: ClassVar[list[Any]] = [models.Index(fields=["next_by"], name="sarmatter_due")]

    def __str__(self) -> str:
        return f"{self.pk}"

    @classmethod
    def begin(cls, *, entry: SarEntry, matter: rules.Matter, zone: str) -> None:
        """Note where an entry stands at its beginning."""
        row = cls(entry=entry, sanctions=matter.sanctions, zone=zone, **standing(matter))
        row.save(force_insert=True)

    def advance(self, *, matter: rules.Matter, action: str) -> bool:
        """Move on by one step; False when another step came between."""
        same = SarMatter.objects.filter(pk=self.pk, steps=self.steps)
        return bool(same.update(steps=self.steps + 1, last_action=action, **standing(matter)))

    def opened(self) -> rules.Matter:
        """Return the matter as it began."""
        detected = day_of(self.entry.recorded_at, zone=self.zone)
        return rules.Matter(detected=detected, sanctions=self.sanctions)

    def after(self, events: "Sequence[FilingEvent]") -> rules.Matter:
        """Return where it stands after these events, the oldest first."""
        recorded = [(event.action, day_of(event.recorded_at, zone=self.zone)) for event in events]
        return rules.after(self.opened(), recorded)


def standing(matter: rules.Matter) -> dict[str, Any]:
    """Return the columns of a matter that its clocks make."""
    running = rules.clocks(matter)
    if not running:
        return {"next_by": None, "next_clock": ""}
    return {"next_by": running[0].by, "next_clock": running[0].ref}


class FilingEvent(LedgerRecord):
    """One decision on an entry: filed, not filed, reported; who wrote what is in the payload."""

    LEDGER: ClassVar[str] = "sar_filings"
    CONFIDENTIAL: ClassVar[bool] = True
    YEARS: ClassVar[int] = KEPT

    entry = models.ForeignKey(
        SarEntry, on_delete=models.DO_NOTHING, related_name="filings", db_constraint=False
    )
    number = models.PositiveIntegerField()
    action = models.CharField(
        max_length=20, choices=[(step.action, step.title) for step in rules.STEPS]
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = "SAR filing decision"
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["entry", "number"], name="filing_one_per_number"),
            models.CheckConstraint(
                name="filing_action_known", condition=Q(action__in=list(rules.BY_ACTION))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: entry {self.entry_id}"

    @classmethod
    def spared(cls, *, before: datetime) -> Q:
        return Q(entry_id__in=blocking(before=before))


def blocking(*, before: datetime) -> "models.QuerySet[FilingEvent, int]":
    """Return the entries of property that is blocked, or was until `before` or later.

    31 CFR 501.601: what is known of it is kept until ten years after it was unblocked.
    """
    released = FilingEvent.objects.filter(action="RELEASED", recorded_at__lt=before)
    blocked = FilingEvent.objects.filter(action="OFAC_BLOCKED")
    return blocked.exclude(entry_id__in=released.values("entry_id")).values_list(
        "entry_id", flat=True
    )


class SarRead(LedgerRecord):
    """That somebody opened the SAR log: kept apart from other reads, because it tells of it."""

    LEDGER: ClassVar[str] = "sar_reads"
    CONFIDENTIAL: ClassVar[bool] = True
    YEARS: ClassVar[int] = KEPT

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    what = models.CharField(max_length=60)
    ref = models.CharField(max_length=100, blank=True)

    class Meta:
        verbose_name = "SAR log read"
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["by", "-recorded_at"], name="sarread_by_reader")
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.ref}"


def may_see(user: "User") -> bool:
    """Tell whether somebody may know that the log exists."""
    return bool(user.is_active and user.has_perm("sar.view_sarentry"))

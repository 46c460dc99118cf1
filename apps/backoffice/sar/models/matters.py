"""The state of entries, and their parties: derived from the records, for lists by due day."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.db import connection, models
from django.db.models import Count, Max, Min, Q

from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import local_date

if TYPE_CHECKING:
    from apps.backoffice.sar.models.filings import FilingEvent

# a range instead of IS NOT NULL, which some databases do not answer from an index
RUNNING = Q(next_by__gt=date.min)


class MatterQuerySet(models.QuerySet["SarMatter"]):
    def pending(self) -> Self:
        """Return the matters on which a clock runs, the nearest first."""
        return self.filter(RUNNING).order_by("next_by", "pk")

    def late(self, today: date) -> Self:
        """Return the matters with a deadline that has passed."""
        return self.filter(next_by__lt=today)


class SarMatter(models.Model):
    """The state of an entry, derived from it and its filing events, for lists by due day."""

    entry = models.OneToOneField(
        "sar.SarEntry",
        primary_key=True,
        on_delete=models.DO_NOTHING,
        related_name="matter",
        db_constraint=False,
    )
    sanctions = models.BooleanField()
    # that of the desk when the entry was made: a later change of the setting moves no running clock
    zone = models.CharField(max_length=64, default="UTC")
    steps = models.PositiveIntegerField(default=0)
    last_action = models.CharField(max_length=20, blank=True)
    next_by = models.DateField(null=True)
    next_clock = models.CharField(max_length=10, blank=True)
    # shared by the matters of one party of one client (rules/matter_parties.py)
    party_key = models.CharField(max_length=64, blank=True)

    objects = MatterQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["next_by", "entry"], name="sarmatter_nearest"),
            models.Index(fields=["party_key", "next_by", "entry"], name="sarmatter_party_due"),
            models.Index(fields=["party_key", "entry"], name="sarmatter_party_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"

    @classmethod
    def begin(cls, *, entry: int, matter: rules.Matter, zone: str, party_key: str) -> None:
        """Record the initial state of an entry, given its number."""
        row = cls(entry_id=entry, sanctions=matter.sanctions, zone=zone, party_key=party_key)
        for name, value in compute_clock_columns(matter).items():
            setattr(row, name, value)
        row.save(force_insert=True)
        SarParty.joined(row)

    def advance(self, *, matter: rules.Matter, action: str) -> bool:
        """Advance by one step; False if another step was recorded in between."""
        # compare-and-set on the number of steps, which is also the number of the next record
        unchanged = SarMatter.objects.filter(pk=self.pk, steps=self.steps)
        clock_columns = compute_clock_columns(matter)
        if not unchanged.update(steps=self.steps + 1, last_action=action, **clock_columns):
            return False
        if clock_columns["next_by"] != self.next_by:
            SarParty.made_anew(self.party_key)
        return True

    def move(self, party_key: str) -> None:
        """Move a matter to another party, and recompute both."""
        SarMatter.objects.filter(pk=self.pk).update(party_key=party_key)
        SarParty.made_anew(self.party_key)
        SarParty.made_anew(party_key)

    def opened(self) -> rules.Matter:
        """Return the matter as it began."""
        detected = local_date(self.entry.recorded_at, zone=self.zone)
        return rules.Matter(detected=detected, sanctions=self.sanctions)

    def after(self, events: "Sequence[FilingEvent]") -> rules.Matter:
        """Return the matter after these events, the oldest first, with corrections applied."""
        return rules.replay_records(self.opened(), [event.told(zone=self.zone) for event in events])


# CASE instead of GREATEST and LEAST, which SQLite does not have. A party whose `next_by` is null
# has no running clock: the comparison with null is not true, and the new matter's day counts.
_JOIN = (
    "INSERT INTO sar_sarparty (key, next_by, settled, newest) VALUES (%s, %s, %s, %s) "
    "ON CONFLICT (key) DO UPDATE SET "
    "newest = CASE WHEN excluded.newest > sar_sarparty.newest "
    "THEN excluded.newest ELSE sar_sarparty.newest END, "
    "next_by = CASE WHEN sar_sarparty.next_by < excluded.next_by "
    "THEN sar_sarparty.next_by ELSE excluded.next_by END"
)


class SarParty(models.Model):
    """What the list knows of one party of one client: made from its matters, read by an index."""

    key = models.CharField(max_length=64, primary_key=True)
    # the nearest day among the clocks of its matters; null where none runs
    next_by = models.DateField(null=True)
    # whether one of its matters is settled
    settled = models.BooleanField(default=False)
    # the number of its newest matter
    newest = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["next_by", "newest"], name="sarparty_due"),
            models.Index(fields=["newest"], name="sarparty_newest"),
            models.Index(fields=["newest"], name="sarparty_settled", condition=Q(settled=True)),
        ]

    def __str__(self) -> str:
        return f"party of matter {self.newest}"

    @classmethod
    def joined(cls, matter: SarMatter) -> None:
        """Add a new matter, on which a clock runs, to its party."""
        # one statement, because every blocked screen waits for it. A concurrent one for the same
        # party waits at the conflict, and then updates what this one wrote
        by = connection.ops.adapt_datefield_value(matter.next_by)
        with connection.cursor() as cursor:
            cursor.execute(_JOIN, [matter.party_key, by, False, matter.pk])

    @classmethod
    def made_anew(cls, key: str) -> None:
        """Recompute a party's row from its matters; without any the row is deleted."""
        # others that recompute the row wait here, and read the matters after this is committed
        cls.objects.select_for_update().filter(pk=key).first()
        computed = cls.of([key]).get(key)
        if computed is None:
            cls.objects.filter(pk=key).delete()
        else:
            cls.objects.update_or_create(pk=key, defaults=computed)

    @staticmethod
    def of(keys: Collection[str]) -> dict[str, dict[str, Any]]:
        """Return the columns of parties as their matters make them, by key; one query."""
        sar_matters = SarMatter.objects.filter(party_key__in=keys).order_by().values("party_key")
        rest = Count("pk", filter=Q(next_by=None))
        rows = sar_matters.annotate(due=Min("next_by"), last=Max("pk"), rest=rest)
        return {
            row["party_key"]: {
                "next_by": row["due"], "newest": row["last"], "settled": row["rest"] > 0,
            }
            for row in rows
        }  # fmt: skip


def compute_clock_columns(matter: rules.Matter) -> dict[str, Any]:
    """Return the columns of a matter that its clocks make."""
    running = rules.list_running_clocks(matter)
    if not running:
        return {"next_by": None, "next_clock": ""}
    return {"next_by": running[0].by, "next_clock": running[0].ref}

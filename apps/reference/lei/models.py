"""Entities, owners and reporting exceptions as held, by the file or answer they came from.

Rows belong to a `GleifFile`; only those of LIVE files are seen. A full copy is loaded beside
the old one and goes live by one change of `state`, so that readers see all of it or nothing.
"""

import json
import logging
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar, cast

from django.conf import settings
from django.db import connection, models
from django.db.models import Q

from apps.platform.common.clock import assume_utc
from apps.reference.lei.row_macs import LONGEST_PROOF, ProofField, make_verifier
from apps.reference.lei.values import Entity, HeldEntity, HeldRecords, OtherName, Source

logger = logging.getLogger(__name__)


class GleifFile(models.Model):
    """One imported file; the API's answers and the bundled sample each have one that never ends."""

    class Kind(models.TextChoices):
        RECORDS = "RECORDS", "LEI records (level 1)"
        RELATIONSHIPS = "RELATIONSHIPS", "Relationships (level 2)"
        EXCEPTIONS = "EXCEPTIONS", "Reporting exceptions (level 2)"

    class Source(models.TextChoices):
        GLEIF_FILE = "GLEIF_FILE", "GLEIF golden copy"
        GLEIF_API = "GLEIF_API", "GLEIF API"
        SAMPLE = "SAMPLE", "Bundled sample"

    class State(models.TextChoices):
        STAGING = "STAGING", "Being loaded"
        LIVE = "LIVE", "Live"
        RETIRED = "RETIRED", "Replaced"
        FAILED = "FAILED", "Given up"

    kind = models.CharField(max_length=13, choices=Kind)
    source = models.CharField(max_length=10, choices=Source)
    state = models.CharField(max_length=7, choices=State, default=State.STAGING)
    delta = models.BooleanField(default=False, help_text="Contains only changes")
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64, blank=True)
    as_of = models.DateTimeField(help_text="When GLEIF published the content")
    rows = models.PositiveBigIntegerField(default=0)
    refused = models.PositiveBigIntegerField(default=0, help_text="Rows with an invalid LEI")
    note = models.CharField(max_length=300, blank=True)
    partial = models.BooleanField(
        default=False, help_text="Part of the register: LEIs missing from it could not be checked"
    )
    purged = models.BooleanField(default=False, help_text="Its rows have been removed")
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField(help_text="Last sign of life of the import")
    live_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "GLEIF file"
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["kind", "source"],
                condition=Q(state="LIVE"),
                name="lei_file_one_live",
            ),
            models.CheckConstraint(
                condition=~Q(state="LIVE") | Q(live_at__isnull=False), name="lei_file_live_since"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.name}"


class Sourced(models.Model):
    """A row of a GleifFile; `as_of` is set where it differs from the file's (API answers)."""

    # a constraint would check three million rows against one; rows are removed with their file
    file = models.ForeignKey(
        GleifFile, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    as_of = models.DateTimeField(null=True, blank=True)
    deleted = models.BooleanField(default=False, help_text="Only while a delta is loaded")
    proof = ProofField(max_length=LONGEST_PROOF, editable=False)

    class Meta:
        abstract = True


_LAST = chr(0x10FFFF)  # no name holds it

# the columns in the order of values.Entity, then the rest of values.Held
_HELD_RECORDS_SQL = """
SELECT r.lei, r.legal_name, r.registration_status, r.entity_status, r.jurisdiction, r.country,
       r.category, r.legal_form, r.registered_as, r.managing_lou, r.successor, r.next_renewal,
       r.other_names, r.headquarters, live.source, COALESCE(r.as_of, live.as_of), r.fetched_at,
       r.as_of, r.proof
FROM lei_leirecord r JOIN lei_gleiffile live ON live.id = r.file_id
WHERE live.state = 'LIVE' AND live.source <> %s AND r.lei IN ({})
"""


class LeiRecords(models.Manager["LeiRecord"]):
    def held(self, leis: Iterable[str]) -> HeldRecords:
        """Return the ruling record of each LEI that is held, in one query.

        Production leaves the bundled sample out. An LEI of which any record was altered has none,
        and is among the `altered` ones.
        """
        unique_leis = list(set(leis))
        held_records = HeldRecords()
        # `IN ()` is a syntax error on PostgreSQL
        if not unique_leis:
            return held_records
        with connection.cursor() as cursor:
            query = _HELD_RECORDS_SQL.format(", ".join(["%s"] * len(unique_leis)))
            cursor.execute(query, [excluded_source(), *unique_leis])
            rows = cursor.fetchall()
        holds = make_verifier("LeiRecord") if rows else None
        for *columns, own_as_of, proof in rows:
            *texts, next_renewal, other_names, headquarters, source, as_of, fetched_at = columns
            names = tuple(OtherName(name, kind) for name, kind in json.loads(other_names))
            values: list[Any] = [*texts, parse_day(next_renewal), names, headquarters]
            held_entity = HeldEntity(
                Entity(*values), source, parse_moment(as_of), parse_moment(fetched_at)
            )
            # checked at each read: an attacker who can write the database must not rename an entity
            if holds is None or not holds(
                proof, _proof_values(held_entity, own_as_of), held_entity.source
            ):
                held_records.altered.add(held_entity.entity.lei)
                logger.error("the record of LEI %s was altered", held_entity.entity.lei)
            rival = held_records.get(held_entity.entity.lei)
            if rival is None or _rank_held(held_entity) > _rank_held(rival):
                held_records[held_entity.entity.lei] = held_entity
        # no other record of that LEI takes its place: the altered one may be the newest
        for lei in held_records.altered:
            del held_records[lei]
        return held_records

    def named_like(self, starts: Iterable[str], *, most: int) -> list[tuple[str, str]]:
        """Return legal name and LEI of records whose name begins with any of these, folded.

        One query by index. Production leaves the bundled sample out.
        """
        condition = Q(pk__in=())
        for start in starts:
            if connection.vendor == "sqlite":  # its LIKE knows no index
                # a range uses the index, and is the same question as "begins with"
                condition |= Q(name_key__gte=start, name_key__lt=start + _LAST)
            else:
                condition |= Q(name_key__startswith=start)
        rows = self.filter(condition, file__state=GleifFile.State.LIVE)
        rows = rows.exclude(file__source=excluded_source()).order_by()
        return list(rows.values_list("legal_name", "lei").distinct()[:most])


def excluded_source() -> str:
    """Return the source that raw queries leave out: none but in production."""
    return GleifFile.Source.SAMPLE if settings.PRODUCTION else ""


def _proof_values(held_entity: HeldEntity, own_as_of: Any) -> list[Any]:
    """Return what the MAC of a record covers, in the order of row_macs.COVERED."""
    entity = held_entity.entity
    return [
        entity.lei,
        entity.legal_name,
        [[other.name, other.type] for other in entity.other_names],
        entity.jurisdiction,
        entity.country,
        entity.headquarters,
        entity.category,
        entity.legal_form,
        entity.registered_as,
        entity.managing_lou,
        entity.successor,
        entity.entity_status,
        entity.registration_status,
        entity.next_renewal,
        held_entity.fetched_at,
        parse_moment(own_as_of) if own_as_of else None,
    ]


# SQLite has no types for times and days: a raw query returns the text that Django stored


def parse_moment(value: datetime | str) -> datetime:
    """Return a time of a raw query."""
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return assume_utc(moment)


def parse_day(value: date | str | None) -> date | None:
    """Return a day of a raw query."""
    return date.fromisoformat(value) if isinstance(value, str) else value


def _rank_held(held_entity: HeldEntity) -> tuple[bool, datetime]:
    # real data outranks the sample, then the newest content
    return (held_entity.source != "SAMPLE", held_entity.as_of)


class LeiRecord(Sourced):
    """Level 1: who the entity is. `name_key` is the legal name folded for exact finding."""

    lei = models.CharField(max_length=20)
    legal_name = models.TextField()
    name_key = models.TextField(db_index=True)
    other_names = models.JSONField(default=list, help_text="[[name, GLEIF type], …]")
    jurisdiction = models.CharField(max_length=6, blank=True)
    country = models.CharField(max_length=2, blank=True)
    headquarters = models.CharField(max_length=2, blank=True)
    category = models.CharField(max_length=40, blank=True)
    legal_form = models.CharField(max_length=8, blank=True)
    registered_as = models.TextField(blank=True)
    managing_lou = models.CharField(max_length=20, blank=True)
    successor = models.CharField(max_length=20, blank=True)
    entity_status = models.CharField(max_length=20, blank=True)
    registration_status = models.CharField(max_length=30)
    next_renewal = models.DateField(null=True, blank=True)
    fetched_at = models.DateTimeField()

    objects = LeiRecords()

    class Meta:
        verbose_name = "LEI record"
        ordering: ClassVar = ["lei"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["lei", "file"], name="lei_record_once_per_file"),
            models.CheckConstraint(condition=~Q(legal_name=""), name="lei_record_named"),
        ]
        indexes: ClassVar = [
            # by which the rows of a replaced file are removed in batches
            models.Index(fields=["file", "id"], name="lei_record_by_file"),
        ]

    def __str__(self) -> str:
        return f"{self.lei} {self.legal_name}"

    def value(self) -> HeldEntity:
        """Return the row as a value; `file` must be loaded."""
        entity = Entity(
            lei=self.lei,
            legal_name=self.legal_name,
            registration_status=self.registration_status,
            entity_status=self.entity_status,
            jurisdiction=self.jurisdiction,
            country=self.country,
            category=self.category,
            legal_form=self.legal_form,
            registered_as=self.registered_as,
            managing_lou=self.managing_lou,
            successor=self.successor,
            next_renewal=self.next_renewal,
            other_names=tuple(OtherName(name, kind) for name, kind in self.other_names),
            headquarters=self.headquarters,
        )
        source = cast(Source, self.file.source)
        return HeldEntity(entity, source, self.as_of or self.file.as_of, self.fetched_at)


class Kind(models.TextChoices):
    """Which parent a level 2 statement is about."""

    DIRECT = "DIRECT", "Direct parent"
    ULTIMATE = "ULTIMATE", "Ultimate parent"


class Relationship(Sourced):
    """Level 2: `child` is owned (consolidated) by `parent`; only active ones are kept."""

    child = models.CharField(max_length=20)
    parent = models.CharField(max_length=20)
    kind = models.CharField(max_length=8, choices=Kind)
    status = models.CharField(max_length=8, default="ACTIVE")
    since = models.DateField(null=True, blank=True)
    until = models.DateField(null=True, blank=True)
    share = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Hundredths of a percent; empty if not stated"
    )

    class Meta:
        ordering: ClassVar = ["child", "kind"]
        indexes: ClassVar = [
            models.Index(fields=["child", "kind"], name="lei_owner_of_child"),
            models.Index(fields=["file", "id"], name="lei_owner_by_file"),
        ]

    def __str__(self) -> str:
        return f"{self.child} → {self.parent} ({self.kind})"


class ReportingException(Sourced):
    """Level 2: why an entity names no parent of this kind."""

    lei = models.CharField(max_length=20)
    kind = models.CharField(max_length=8, choices=Kind)
    reason = models.CharField(max_length=60)

    class Meta:
        ordering: ClassVar = ["lei", "kind"]
        indexes: ClassVar = [
            models.Index(fields=["lei", "kind"], name="lei_exception_of"),
            models.Index(fields=["file", "id"], name="lei_exception_by_file"),
        ]

    def __str__(self) -> str:
        return f"{self.lei}: {self.reason} ({self.kind})"


def column_to_percent(share: int | None) -> Decimal | None:
    """Return the share in percent of its column, None if it is not stated."""
    return None if share is None else Decimal(share) / 100


def percent_to_column(share: Decimal | None) -> int | None:
    """Return a share in percent as its column holds it."""
    # cut off and not rounded: 49.999 % must not become 50 %, from which a listed owner blocks
    return None if share is None else int(share * 100)


class LeiUse(models.Model):
    """An LEI that was screened or registered: its record is refreshed daily.

    `missing_at` is when GLEIF last reported that there is no such LEI, `chain_at` when its owners
    were last looked up, `refreshed_at` when its record was.
    """

    lei = models.CharField(max_length=20, primary_key=True)
    used_on = models.DateField(db_index=True)
    missing_at = models.DateTimeField(null=True, blank=True)
    chain_at = models.DateTimeField(null=True, blank=True)
    refreshed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "LEI in use"
        verbose_name_plural = "LEIs in use"

    def __str__(self) -> str:
        return self.lei

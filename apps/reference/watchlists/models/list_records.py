"""The ledger of lists: which version was screened from when on, and by which settings."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F

from apps.platform.ledger.records import LedgerRecord
from apps.reference.watchlists import version_digests

# what of a source takes two people (`changes`) or never changes, and what every screen rests on
POLICY = (
    "enabled", "required", "max_age_hours", "minimum_percent", "urls", "kind", "topic", "columns",
)  # fmt: skip
# age and completeness of the live version: name and attribute path
FACTS = {
    "checked_at": "last_checked_at",
    "published_at": "live__published_at",
    "by_hand": "live__by_hand",
    "partial": "live__partial",
}


class ListRecord(LedgerRecord):
    """A recorded state of a source: a version that went live, or a change by operators.

    The payload has what the source is judged by (`POLICY`), the age of its live version (`FACTS`)
    and, for a version, digests of what it lists anew and no longer.
    """

    LEDGER: ClassVar[str] = "lists"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    slug = models.CharField(max_length=60)
    sequence = models.PositiveIntegerField(null=True, help_text="The version that went live")

    class Meta:
        verbose_name = "list record"
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.slug} {self.sequence or 'changed'}"

    @classmethod
    def of(
        cls, source: Any, *, now: datetime, version: Any = None, changed: Collection[str] = ()
    ) -> None:
        """Record that a version went live, or which of `POLICY` and `FACTS` changed.

        `source` is a Source, `version` a ListVersion of it or None. Unchanged values keep their
        record: an import must not confirm values that were altered in the database.
        """
        # the current row: the given source may have been read before a change
        stated = cls.standing(source)
        fresh = {*changed, *(FACTS if version is not None else ())}
        latest = cls.recorded_of(source.slug)
        # what this change did not touch keeps its recorded value, whatever the row has now
        stated |= {field: value for field, value in latest.items() if field not in fresh}
        if version is not None:
            stated |= version_digests.digest_version(source.states, version)
        sequence = version.sequence if version else None
        cls.write(payload=stated, now=now, slug=source.slug, sequence=sequence)

    @staticmethod
    def standing(source: Any) -> dict[str, Any]:
        """Return the current `POLICY` and `FACTS` in the database, in the form of records."""
        facts = {name: F(place) for name, place in FACTS.items()}
        standing_row = type(source).objects.values(*POLICY, **facts).get(pk=source.pk)
        return {field: _to_payload_value(value) for field, value in standing_row.items()}

    @classmethod
    def recorded_of(cls, slug: str) -> dict[str, Any]:
        """Return `POLICY` and `FACTS` as the newest record has them, empty without a record."""
        last = cls.objects.filter(slug=slug).order_by("-pk").first()
        data = last.data if last else {}
        return {field: data[field] for field in (*POLICY, *FACTS)} if data else {}


def _to_payload_value(value: Any) -> Any:
    """Return a value as a payload holds it: a moment as text, in UTC."""
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value

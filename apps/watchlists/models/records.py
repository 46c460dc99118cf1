"""What was screened of each list and by what it was judged, kept for good."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.core.ledger import LedgerRecord
from apps.watchlists import digests

# what of a source takes two people (`changes`), and what every screen rests on
POLICY = ("enabled", "required", "max_age_hours", "minimum_percent", "urls")


class ListRecord(LedgerRecord):
    """What is screened of a source from now on: a version that went live, or a change by people.

    The payload has what the source is judged by (`POLICY`) and, for a version, digests of what it
    lists anew and no longer.
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
    def of(cls, source: Any, *, now: datetime, version: Any = None, changed: str = "") -> None:
        """Record that a version went live, or which field of the source people changed.

        `source` is a Source, `version` a ListVersion of it or None. What nobody changed is kept as
        it was recorded: an import must not bless what somebody altered in the database.
        """
        # as it stands now: the source in hand may have been read before it was changed
        stated: dict[str, Any] = type(source).objects.values(*POLICY).get(pk=source.pk)
        held = cls.policy_of(source.slug)
        stated |= {field: value for field, value in held.items() if field != changed}
        if version is not None:
            stated |= digests.of_version(source.states, version)
        sequence = version.sequence if version else None
        cls.write(payload=stated, now=now, slug=source.slug, sequence=sequence)

    @classmethod
    def policy_of(cls, slug: str) -> dict[str, Any]:
        """Return what a source is judged by as its newest record has it, empty without a record."""
        last = cls.objects.filter(slug=slug).order_by("-pk").first()
        return {field: last.data[field] for field in POLICY if field in last.data} if last else {}

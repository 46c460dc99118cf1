"""Terms in force for a party, version by version; each change takes two people."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, ClassVar, TypeVar

from django.db import models

from apps.platform.common.problems import Conflict
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.ledger.verification.verified_reads import filter_verified_records


class StatedTerms(models.Model):
    """The stated columns, shared by the row in force and its proposed changes."""

    STATED: ClassVar[tuple[str, ...]]

    class Meta:
        abstract = True

    def stated(self) -> dict[str, Any]:
        """Return the stated terms, by column."""
        return {name: getattr(self, name) for name in self.STATED}


class TermsInForce(StatedTerms):
    """Terms in force; `version` counts their changes.

    A row that differs from its newest record must not be used.
    """

    version = models.PositiveIntegerField()
    changed_at = models.DateTimeField()

    class Meta:
        abstract = True

    @property
    def stands(self) -> str:
        """A digest of the terms, as their last record has it."""
        return canonical_digest(self.stated() | {"version": self.version})

    def apply_change(self, change: Any, *, now: datetime) -> None:
        """Set the terms of an approved change, as the next version; the caller saves the row."""
        for name, value in change.stated().items():
            setattr(self, name, value)
        self.version, self.changed_at = change.based_on + 1, now


Terms = TypeVar("Terms", bound=TermsInForce)


def lock_terms(
    terms: "models.QuerySet[Terms]",
    change: Any,
    *,
    of: str,
    is_altered: Callable[[Terms | None], bool],
    refused: type[Conflict],
    thing: str,
) -> Terms:
    """Return the locked terms that a change is for, or new ones; `of` names the owner's column.

    Raises `refused` if they changed since the proposal, or are not as recorded.
    """
    whose = {of: getattr(change, of)}
    row = terms.select_for_update().filter(**whose).first()
    # two proposals may start from one version: the second would undo the first unseen
    if (row.version if row else 0) != change.based_on:
        raise refused(f"The {thing} has changed since. Propose the change again.")
    if is_altered(row):
        raise refused(f"Integrity check failed for this {thing}. Contact an administrator.")
    return row or terms.model(**whose)


def differs_from_newest_record(row: TermsInForce | None, records: "models.QuerySet[Any]") -> bool:
    """Tell whether terms, or their absence, differ from the newest of their records."""
    last = records.order_by("-version", "-pk").first()
    if row is None:
        return last is not None
    if last is None or not filter_verified_records([last]):
        return True
    return (last.version, last.data["stands"]) != (row.version, row.stands)


def iter_owners_of_terms(
    terms: "models.QuerySet[Any]", records: "models.QuerySet[Any]"
) -> Iterator[tuple[str, Any]]:
    """Yield each owner that has terms or records of them, with its terms in force or None."""
    terms_by_owner = {row.owner: row for row in terms.order_by("pk")}
    # owners with records only are included: their row may have been deleted in the database
    recorded = set(records.values_list("owner", flat=True).distinct())
    for owner in sorted(recorded | terms_by_owner.keys()):
        yield owner, terms_by_owner.get(owner)

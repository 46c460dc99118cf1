"""Known false positives for tests: a kind whose listed entries a test can change."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.case_types import ListedParty, ListEntry
from apps.backoffice.review.models import KnownEvent, KnownFalsePositive
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_proposals import KnownProposal
from tests.review import sample_case_type
from tests.review.people import NOON, approve, case

ENTITY, OTHER = "OFAC SDN:ofac-123", "OFAC SDN:ofac-999"
UNTIL = date(2027, 11, 20)
WHY = "The birth dates differ, and so do the places."


class Lists:
    """What the lists say, by key: digests as they were seen, and as they stand now."""

    def __init__(self) -> None:
        self.then = {ENTITY: "a" * 64, OTHER: "b" * 64}
        self.now = dict(self.then)
        self.asked = 0

    def entries(
        self, keys: Collection[str], *, seen: Mapping[str, Any] | None = None
    ) -> Mapping[str, ListEntry]:
        self.asked += 1
        now = self.now if seen is None else self.then
        return {key: ListEntry(now[key], {"names": [now[key]]}) for key in keys if key in now}


def listed(evidence: Mapping[str, Any]) -> list[ListedParty]:
    """Return the matches of the evidence that tests open cases with."""
    rows = [row for row in evidence.get("matches", ()) if "entity" in row]
    return [ListedParty(f"{row['list']}:{row['entity']}", f"{row['name']} ({row['list']})")
            for row in rows]  # fmt: skip


def use(monkeypatch: pytest.MonkeyPatch) -> Lists:
    """Let screens be a kind of which false positives can be known."""
    lists = Lists()
    reasons = {
        outcome: tuple(replace(one, false_positive=one.code == "NAME_ONLY") for one in found)
        for outcome, found in sample_case_type.SCREEN.reasons.items()
    }
    sample_case_type.use(monkeypatch, reasons=reasons, listed=listed, entries=lists.entries)
    return lists


def propose(by: User, ref: str = "1", **given: Any) -> KnownFalsePositive:
    """Approve a case and propose with it that its match is known to be false."""
    proposed = KnownProposal((ENTITY,), given.pop("until", UNTIL))
    now = given.pop("now", NOON)
    one = approve(case(ref, now=now, **given), by, known=proposed, note=WHY, now=now)
    return KnownFalsePositive.objects.get(case=one)


def in_force(by: User, second: User, ref: str = "1", **given: Any) -> KnownFalsePositive:
    """Return one that two officers put into force."""
    false_positive = propose(by, ref, **given)
    confirm(false_positive, second, now=given.get("now", NOON))
    return KnownFalsePositive.objects.get(pk=false_positive.pk)


def confirm(known: KnownFalsePositive, by: User, now: datetime = NOON, note: str = WHY) -> None:
    """Approve one as a second officer."""
    known_false_positive_decisions.approve_known(known=known, by=by, note=note, now=now)


def steps(known: KnownFalsePositive) -> list[str]:
    """Return what is recorded of one, the oldest first."""
    known_events = KnownEvent.objects.filter(known=known).order_by("pk")
    return list(known_events.values_list("action", flat=True))


def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pages be looked at on the day of the tests' cases."""
    for page in ("cases", "known_false_positives"):
        monkeypatch.setattr(f"apps.backoffice.review.admin.{page}.now", lambda: NOON)

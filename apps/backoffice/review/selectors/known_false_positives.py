"""Known false positives as a case shows them: of its client, its party, and its matches.

The facts come from the ledger; the entry is looked up at that moment, so that a change shows before
the daily job finds it.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.known_false_positive_integrity import (
    KnownNotes,
    describe_known_events,
    find_known_faults,
    load_known_events,
)
from apps.backoffice.review.models import Case, KnownFalsePositive, KnownState
from apps.backoffice.review.models.known_false_positives import LIVE
from apps.backoffice.review.rules.known_false_positives import (
    WAKE_REASON_LABELS,
    PartyDifference,
    WakeReason,
    find_party_differences,
    is_expired,
)
from apps.backoffice.review.selectors.entry_changes import find_entry_changes
from apps.platform.desk.local_dates import local_date

MOST = 100  # rows of one party that are searched for the newest of each listed party
ALTERED = "STRANGE"
# the state of one in words: a badge and its tone, and the end of the sentence
BADGES: dict[str, tuple[str, str]] = {
    KnownState.IN_FORCE: ("info", "Known false positive"),
    KnownState.PROPOSED: ("second", "Proposed as known false positive"),
    KnownState.REJECTED: ("bad", "Rejected as known false positive"),
    KnownState.ENDED: ("warn", "Known false positive, ended"),
    KnownState.WOKEN: ("warn", "Known false positive, woken"),
    KnownState.EXPIRED: ("warn", "Known false positive, expired"),
    "CHANGED": ("bad", "Known false positive, but the entry has changed since"),
    "LEFT": ("warn", "Known false positive, no longer listed"),
    ALTERED: ("bad", "Integrity check failed"),
}
SHORT_LABELS: dict[str, str] = {
    KnownState.IN_FORCE: "In force",
    KnownState.PROPOSED: "Proposed",
    KnownState.REJECTED: "Rejected",
    KnownState.ENDED: "Ended",
    KnownState.WOKEN: "Woken",
    KnownState.EXPIRED: "Expired",
    "CHANGED": "Entry changed",
    "LEFT": "No longer listed",
    ALTERED: "Integrity check failed",
}

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KnownStatus:
    """One known false positive as a case shows it; `standing` is a key of BADGES.

    `differs` lists the facts of the party that have changed since
    (rules/known_false_positives.py); `changed` says that the list's entry has changed, even if only
    in facts that do not identify.
    """

    known: KnownFalsePositive
    standing: str
    said: KnownNotes
    differs: tuple[PartyDifference, ...] = ()
    changed: bool = False

    @property
    def badge(self) -> tuple[str, str]:
        """Tone and words."""
        return BADGES[self.standing]

    @property
    def word(self) -> str:
        """The state in a word or two."""
        return SHORT_LABELS[self.standing]

    @property
    def sentence(self) -> str:
        """A sentence about who decided, when, why, until when, and the state; plain text."""
        return self._told({})

    @property
    def recorded(self) -> str:
        """The record for a decision: the state at that time, which may change later."""
        waits = "At the decision: proposed, not yet confirmed."
        return f"{self.badge[1]}. {self._told({KnownState.PROPOSED: waits})}"

    @property
    def speaks_against(self) -> bool:
        """Whether something that was not known then agrees with the listed party now."""
        return any(difference.agrees for difference in self.differs)

    def _told(self, other: Mapping[str, str]) -> str:
        entry = self.known
        if self.standing == ALTERED:
            return f"{entry.label}: this entry does not match its record. Contact an administrator."
        proposed_on = f"{local_date(entry.proposed_at):%d %b %Y}"
        text = f"{entry.label}: proposed by {entry.proposed_by} on {proposed_on}"
        if entry.decided_by and entry.decided_at:
            did = "rejected" if entry.state == KnownState.REJECTED else "confirmed"
            text += f", {did} by {entry.decided_by} on {local_date(entry.decided_at):%d %b %Y}"
        why = f": {self.said.reason}" if self.said.reason else ""
        return " ".join([f"{text}, until {entry.expires_on:%d %b %Y}{why}.", *self._end(other)])

    def _end(self, other: Mapping[str, str]) -> list[str]:
        words = {
            KnownState.IN_FORCE: "The list has since changed nothing that identifies the party."
            if self.changed
            else "The listed entry is unchanged since.",
            KnownState.PROPOSED: "A second officer has not decided on it.",
            KnownState.WOKEN: WAKE_REASON_LABELS.get(
                self.said.why, "The listed entry is a different one."
            ),
            KnownState.EXPIRED: WAKE_REASON_LABELS.get(self.said.why, "It is no longer valid."),
            KnownState.ENDED: f"Ended: {self.said.ended}" if self.said.ended else "It was ended.",
        } | WAKE_REASON_LABELS
        words |= other
        sentences = [difference.sentence for difference in self.differs]
        return [words[self.standing], *sentences] if self.standing in words else sentences


def list_listed_parties(case: Case) -> Sequence[case_types.ListedParty]:
    """Return the listed parties of a case of which a false positive can be known."""
    kind = case_types.get_case_type(case.kind) if case.kind in CASE_TYPES else None
    if kind is None or kind.listed is None or not (case.party_key or case.own_lei):
        return ()
    try:
        return kind.listed(case.evidence)
    except (LookupError, TypeError, ValueError, AttributeError):
        # a case must stay readable whatever its evidence holds
        logger.exception("the listed parties of case %s cannot be read", case.pk)
        return ()


def get_party_details(drawn: Mapping[str, Any]) -> dict[str, str]:
    """Return what is known of the party by a case's picture, by label."""
    rows = (drawn.get("request") or {}).get("party") or ()
    return {row["label"]: row["value"] for row in rows}


def list_agreeing_details(drawn: Mapping[str, Any], key: str) -> set[str]:
    """Return what of the party agrees with a listed one by a case's picture, by label."""
    rows = (
        row
        for match in drawn.get("matches") or ()
        if match.get("key") == key and not match.get("of")
        for row in match.get("compared", ())[1:]  # the name comes first
    )
    return {row.get("label", row["what"]) for row in rows if row["verdict"] == "AGREES"}


def load_known_of_case(
    case: Case, *, now: datetime, drawn: Mapping[str, Any] | None = None
) -> list[KnownStatus]:
    """Return what is known of a case's pairs, the newest of each; `drawn` is its picture.

    One query where it matches listed parties; where something is known, one more for that, one
    for the ledger and a few for the lists.
    """
    keys = [listed_party.key for listed_party in list_listed_parties(case)]
    if not keys:
        return []
    false_positives = KnownFalsePositive.objects.filter(match_same_party(case), entity__in=keys)
    newest: dict[str, int] = {}  # of most cases nothing is known: the whole row comes after
    for pk, entity in false_positives.order_by("-pk").values_list("pk", "entity")[:MOST]:
        newest.setdefault(entity, pk)
    if not newest:
        return []
    whole = KnownFalsePositive.objects.select_related("proposed_by", "decided_by")
    rows = sorted(
        whole.filter(pk__in=newest.values()), key=lambda positive: keys.index(positive.entity)
    )
    return build_known_statuses(
        rows, drawn=drawn or case_types.draw_evidence(case.kind, case.evidence), now=now
    )


def load_known_of_cases(cases: Sequence[Case], *, now: datetime) -> dict[int, list[KnownStatus]]:
    """Return what is known of each of several cases, by its number, without their pictures."""
    keys = {
        case.pk: {listed_party.key for listed_party in list_listed_parties(case)} for case in cases
    }
    condition = Q(pk__in=[])
    for case in cases:
        condition |= match_same_party(case) & Q(entity__in=keys[case.pk])
    people = ("proposed_by", "decided_by")
    rows = list(
        KnownFalsePositive.objects.filter(condition).select_related(*people).order_by("-pk")
    )
    statuses = build_known_statuses(rows, now=now) if rows else []
    return {case.pk: _pick_newest(case, keys[case.pk], statuses) for case in cases}


def _pick_newest(
    case: Case, keys: Collection[str], known_statuses: Sequence[KnownStatus]
) -> list[KnownStatus]:
    newest: dict[str, KnownStatus] = {}
    for known_status in known_statuses:
        if known_status.known.entity in keys and _is_about_case(case, known_status.known):
            newest.setdefault(known_status.known.entity, known_status)
    return list(newest.values())


def _is_about_case(case: Case, false_positive: KnownFalsePositive) -> bool:
    """Tell what `match_same_party` asks of the database."""
    named = case.party_key != "" and false_positive.party_key == case.party_key
    lei = case.own_lei
    is_about = false_positive.lei == lei or (named and not false_positive.lei) if lei else named
    return is_about and false_positive.owner == case.owner


def match_same_party(case: Case) -> Q:
    """Return the condition of being about this client's party: by LEI if both have one."""
    named = Q(party_key=case.party_key) if case.party_key else Q(pk__in=[])
    if lei := case.own_lei:
        return Q(owner=case.owner) & (Q(lei=lei) | (named & Q(lei="")))
    return Q(owner=case.owner) & named


def build_known_statuses(
    rows: Sequence[KnownFalsePositive], *, now: datetime, drawn: Mapping[str, Any] | None = None
) -> list[KnownStatus]:
    """Return the current state of known false positives, next to the picture of a case."""
    party = get_party_details(drawn) if drawn else {}
    events = load_known_events([row.pk for row in rows])
    changes = find_entry_changes([row for row in rows if row.state == KnownState.IN_FORCE])
    known_statuses = []
    for row in rows:
        mine = events[row.pk]
        then = mine[0].data.get("party") if mine else None
        strange = next(find_known_faults(row, mine), "")
        change = changes.get(row.pk)
        stands = ALTERED if strange else _determine_state(row, change.why if change else "", now)
        agrees = list_agreeing_details(drawn, row.entity) if drawn else ()
        # without recorded facts the party was erased: there is nothing to compare with
        others = () if then is None else tuple(find_party_differences(then, party, agrees))
        known_statuses.append(
            KnownStatus(
                row, stands, describe_known_events(mine), others, changed=change is not None
            )
        )
    return known_statuses


def _determine_state(false_positive: KnownFalsePositive, change: WakeReason, now: datetime) -> str:
    # the daily job has not ended it yet
    if false_positive.state in LIVE and is_expired(
        until=false_positive.expires_on, today=local_date(now)
    ):
        return KnownState.EXPIRED
    if false_positive.state == KnownState.IN_FORCE:
        return change or false_positive.state
    return false_positive.state

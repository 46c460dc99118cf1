"""Propose known false positives with a decision, and reject those of a decision that is returned.

Each step is one compare-and-set and one record of the ledger `known_false_positives`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from apps.backoffice.review import case_types
from apps.backoffice.review.models import (
    Case,
    KnownAction,
    KnownFalsePositive,
    KnownState,
)
from apps.backoffice.review.models.known_false_positives import (
    LIVE,
    compute_pair_digest,
)
from apps.backoffice.review.rules.known_false_positives import (
    WAKE_REASON_LABELS,
    find_expiry_fault,
    find_wake_reason,
)
from apps.backoffice.review.selectors.known_false_positives import (
    list_listed_parties,
)
from apps.backoffice.review.services.decision_inputs import Decision
from apps.backoffice.review.services.known_false_positive_expiry import (
    end_known_false_positives,
    expire_known_false_positives,
)
from apps.backoffice.review.services.known_false_positive_transitions import (
    KnownFalsePositiveConflict,
    record_known_event,
    transition_known,
)
from apps.platform.common.problems import DomainError
from apps.platform.desk.local_dates import local_date

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class InvalidKnownFalsePositive(DomainError):
    """What a known false positive must say is missing or does not fit."""

    status, code, title = 400, "invalid_known", "The known false positive is incomplete"


@dataclass(frozen=True, slots=True)
class KnownProposal:
    """What an officer ticks in the decision box: listed parties by key, and the last day.

    `party` is what the case knows of its own party, by label: a later case may know otherwise.
    """

    entities: tuple[str, ...]
    until: date
    party: Mapping[str, str] = field(default_factory=dict)


def propose_known_false_positives(
    *, case: Case, proposed: KnownProposal, why: Decision, by: "User", now: datetime
) -> list[KnownFalsePositive]:
    """Propose that a case's party is known not to be these listed parties; see `decide_case`.

    Each applies only to the case's client, once a second officer approves it. Raises
    InvalidKnownFalsePositive, and KnownFalsePositiveConflict if an entry changed since the case
    was opened, or one is already in force.
    """
    reason = why.reason(case)
    labels = {listed_party.key: listed_party.label for listed_party in list_listed_parties(case)}
    if faulty := " ".join(_find_proposal_faults(case, proposed, reason, labels, now)):
        raise InvalidKnownFalsePositive(faulty, errors=[{"field": "known", "message": faulty}])
    entries = _load_unchanged_entries(
        case_types.get_case_type(case.kind), case, proposed.entities, labels
    )
    payload: dict[str, Any] = {"until": proposed.until.isoformat(), "note": why.note.strip()}
    payload |= {"reason": f"{reason.label} ({reason.basis})"} if reason else {}
    payload |= {"party": dict(proposed.party)}
    known_false_positives = []
    for key in dict.fromkeys(proposed.entities):
        label = labels[key]
        entry = entries[key].digest
        whose = {
            "owner": case.owner,
            "party_key": case.party_key,
            "lei": case.own_lei,
            "entity": key,
        }
        false_positive = KnownFalsePositive(
            **whose,
            kind=case.kind,
            party=case.party,
            label=label[:300],
            entry=entry,
            pair=compute_pair_digest(**whose),
            case=case,
            proposed_by=by,
            proposed_at=now,
        )
        false_positive.expires_on, false_positive.reason_code = proposed.until, why.reason_code
        _store_proposal(false_positive, now)
        rests_on = {"digest": false_positive.facts_digest(), "facts": dict(entries[key].facts)}
        record_known_event(false_positive, KnownAction.PROPOSED, by, now, payload | rests_on)
        known_false_positives.append(false_positive)
    return known_false_positives


def _find_proposal_faults(
    case: Case,
    proposed: KnownProposal,
    reason: case_types.Reason | None,
    labels: Mapping[str, str],
    now: datetime,
) -> Iterator[str]:
    if reason is None or not reason.false_positive:
        yield "A known false positive needs a reason that rules out the listed party."
    if not proposed.entities or not set(proposed.entities) <= set(labels):
        yield "Choose the listed parties of this case that it applies to."
    if fault := find_expiry_fault(until=proposed.until, today=local_date(now)):
        yield fault


def _load_unchanged_entries(
    kind: case_types.CaseType, case: Case, keys: Sequence[str], labels: Mapping[str, str]
) -> Mapping[str, case_types.ListEntry]:
    """Return the current entries; KnownFalsePositiveConflict if one changed since it was seen."""
    ask = kind.entries
    then = ask(keys, seen=case.evidence) if ask else {}
    now = ask(keys) if ask else {}
    for key in keys:
        if key not in then:
            raise KnownFalsePositiveConflict(
                f"How the list had {labels[key]} can no longer be determined."
            )
        why = find_wake_reason(then=then[key].digest, now=now[key].digest if key in now else None)
        # a change of facts that do not identify, such as a programme, does not matter
        if why and not (key in now and then[key].facts == now[key].facts != {}):
            raise KnownFalsePositiveConflict(
                f"{labels[key]}: {WAKE_REASON_LABELS[why]} Screen the party again."
            )
    return now


def _store_proposal(false_positive: KnownFalsePositive, now: datetime) -> None:
    """Store a proposal; KnownFalsePositiveConflict if one is proposed or in force already."""
    # only one of a pair may be LIVE: what has expired, or is about the entry before it changed,
    # ends here rather than with the daily job
    standing = KnownFalsePositive.objects.filter(pair=false_positive.pair, state__in=LIVE)
    for old in standing.filter(expires_on__lt=local_date(now)):
        expire_known_false_positives([old], now)
    other = standing.exclude(entry=false_positive.entry).filter(state=KnownState.IN_FORCE)
    why = {old.pk: {"why": "CHANGED", "entry": false_positive.entry} for old in other}
    end_known_false_positives(why, KnownState.WOKEN, KnownAction.WOKEN, now)
    try:
        # a savepoint: on PostgreSQL the failed insert would end the transaction of the whole
        # decision
        with transaction.atomic():
            false_positive.save(force_insert=True)
    except IntegrityError as error:
        raise KnownFalsePositiveConflict(
            f"{false_positive}: it is already proposed or in force."
        ) from error


def reject_proposals_of_case(*, case: Case, by: "User", note: str, now: datetime) -> None:
    """Reject what was proposed with a first decision that a second officer returns."""
    for known in KnownFalsePositive.objects.filter(case=case, state=KnownState.PROPOSED):
        change = {"state": KnownState.REJECTED, "decided_by": by, "decided_at": now}
        transition_known(known, KnownState.PROPOSED, change)
        record_known_event(known, KnownAction.REJECTED, by, now, {"note": note.strip()})

"""Known false positives as they are proposed with a decision, and as they end by themselves.

Each step is one compare-and-set and one record of the ledger `known_false_positives`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from apps.core.problems import Conflict, DomainError
from apps.desk.days import day_of
from apps.review import kinds
from apps.review.actions.spoken import Decision
from apps.review.models import (
    Case,
    KnownAction,
    KnownEvent,
    KnownFalsePositive,
    KnownState,
)
from apps.review.models.known import LIVE, NO_EXTENSION, pair_of
from apps.review.rules.known import WORDS, expiry_fault, woken
from apps.review.telling import listed, same

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class BadKnown(DomainError):
    """What a known false positive must say is missing or does not fit."""

    status, code, title = 400, "invalid_known", "The known false positive is not complete"


class NotKnown(Conflict):
    """It does not stand as the officer saw it."""

    code, title = "known_changed", "The known false positive stands differently"


@dataclass(frozen=True, slots=True)
class Proposed:
    """What an officer ticks in the decision box: listed parties by key, and the last day.

    `party` is what the case knows of its own party, by label: a later case may know otherwise.
    """

    entities: tuple[str, ...]
    until: date
    party: Mapping[str, str] = field(default_factory=dict)


def propose(
    *, case: Case, proposed: Proposed, why: Decision, by: "User", now: datetime
) -> list[KnownFalsePositive]:
    """Propose that a case's party is known not to be these listed ones; see `actions.decide`.

    Each holds for the case's client alone, and from when a second officer approves it. Raises
    BadKnown, and NotKnown where an entry changed since the case was opened, or one stands already.
    """
    reason = why.reason(case)
    labels = {one.key: one.label for one in listed(case)}
    if faulty := " ".join(_missing(case, proposed, reason, labels, now)):
        raise BadKnown(faulty, errors=[{"field": "known", "message": faulty}])
    entries = _unchanged(kinds.named(case.kind), case, proposed.entities, labels)
    told: dict[str, Any] = {"until": proposed.until.isoformat(), "note": why.note.strip()}
    told |= {"reason": f"{reason.label} ({reason.basis})"} if reason else {}
    told |= {"party": dict(proposed.party)}
    made = []
    for key in dict.fromkeys(proposed.entities):
        known = _made(case, key, labels[key], entries[key], by, now)
        known.expires_on, known.reason_code = proposed.until, why.reason_code
        _store(known, now)
        note_down(known, KnownAction.PROPOSED, by, now, told | {"digest": known.facts_digest()})
        made.append(known)
    return made


def _missing(
    case: Case,
    proposed: Proposed,
    reason: kinds.Reason | None,
    labels: Mapping[str, str],
    now: datetime,
) -> Iterator[str]:
    if reason is None or not reason.false_positive:
        yield "Only a reason that finds another party makes a false positive known."
    if not proposed.entities or not set(proposed.entities) <= set(labels):
        yield "Choose of which listed parties of this case it is known."
    if fault := expiry_fault(until=proposed.until, today=day_of(now)):
        yield fault


def _unchanged(
    kind: kinds.Kind, case: Case, keys: Sequence[str], labels: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the digests of the entries that the officer saw; NotKnown where one is another now."""
    ask = kind.entries
    then = ask(keys, seen=case.evidence) if ask else {}
    now = ask(keys) if ask else {}
    for key in keys:
        if key not in then:
            raise NotKnown(f"How the list had {labels[key]} cannot be told any more.")
        if why := woken(then=then[key], now=now.get(key)):
            raise NotKnown(f"{labels[key]}: {WORDS[why]} Screen the party anew.")
    return then


def _made(
    case: Case, key: str, label: str, entry: str, by: "User", now: datetime
) -> KnownFalsePositive:
    whose = {"owner": case.owner, "party_key": case.party_key, "lei": case.own_lei, "entity": key}
    return KnownFalsePositive(
        **whose,
        kind=case.kind,
        party=case.party,
        label=label[:300],
        entry=entry,
        pair=pair_of(**whose),
        case=case,
        proposed_by=by,
        proposed_at=now,
    )


def _store(known: KnownFalsePositive, now: datetime) -> None:
    """Store a proposal; one that expired, or was of the entry as it was, makes room for it."""
    standing = KnownFalsePositive.objects.filter(pair=known.pair, state__in=LIVE)
    for old in standing.filter(expires_on__lt=day_of(now)):
        expire([old], now)
    other = standing.exclude(entry=known.entry).filter(state=KnownState.IN_FORCE)
    why = {old.pk: {"why": "CHANGED", "entry": known.entry} for old in other}
    end_all(why, KnownState.WOKEN, KnownAction.WOKEN, now)
    try:
        with transaction.atomic():
            known.save(force_insert=True)
    except IntegrityError as error:
        raise NotKnown(f"{known}: that is proposed, or in force, already.") from error


def expire(found: Sequence[KnownFalsePositive], now: datetime) -> int:
    """End those whose last day has passed; return how many did."""
    return end_all(
        {one.pk: {"until": one.expires_on.isoformat()} for one in found},
        KnownState.EXPIRED,
        KnownAction.EXPIRED,
        now,
    )


@transaction.atomic
def end_all(
    why: Mapping[int, Mapping[str, str]], state: KnownState, action: KnownAction, now: datetime
) -> int:
    """End those that still stand, each with its record; three queries and one for each record."""
    standing = KnownFalsePositive.objects.select_for_update().filter(pk__in=why, state__in=LIVE)
    found = list(standing.order_by("pk"))
    KnownFalsePositive.objects.filter(pk__in=[one.pk for one in found]).update(
        state=state, **NO_EXTENSION
    )
    for one in found:
        note_down(one, action, None, now, dict(why[one.pk]))
    return len(found)


def fall(*, case: Case, by: "User", note: str, now: datetime) -> None:
    """Turn down what was proposed with a first decision that a second officer returns."""
    for known in KnownFalsePositive.objects.filter(case=case, state=KnownState.PROPOSED):
        change = {"state": KnownState.REJECTED, "decided_by": by, "decided_at": now}
        turn(known, KnownState.PROPOSED, change)
        note_down(known, KnownAction.REJECTED, by, now, {"note": note.strip()})


def contradict(*, case: Case, said: Decision, by: "User", now: datetime) -> None:
    """End what stands of a case's pairs, as it is decided that its party is the listed one.

    What is in force was two officers' and ends by the officer who found otherwise; a proposal
    that waits expires.
    """
    reason = said.reason(case)
    if reason is None or not reason.is_listed or reason.of_owner:
        return
    keys = [one.key for one in listed(case)]
    found = KnownFalsePositive.objects.filter(same(case), entity__in=keys) if keys else ()
    note = f"Case {case.pk}: the party was found to be the listed one."
    for known in found:
        if known.state == KnownState.IN_FORCE:
            turn(known, KnownState.IN_FORCE, {"state": KnownState.ENDED, **NO_EXTENSION})
            note_down(known, KnownAction.ENDED, by, now, {"note": note, "why": "LISTED"})
        elif known.state == KnownState.PROPOSED:
            turn(known, KnownState.PROPOSED, {"state": KnownState.EXPIRED})
            note_down(known, KnownAction.EXPIRED, by, now, {"note": note, "why": "LISTED"})


def turn(known: KnownFalsePositive, state: KnownState, change: dict[str, Any], **same: Any) -> None:
    """Change one if it still stands so; NotKnown when another officer was faster."""
    found = KnownFalsePositive.objects.filter(pk=known.pk, state=state, **same)
    if not found.update(**change):
        raise NotKnown("It was decided on meanwhile: look again.")


def note_down(
    known: KnownFalsePositive,
    action: KnownAction,
    by: "User | None",
    now: datetime,
    payload: dict[str, Any],
) -> None:
    """Append one record to the ledger."""
    KnownEvent.write(payload=payload, now=now, known=known, action=action, by=by)

"""Settles: a settlement is asked for, checked, priced and let go, held or blocked; or sent again.

One that was held is sent again under its reference, and is then checked by what is known then.
"""

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.core.callers import Caller
from apps.core.pipeline import Answer
from apps.core.prepared import insert_once
from apps.core.problems import Conflict
from apps.settlement import advising, checking, entitling, executing, flow, pricing, reviewing
from apps.settlement.checking import GOES, Made, checks_of
from apps.settlement.entitling import Who
from apps.settlement.flow import Looked
from apps.settlement.models import Settlement
from apps.settlement.models.settlements import LONGEST_REASONING
from apps.settlement.moving import Moved, move, record, times
from apps.settlement.projection import borne, proved
from apps.settlement.result import result
from apps.settlement.rules import lifecycle, words
from apps.settlement.rules.flow import CHECKS, Judgement
from apps.settlement.rules.lifecycle import WAITING, Checks, Turn
from apps.settlement.telling import tell
from apps.settlement.wanted import Wanted

LABEL = "SANDBOX-"


class ReferenceTaken(Conflict):
    """Another settlement of this caller bears the reference: what it asks for differs."""

    code, title = "reference_taken", "Another settlement bears this reference"


class MovedMeanwhile(Conflict):
    """Another call settles under the same reference at this moment."""

    code, title = "settlement_in_progress", "The settlement is being decided"


class _Lost(Exception):
    """Another call made a settlement of this reference in the same moment."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a settlement rests on: the flow, and what a model says of it."""

    looked: Looked
    advice: str


def gather(*, asked: Wanted, now: datetime) -> Gathered:
    """Make the checks of the flow; a model may be waited for where CAUTION holds it."""
    looked = flow.gather(asked=asked.flow, now=now)
    return Gathered(looked, advising.advice(looked=looked, now=now))


def conclude(*, asked: Wanted, gathered: Gathered, caller: Caller, now: datetime) -> Answer:
    """Settle, or say why not; see SettleOut. 201 for a new one, 200 for one that is there."""
    who = entitling.entitled(wanted=asked, caller=caller, now=now)
    row = _earlier(who, asked)
    if row is None:
        try:
            with transaction.atomic():
                return Answer(result(_first(asked, gathered, who, now), now), status=201)
        except _Lost:
            row = _earlier(who, asked)
    if row is None:
        raise MovedMeanwhile("Another call of yours settles at this moment: ask again.")
    try:
        return Answer(result(_again(row, asked, gathered, who, now), now), status=200)
    except Moved:
        raise MovedMeanwhile("Another call of yours settles at this moment: ask again.") from None


def _earlier(who: Who, asked: Wanted) -> Settlement | None:
    return borne(owner=who.owner, reference=asked.reference) if asked.reference else None


def _first(asked: Wanted, gathered: Gathered, who: Who, now: datetime) -> Settlement:
    row = _made(asked, gathered.looked, who, now)
    made = checking.made(row=row, looked=gathered.looked, event="ASKED", now=now)
    checks = _checks(row, made)
    taken = lifecycle.turn("", "ASKED", checks)
    for name, value in _columns(row, taken, made, gathered).items():
        setattr(row, name, value)
    for name, value in times(taken, now).items():
        setattr(row, name, value)
    row.state = taken.next
    if taken.next == "HELD" and row.reference is None:
        row.reference = row.settlement_id  # by which it is sent again
    if taken.next in GOES:
        _goes(row, asked, gathered.looked, who, now)
    if not insert_once(row):
        raise _Lost
    record(row, taken, now=now, facts=_facts(made))
    _follows(row, taken, made, now)
    return row


def _again(
    row: Settlement, asked: Wanted, gathered: Gathered, who: Who, now: datetime
) -> Settlement:
    """Check a settlement that waits once more; one that does not wait is answered as it stands.

    So is one that nothing holds but what held it before: its case stays.
    """
    row = proved(row)
    if row.fingerprint != asked.fingerprint(who.agent_id):
        raise ReferenceTaken(
            f"You settle something else as {asked.reference!r}: what differs needs a reference of "
            "its own."
        )
    looked = gathered.looked
    if row.state not in WAITING:
        return row
    seen = _seen(row, looked)
    if lifecycle.turn(row.state, "RESUBMITTED", seen).next == row.state and not seen.anew:
        return row
    with transaction.atomic():
        case = reviewing.waiting(row)  # locked first, as whoever decides it does
        made = checking.made(row=row, looked=looked, event="RESUBMITTED", now=now)
        checks = _checks(row, made)
        taken = lifecycle.turn(row.state, "RESUBMITTED", checks)
        changes = _columns(row, taken, made, gathered)
        if taken.next in GOES:
            row.amount_usd = looked.facts.amount_usd
            _goes(row, asked, looked, who, now)
            changes |= {"price": row.price, "amount_usd": row.amount_usd}
        move(row, "RESUBMITTED", now=now, checks=checks, facts=_facts(made), **changes)
        reviewing.passed(case, taken, now=now)
        _follows(row, taken, made, now)
    return row


def _made(asked: Wanted, looked: Looked, who: Who, now: datetime) -> Settlement:
    """Return the settlement of a request, not yet stored."""
    order = uuid.uuid4()
    one = asked.flow
    return Settlement(
        settlement_id=f"{LABEL}{secrets.token_hex(32)}" if asked.sandbox else str(order),
        order_id=order,
        owner=who.owner,
        reference=asked.reference or None,
        fingerprint=asked.fingerprint(who.agent_id),
        sandbox=asked.sandbox,
        steps=1,
        amount=one.amount,
        source=one.source,
        destination=one.destination,
        asset=asked.route.asset,
        recipient=one.recipient,
        sender=who.sender,
        amount_usd=looked.facts.amount_usd,
        agent_id=who.agent_id,
        asked_at=now,
    )


def _checks(row: Settlement, made: Made) -> Checks:
    return checks_of(made.judgement, row)


def _seen(row: Settlement, looked: Looked) -> Checks:
    """Return what the flow alone would come to: whether it is worth making the checks."""
    return checks_of(looked.judgement, row)


def _columns(row: Settlement, taken: Turn, made: Made, gathered: Gathered) -> dict[str, Any]:
    """Return the columns that checks bring along."""
    looked, judgement = gathered.looked, made.judgement
    held_for = _held_for(row, judgement) if taken.next == "HELD" else row.held_for
    said = {
        "checks": looked.recorded(judgement),
        "told": looked.shown(judgement),
        "decision": judgement.decision,
        "oracle": dict(looked.oracle),
        "records": dict(made.records),
    }
    return {
        "found": said,
        "held_for": held_for,
        "reasoning": _reasoning(row, held_for, judgement, gathered) if taken.next == "HELD" else "",
    }


def _held_for(row: Settlement, judgement: Judgement) -> list[str]:
    """Return the checks that hold a settlement now, with those that wait for an officer already.

    What the oracle alone held does not: another run of it lets that go.
    """
    waits = set(row.held_for) - {"stability"} if row.state == "HELD" else set()
    return [name for name in CHECKS if name in waits or name in judgement.holding]


def _reasoning(
    row: Settlement, held_for: Sequence[str], judgement: Judgement, gathered: Gathered
) -> str:
    looked = gathered.looked
    score = looked.oracle.get("score")
    said = words.reasoning(
        judgement,
        held_for=held_for,
        sandbox=row.sandbox,
        status=looked.facts.status,
        score=Decimal(score) if score is not None else None,
        usd=looked.facts.amount_usd,
        advice=gathered.advice,
    )
    return said[:LONGEST_REASONING]


def _facts(made: Made) -> dict[str, Any]:
    """Return what the event of checked settlements keeps besides."""
    return {"records": dict(made.records), "turn": made.judgement.rule.code}


def _goes(row: Settlement, asked: Wanted, looked: Looked, who: Who, now: datetime) -> None:
    """Price a settlement that goes, and count it against its agent's mandate."""
    assert looked.converted is not None  # else a check did not run
    screened = looked.found["sanctions"].screen
    lei = screened[0].lei if screened else ""
    entitling.spends(row=row, who=who, lei=lei, esg_score=looked.esg_score, now=now)
    priced = pricing.take(
        amount=row.amount,
        converted=looked.converted,
        route=asked.route,
        owner=row.owner,
        by=f"settlement:{row.settlement_id}"[:100],
        sandbox=row.sandbox,
        now=now,
        quote_id=asked.quote_id,
    )
    deadline = executing.deadline(now).isoformat()
    row.price = dict(priced.said) | {"deadline": deadline}


def _follows(row: Settlement, taken: Turn, made: Made, now: datetime) -> None:
    """Write what follows from a turn: the transfer that is expected, a hold's case, the feed."""
    if taken.expects:
        executing.expect(row, now=now)
    if taken.next == "HELD" and not row.sandbox:
        reviewing.hold(row=row, judgement=made.judgement, cases=made.cases, now=now)
    tell(row, now=now)

"""The checks of a settlement in production, which are recorded: AML screen and combined screen.

What a flow check only looks at is here a payment of an institution: its behaviour is counted, its
records are sealed, and what is flagged or blocked leaves a case or an entry of the SAR log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from apps.access.models import Kind
from apps.access.tenants import apart
from apps.aml.screening import asked as aml_asked
from apps.aml.screening import conclude as aml_conclude
from apps.aml.screening.gather import Gathered, payment_of
from apps.aml.screening.parties import parties
from apps.aml.weighing import in_force
from apps.core.callers import Caller
from apps.core.problems import Unavailable
from apps.review.actions import Opening
from apps.review.actions.opening import Opens
from apps.screening.combined import asked as screen_asked
from apps.screening.combined import conclude as screen_conclude
from apps.screening.combined import gather as screen_gather
from apps.settlement.flow import Looked
from apps.settlement.models import Settlement
from apps.settlement.rules import lifecycle
from apps.settlement.rules.flow import Facts, Judgement, judge
from apps.settlement.rules.lifecycle import Checks
from apps.watchlists import engine as engines

Screen = tuple[screen_asked.Asked, screen_gather.Gathered]
GOES = ("AWAITING_SETTLEMENT", "SETTLED")


@dataclass(frozen=True, slots=True)
class Made:
    """What the checks came to: the facts, their records, and what officers are to look at."""

    facts: Facts
    records: Mapping[str, Any]
    cases: tuple[Opening, ...] = ()

    @property
    def judgement(self) -> Judgement:
        """What follows."""
        return judge(self.facts)


def made(*, row: Settlement, looked: Looked, event: str, now: datetime) -> Made:
    """Make the checks of a settlement; those of a rehearsal are what the flow found.

    `event` is the one that they decide (rules/lifecycle.py): what does not go by it enters no
    profile, and is counted once it goes.

    Call it inside a transaction: the AML screen locks the profiles of both wallets. A check that
    cannot be made did not run, and holds the settlement.
    """
    if row.sandbox:
        return Made(looked.facts, {})
    cases: list[Opening] = []

    def opens(*, opening: Opening, now: datetime) -> None:
        cases.append(opening)

    facts, records = looked.facts, dict[str, Any]()
    screened = looked.found["sanctions"].screen if "sanctions" in looked.found else None
    if screened is not None:
        records["screens"] = [_screened(row, screened, opens, now)]
        facts = replace(facts, screen=records["screens"][0]["decision"])
    try:
        aml = _aml(row, looked, now)
    except Unavailable:
        return Made(replace(facts, ran=facts.ran - {"aml"}), records, tuple(cases))
    said = aml_conclude.conclude(
        asked=aml[0],
        gathered=aml[1],
        caller=Caller(ref=row.owner, kind=Kind.INSTITUTION),
        now=now,
        opens=opens,
        stopped=not _goes(row, event, facts, "PROCEED"),
        holds=not _goes(row, event, facts, "FLAG"),
        named=screened[0].name if screened else row.recipient,
    )
    records["aml"] = {"screenId": str(said["screenId"]), "action": said["action"]}
    facts = replace(facts, ran=facts.ran | {"aml"}, aml=said["action"])
    return Made(facts, records, tuple(cases))


def _screened(row: Settlement, screened: Screen, opens: Opens, now: datetime) -> dict[str, str]:
    """Write the record of the combined screen of who is registered for the wallet."""
    asked, gathered = screened
    said = screen_conclude.conclude(
        asked=replace(asked, reference=row.settlement_id[:36]),
        gathered=gathered,
        caller=Caller(ref=apart(row.owner), kind=Kind.INTERNAL),
        now=now,
        opens=opens,
    )
    return {"screenId": str(said["screenId"]), "decision": said["decision"]}


def _goes(row: Settlement, event: str, facts: Facts, action: str) -> bool:
    """Tell whether a settlement goes by an event, should the AML screen come to an action."""
    judgement = judge(replace(facts, ran=facts.ran | {"aml"}, aml=action))
    return lifecycle.turn(row.state, event, checks_of(judgement, row)).next in GOES


def checks_of(judgement: Judgement, row: Settlement) -> Checks:
    """Return what the table of turns judges by."""
    rows = judgement.rows
    return Checks(
        decision=judgement.decision,
        holding=frozenset(judgement.holding),
        not_run=frozenset(name for name, one in rows.items() if one.outcome == "NOT_RUN"),
        halts=rows["stability"].code == "FLOW-17",
        seen=tuple(row.seen),
        held_for=tuple(row.held_for),
        sandbox=row.sandbox,
    )


def _aml(row: Settlement, looked: Looked, now: datetime) -> tuple[aml_asked.Asked, Gathered]:
    """Return the AML screen of the wallet that pays; no model is asked inside a transaction."""
    asked = aml_asked.Asked(
        wallet=row.sender,
        counterparty=row.recipient,
        amount=row.amount,
        currency=row.source,
        payment_id=row.settlement_id,
        direction="SEND",
    )
    engine = engines.current(now)
    found = parties(engine=engine, wallets=(asked.wallet, asked.counterparty))
    listed = any(one.listed for one in found)
    if looked.converted is None and not listed:
        raise Unavailable("The amount could not be valued.")
    payment = payment_of(asked, looked.converted, now)
    return asked, Gathered(payment, looked.converted, engine, found, in_force(now), None)

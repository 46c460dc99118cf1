"""The case of an agent whose owner officers look at; who rejects it revokes the agent."""

from datetime import datetime

from apps.agents import revoking
from apps.agents.proof import locked
from apps.registry.kinds import (
    COUNTRY,
    HIT,
    REGISTRATION,
    UNCHECKED,
    concerns_ofac,
)
from apps.registry.picture import picture, sanctions_lists
from apps.registry.rules.notes import about
from apps.review.kinds import Kind, Reason, SecondRule, Words

ANY = HIT | UNCHECKED | COUNTRY


def decided(*, ref: str, outcome: str, now: datetime) -> None:
    """Revoke an agent whose case was rejected, with the decision; one that has ended stays so."""
    agent = locked(ref) if outcome == "REJECT" else None
    if agent is not None:
        revoking.revoke(agent=agent, by="review", reason="An officer decided its case.", now=now)


APPROVE = tuple(
    one for one in REGISTRATION.reasons["APPROVE"] if one.code == "OTHER" or one.rules & ANY
)
REJECT = (
    Reason(
        "LISTED_PARTY",
        "The owner is the listed party",
        "FATF R.6",
        HIT,
        about("The listed party, because", HIT),
        is_listed=True,
    ),
    Reason(
        "NOT_IDENTIFIED",
        "The owner could not be identified",
        "FATF R.10",
        ANY,
        about("Asked for and not given", ANY),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)

AGENT = Kind(
    title="Agent's owner under review",
    reasons={"APPROVE": APPROVE, "REJECT": REJECT},
    gravity=(HIT, UNCHECKED, COUNTRY),
    due=REGISTRATION.due,
    paces=REGISTRATION.paces,
    risks=("A partial hit on a sanctions list is HIGH from 60; whatever else is found is MEDIUM.",),
    seconds=(SecondRule("AGENTS-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),),
    words={
        "APPROVE": Words("Let it stand", "Agent stands"),
        "REJECT": Words("Revoke the agent", "Agent revoked"),
    },
    true_matches=("LISTED_PARTY",),
    concerns_ofac=concerns_ofac,
    lists=sanctions_lists,
    picture=picture,
    decided=decided,
    rules={ref: words for ref, words in REGISTRATION.rules.items() if ref in ANY},
)

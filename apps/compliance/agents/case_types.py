"""The case of an agent whose owner officers review; rejecting it revokes the agent."""

from datetime import datetime

from apps.backoffice.review.case_types import CaseType, OutcomeLabels, Reason, SecondRule
from apps.compliance.agents.selectors.integrity_checked_agents import lock_agent
from apps.compliance.agents.services import revocation
from apps.compliance.payees.case_types import COUNTRY, HIT, REGISTRATION, UNCHECKED, concerns_ofac
from apps.compliance.payees.evidence_view import build_evidence_view, sanctions_lists
from apps.compliance.payees.rules.notes import build_reason_template

ANY = HIT | UNCHECKED | COUNTRY


def apply_agent_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Revoke an agent whose case was rejected, with the decision; a revoked one stays revoked."""
    # None for an owner that was refused: no agent was made
    agent = lock_agent(ref) if outcome == "REJECT" else None
    if agent is not None:
        revocation.revoke_agent(
            agent=agent, by="review", reason="An officer decided its case.", now=now
        )


# the reasons of registrations, as far as their rules can hold of an owner without a wallet
APPROVE = tuple(
    reason
    for reason in REGISTRATION.reasons["APPROVE"]
    if reason.code == "OTHER" or reason.rules & ANY
)
REJECT = (
    Reason(
        "LISTED_PARTY",
        "The owner is the listed party",
        "FATF R.6",
        HIT,
        build_reason_template("The listed party, because", HIT),
        is_listed=True,
    ),
    Reason(
        "NOT_IDENTIFIED",
        "The owner could not be identified",
        "FATF R.10",
        ANY,
        build_reason_template("Requested and not provided", ANY),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)

AGENT = CaseType(
    title="Agent's owner under review",
    reasons={"APPROVE": APPROVE, "REJECT": REJECT},
    gravity=(HIT, UNCHECKED, COUNTRY),
    due=REGISTRATION.due,
    paces=REGISTRATION.paces,
    risks=("A partial hit on a sanctions list is HIGH from 60; any other finding is MEDIUM.",),
    seconds=(SecondRule("AGENTS-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),),
    words={
        "APPROVE": OutcomeLabels("Keep agent", "Agent kept"),
        "REJECT": OutcomeLabels("Revoke agent", "Agent revoked"),
    },
    true_matches=("LISTED_PARTY",),
    concerns_ofac=concerns_ofac,
    lists=sanctions_lists,
    picture=build_evidence_view,
    decided=apply_agent_decision,
    rules={ref: words for ref, words in REGISTRATION.rules.items() if ref in ANY},
)

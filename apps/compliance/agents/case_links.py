"""The pages of an agent and of the case of its owner, each as the other leads to it."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.review.case_pages import CaseRecord
from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdicts
from apps.backoffice.sar.record_types import RecordType
from apps.compliance.agents.models import Agent
from apps.compliance.agents.owner_screening import KIND

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def find_owner_case(ref: str, user: "User") -> tuple[str, str, str] | None:
    """Return title, address and standing of the case of an agent's owner, for who may see cases."""
    if not user.has_perm("review.view_case"):
        return None
    case = Case.objects.filter(kind=KIND, ref=ref).values_list("pk", flat=True).first()
    if case is None:
        return None
    verdict = load_verdicts([case]).get(case, Verdict())
    address = reverse("admin:review_case_change", args=[case])
    return f"Case {case}", address, verdict.done or "not decided yet"


def find_screened_at(ref: str) -> datetime | None:
    """Return when the owner of an agent was screened; None for one that was refused."""
    agent = Agent.objects.filter(agent_id=ref).first()
    return agent.registered_at if agent else None


RECORD = CaseRecord(
    kind=KIND,
    model=Agent,
    name="agent",
    find=lambda ref: Agent.objects.filter(agent_id=ref).first(),
    outcome=lambda agent: ("Agent", "Revoked" if agent.revoked else "Active"),
)
# an agent that was refused has no page: it was never made
list_related_pages = RECORD.list_pages
find_record_page = RECORD.find_page


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words what became of an agent and of its case."""
    if not Agent.objects.filter(agent_id=ref).exists():
        return [("Answered", "The agent was refused without a stated reason")]
    return RECORD.describe_outcome(ref, user)


SAR_RECORDS = {
    "agent": RecordType(
        title="Agent",
        pages=list_related_pages,
        outcome=describe_case_outcome,
        screened_at=find_screened_at,
    ),
}

"""The pages of an agent and of the case of its owner, each as the other leads to it."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.verdicts import Verdict, load_verdicts
from apps.compliance.agents.models import Agent
from apps.compliance.agents.screening import KIND

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def list_related_pages(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that somebody may open; two queries.

    An agent that was refused has none: it was never made.
    """
    found = []
    agent = Agent.objects.filter(agent_id=ref).first()
    if agent is not None and user.has_perm("agents.view_agent"):
        found.append(("The agent", reverse("admin:agents_agent_change", args=[agent.pk])))
    if user.has_perm("review.view_case") and (case := _find_case_id(ref)):
        found.append((f"Case {case}", reverse("admin:review_case_change", args=[case])))
    return found


def find_owner_case(ref: str, user: "User") -> tuple[str, str, str] | None:
    """Return title, address and standing of the case of an agent's owner, for who may see cases."""
    case = _find_case_id(ref) if user.has_perm("review.view_case") else None
    if case is None:
        return None
    verdict = load_verdicts([case]).get(case, Verdict())
    address = reverse("admin:review_case_change", args=[case])
    return f"Case {case}", address, verdict.done or "not decided yet"


def find_record_page(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the agent that a case is about, for who may see agents."""
    if not user.has_perm("agents.view_agent"):
        return None
    pk = Agent.objects.filter(agent_id=ref).values_list("pk", flat=True).first()
    return ("Its agent", reverse("admin:agents_agent_change", args=[pk])) if pk else None


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words what became of an agent and of its case; four queries."""
    agent = Agent.objects.filter(agent_id=ref).first()
    if agent is None:
        return [("Answered", "The agent was refused; nothing was said of why")]
    found = []
    if user.has_perm("agents.view_agent"):
        found.append(("Agent", "Revoked" if agent.revoked else "Active"))
    if user.has_perm("review.view_case") and (case := _find_case_id(ref)):
        verdict = load_verdicts([case]).get(case, Verdict())
        found.append((f"Case {case}", verdict.done or "Not decided yet"))
    return found


def find_screened_at(ref: str) -> datetime | None:
    """Return when the owner of an agent was screened; None for one that was refused."""
    agent = Agent.objects.filter(agent_id=ref).first()
    return agent.registered_at if agent else None


def _find_case_id(ref: str) -> int | None:
    return Case.objects.filter(kind=KIND, ref=ref).values_list("pk", flat=True).first()

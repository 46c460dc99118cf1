"""The pages that stand behind an entry of the SAR log: the AML screen, and its case."""

import uuid
from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.verdicts import Verdict, load_verdicts
from apps.compliance.aml.models import AmlScreen
from apps.compliance.aml.models.screens import KIND

if TYPE_CHECKING:
    from django.contrib.auth.models import User

ANSWERS = {"PROCEED": "Proceed", "FLAG": "Flagged, a person is needed", "BLOCK": "Blocked"}


def list_related_pages(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that somebody may open; two queries."""
    found = []
    screen = _find_screen(ref)
    if screen is not None and user.has_perm("aml.view_amlscreen"):
        page = reverse("admin:aml_amlscreen_change", args=[screen.pk])
        found.append(("The AML screen", page))
    if user.has_perm("review.view_case") and (case := _find_case_id(ref)):
        found.append((f"Case {case}", reverse("admin:review_case_change", args=[case])))
    return found


def find_record_page(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the screen that a case is about, for who may see AML screens."""
    screen = _find_screen(ref) if user.has_perm("aml.view_amlscreen") else None
    if screen is None:
        return None
    return "Its AML screen", reverse("admin:aml_amlscreen_change", args=[screen.pk])


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words what a screen answered and what became of its case; four queries."""
    found = []
    screen = _find_screen(ref)
    if screen is not None and user.has_perm("aml.view_amlscreen"):
        found.append(("Answered", f"{ANSWERS[screen.action]}, risk {screen.risk_score} of 100"))
    if user.has_perm("review.view_case") and (case := _find_case_id(ref)):
        verdict = load_verdicts([case]).get(case, Verdict())
        found.append((f"Case {case}", verdict.done or "Not decided yet"))
    return found


def find_screened_at(ref: str) -> datetime | None:
    """Return when a payment was screened, by its record; None where none is."""
    screen = _find_screen(ref)
    return screen.recorded_at if screen else None


def _find_screen(ref: str) -> AmlScreen | None:
    try:
        return AmlScreen.objects.filter(screen_id=uuid.UUID(ref)).first()
    except ValueError:
        return None


def _find_case_id(ref: str) -> int | None:
    return Case.objects.filter(kind=KIND, ref=ref).values_list("pk", flat=True).first()

"""How grave cases are and how soon they are due: the tables of all kinds, for senior officers."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path

from apps.desk.pages import ReadOnly
from apps.review import kinds
from apps.review.models import Risk, Triage

ELSE = "Whatever brought it here"


@admin.register(Triage)
class TriageAdmin(ReadOnly):
    """Due times by kind, rule and risk."""

    def get_urls(self) -> list[Any]:
        return [path("", self.page_view(self.changelist_view), name="review_triage_changelist")]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the tables as they are applied to cases that open now."""
        if not request.user.has_perm("review.view_triage"):
            raise PermissionDenied
        shown = {
            "title": "Due times",
            "risks": [Risk(name).label for name in reversed(Risk.values)],
            "kinds": [(kind, _rows(kind)) for kind in kinds.known().values()],
        }
        return self.draw(request, "review/triage.html", shown)


def _rows(kind: kinds.Kind) -> list[tuple[str, list[tuple[str, int | None]]]]:
    """Return what brings cases here, each with its risks and their hours, the gravest first.

    None stands for a risk that such a case never has.
    """
    every = [(pace.title, pace.due, pace.never) for pace in kind.paces]
    return [
        (title, [(Risk(one).label, _hours(due, one, never)) for one in reversed(Risk.values)])
        for title, due, never in (*every, (ELSE, kind.due, frozenset[str]()))
    ]


def _hours(due: Mapping[str, timedelta], risk: str, never: frozenset[str]) -> int | None:
    return None if risk in never else due[risk] // timedelta(hours=1)

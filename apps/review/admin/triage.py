"""How grave cases are and how soon they are due: the tables of all kinds, for senior officers."""

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


def _rows(kind: kinds.Kind) -> list[tuple[str, list[int]]]:
    """Return what brings cases here, with the hours by risk, the gravest first."""
    every = [*((pace.title, pace.due) for pace in kind.paces), (ELSE, kind.due)]
    return [
        (title, [due[risk] // timedelta(hours=1) for risk in reversed(Risk.values)])
        for title, due in every
    ]

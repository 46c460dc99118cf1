"""Severity and due times of cases: the tables of all kinds, for senior officers."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path

from apps.backoffice.review import case_types
from apps.backoffice.review.models import Risk, Triage
from apps.platform.desk.base_admin import ReadOnlyAdmin

ELSE = "Any rule"


@admin.register(Triage)
class TriageAdmin(ReadOnlyAdmin):
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
            "kinds": [
                (kind, _build_due_rows(kind)) for kind in case_types.load_case_types().values()
            ],
        }
        return self.draw(request, "review/triage.html", shown)


def _build_due_rows(kind: case_types.CaseType) -> list[tuple[str, list[tuple[str, int | None]]]]:
    """Return what brings cases here, each with its risks and their hours, the most severe first.

    None marks a risk that such a case never has.
    """
    pace_rows = [(pace.title, pace.due, pace.never) for pace in kind.paces]
    return [
        (
            title,
            [
                (Risk(value).label, None if value in never else due[value] // timedelta(hours=1))
                for value in reversed(Risk.values)
            ],
        )
        for title, due, never in (*pace_rows, (ELSE, kind.due, frozenset[str]()))
    ]

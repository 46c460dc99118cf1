"""Known false positives: the register, and one with its history and its steps."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse

from apps.access.keys import tenant_names
from apps.backoffice.review.admin.case_actions import get_officer
from apps.backoffice.review.models import KnownFalsePositive
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_transitions import (
    KnownFalsePositiveConflict,
)
from apps.backoffice.review.views import known_false_positive_register
from apps.backoffice.review.views.case_known_false_positives import parse_last_day
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin
from apps.platform.desk.view_guards import post_only_step, require_permission

Step = Callable[[KnownFalsePositive, HttpRequest, datetime], str]


def _decide_step(known: KnownFalsePositive, request: HttpRequest, moment: datetime) -> str:
    """Approve or reject what the page showed: the proposal, or an extension of it."""
    proposed = request.POST.get("asked", "")
    # the form says what its page showed: a proposal, or an extension up to a day
    if proposed != (known.extend_to.isoformat() if known.extend_to else ""):
        raise KnownFalsePositiveConflict("This has been decided in the meantime. Review it again.")
    approves = request.POST.get("decision") == "approve"
    if request.POST.get("decision") == "approve-all" and not proposed:
        note = request.POST.get("note", "")
        count = known_false_positive_decisions.approve_known_of_decision(
            known=known, by=get_officer(request), note=note, now=moment
        )
        return f"in force, as are all {count} from the same decision."
    steps = {
        (False, True): (known_false_positive_decisions.approve_known, "in force."),
        (False, False): (known_false_positive_decisions.reject_known, "rejected."),
        (True, True): (known_false_positive_decisions.grant_known_extension, "extended."),
        (True, False): (known_false_positive_decisions.reject_known_extension, "not extended."),
    }
    step, message = steps[bool(proposed), approves]
    step(known=known, by=get_officer(request), note=request.POST.get("note", ""), now=moment)
    return message


def _end_step(known: KnownFalsePositive, request: HttpRequest, moment: datetime) -> str:
    note = request.POST.get("note", "")
    known_false_positive_decisions.end_known(
        known=known, by=get_officer(request), note=note, now=moment
    )
    return "ended."


def _request_extension_step(
    known: KnownFalsePositive, request: HttpRequest, moment: datetime
) -> str:
    until, note = parse_last_day(request.POST.get("until", "")), request.POST.get("note", "")
    known_false_positive_decisions.request_known_extension(
        known=known, by=get_officer(request), until=until, note=note, now=moment
    )
    return "extension requested. Another officer must approve it."


STEPS: dict[str, tuple[Step, str]] = {
    "decide": (_decide_step, known_false_positive_decisions.CONFIRMS),
    "end": (_end_step, "review.decide_case"),
    "extend": (_request_extension_step, "review.decide_case"),
}


@admin.register(KnownFalsePositive)
class KnownFalsePositiveAdmin(RecordListAdmin):
    """What is known to be no match; every button is one action."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=entity",)
    list_title = "Known false positives"
    list_template = "review/known_list.html"
    list_query = known_false_positive_register.RegisterQuery
    record_template = "review/known.html"

    def get_urls(self) -> list[Any]:
        """Give the register, the page of one and its steps; no others."""
        step = self.admin_site.admin_view(post_only_step(self.step))
        name = "review_knownfalsepositive"
        steps = [
            path(f"<id:pk>/{step_name}/", step, {"name": step_name}, name=f"{name}_{step_name}")
            for step_name in STEPS
        ]
        return [*super().get_urls(), *steps]

    def get_queryset(self, request: HttpRequest) -> QuerySet[KnownFalsePositive]:
        queryset = (
            super()
            .get_queryset(request)
            .select_related(*known_false_positive_register.PEOPLE, "case")
        )
        return queryset.defer("case__evidence", "case__rules")

    def build_page(
        self, query: known_false_positive_register.RegisterQuery, user: User
    ) -> ListPage:
        return known_false_positive_register.build_register_page(query, now())

    def list_filters(
        self, query: known_false_positive_register.RegisterQuery
    ) -> list[ChoiceFilter]:
        return [
            ("stands", "Any state", known_false_positive_register.REGISTER_STATES, query.stands),
            ("owner", "All clients", tenant_names.list_tenant_choices(query.owner), query.owner),
        ]

    def step(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Do one step; a refusal shows the page again with what was typed."""
        act, needs = STEPS[name]
        require_permission(request, needs)
        record = self.get_record(request, pk)
        try:
            message = act(record, request, now())
        except DomainError as error:
            return self.draw_record(request, self.get_record(request, pk), error, name)
        messages.success(request, f"{record}: {message}", extra_tags=f"stored-known-{pk}-{name}")
        return HttpResponseRedirect(reverse("admin:review_knownfalsepositive_change", args=[pk]))

    def draw_record(
        self,
        request: HttpRequest,
        record: KnownFalsePositive,
        error: DomainError | None = None,
        name: str = "",
    ) -> HttpResponse:
        user = get_officer(request)
        shown = known_false_positive_register.build_known_context(record, user=user, now=now()) | {
            "title": str(record),
            "error": error,
            "refused": name,
            "typed": request.POST if error else {},
        }
        return self.draw(request, self.record_template, shown, error.status if error else 200)

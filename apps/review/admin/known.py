"""Known false positives: the register, and one with its history and its steps."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse

from apps.access import tenants
from apps.core.clock import now
from apps.core.problems import DomainError
from apps.desk.guard import posted
from apps.desk.pages import ReadOnly
from apps.review.actions import known_steps
from apps.review.actions.knowing import NotKnown
from apps.review.admin.steps import officer
from apps.review.models import KnownFalsePositive
from apps.review.pages import register
from apps.review.pages.known import day

Step = Callable[[KnownFalsePositive, HttpRequest, datetime], str]


def _decide(known: KnownFalsePositive, request: HttpRequest, moment: datetime) -> str:
    """Approve or reject what the page showed: the proposal, or an extension of it."""
    asked = request.POST.get("asked", "")
    if asked != (known.extend_to.isoformat() if known.extend_to else ""):
        raise NotKnown("It was decided on meanwhile: look again.")
    approves = request.POST.get("decision") == "approve"
    steps = {
        (False, True): (known_steps.approve, "in force."),
        (False, False): (known_steps.reject, "rejected."),
        (True, True): (known_steps.extend, "extended."),
        (True, False): (known_steps.keep, "not extended."),
    }
    step, told = steps[bool(asked), approves]
    step(known=known, by=officer(request), note=request.POST.get("note", ""), now=moment)
    return told


def _end(known: KnownFalsePositive, request: HttpRequest, moment: datetime) -> str:
    note = request.POST.get("note", "")
    known_steps.end(known=known, by=officer(request), note=note, now=moment)
    return "ended."


def _extend(known: KnownFalsePositive, request: HttpRequest, moment: datetime) -> str:
    until, note = day(request.POST.get("until", "")), request.POST.get("note", "")
    known_steps.ask_extension(known=known, by=officer(request), until=until, note=note, now=moment)
    return "another officer decides whether it holds longer."


STEPS: dict[str, tuple[Step, str]] = {
    "decide": (_decide, known_steps.CONFIRMS),
    "end": (_end, "review.decide_case"),
    "extend": (_extend, "review.decide_case"),
}


@admin.register(KnownFalsePositive)
class KnownAdmin(ReadOnly):
    """What is known to be no match; every button is one action."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=entity",)

    def get_urls(self) -> list[Any]:
        """Give the register, the page of one and its steps; no others."""
        wrap, name = self.admin_site.admin_view, "review_knownfalsepositive"
        return [
            path("", self.page_view(self.changelist_view), name=f"{name}_changelist"),
            path("<id:object_id>/", self.page_view(self.change_view), name=f"{name}_change"),
            *(
                path(
                    f"<id:pk>/{step}/",
                    wrap(posted(self.step)),
                    {"name": step},
                    name=f"{name}_{step}",
                )
                for step in STEPS
            ),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show those that the address asks for, fifty at a time."""
        self._require(request, "review.view_knownfalsepositive")
        asked = register.Asked.read(request.GET)
        found = register.page(asked, now())
        shown = {
            "title": "Known false positives",
            "asked": asked,
            "page": found,
            "choices": [
                ("stands", "Any state", register.STANDS, asked.stands),
                ("owner", "All clients", tenants.choices(asked.owner), asked.owner),
            ],
            **asked.turns(found.following),
        }
        return self.draw(request, "review/known_list.html", shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one."""
        self._require(request, "review.view_knownfalsepositive")
        return self._one(request, int(object_id))

    def step(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Do one step; a refusal shows the page again with what was typed."""
        act, needs = STEPS[name]
        self._require(request, needs)
        known = self._found(pk)
        try:
            told = act(known, request, now())
        except DomainError as error:
            return self._one(request, pk, error=error, name=name)
        messages.success(request, f"{known}: {told}", extra_tags=f"stored-known-{pk}-{name}")
        return HttpResponseRedirect(reverse("admin:review_knownfalsepositive_change", args=[pk]))

    def _one(
        self, request: HttpRequest, pk: int, error: DomainError | None = None, name: str = ""
    ) -> HttpResponse:
        known = self._found(pk)
        shown = register.one(known, user=officer(request), now=now()) | {
            "title": str(known),
            "error": error,
            "refused": name,
            "typed": request.POST if error else {},
        }
        return self.draw(request, "review/known.html", shown, error.status if error else 200)

    def _found(self, pk: int) -> KnownFalsePositive:
        known = KnownFalsePositive.objects.select_related(*register.PEOPLE, "case")
        found = known.defer("case__evidence", "case__rules").filter(pk=pk).first()
        if found is None:
            raise Http404
        return found

    def _require(self, request: HttpRequest, permission: str) -> None:
        if not request.user.has_perm(permission):
            raise PermissionDenied

"""The queue and the case page. Nothing is edited here: every button is one action."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.views.decorators.http import require_POST

from apps.core.clock import now
from apps.core.desk import ReadOnly
from apps.core.problems import DomainError
from apps.review import actions, page, queue
from apps.review.models import Case, DecisionEvent, Risk, Status
from config.review import KINDS

Done = tuple[str, bool]  # what to tell the officer, and whether to go on to the next case


@admin.register(Case)
class CaseAdmin(ReadOnly):
    def get_urls(self) -> list[Any]:
        """Give the queue, the case page and one address for each step; no others."""
        wrap = self.admin_site.admin_view
        steps = [
            path(
                f"<int:pk>/{name}/",
                wrap(require_POST(self.step)),
                {"name": name},
                name=f"review_case_{name}",
            )
            for name in STEPS
        ]
        return [
            path("", wrap(self.changelist_view), name="review_case_changelist"),
            path("next/", wrap(require_POST(self.take_next)), name="review_case_next"),
            path("<int:object_id>/", wrap(self.change_view), name="review_case_change"),
            *steps,
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the queue."""
        self._check(request)
        moment = now()
        views = queue.views_of(_officer(request))
        asked = queue.Asked.read(request.GET, views)
        rows, following = queue.page(user=_officer(request), asked=asked, now=moment)
        counted = queue.counts(_officer(request), moment)
        shown = {
            "title": "Review queue",
            "views": [
                (view, asked.address(view=view.slug), counted.get(view.slug)) for view in views
            ],
            "asked": asked,
            "rows": rows,
            "next_page": asked.address(after=following) if following else "",
            "first_page": asked.address() if asked.after else "",
            "kinds": [(name, kind.title) for name, kind in KINDS.items()],
            "risks": Risk.choices,
            "works": request.user.has_perm("review.claim_case"),
            "now": moment,
        }
        return self._render(request, "desk/queue.html", shown)

    def change_view(
        self,
        request: HttpRequest,
        object_id: Any,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponse:
        """Show one case."""
        self._check(request)
        return self._case(request, int(object_id))

    def take_next(self, request: HttpRequest) -> HttpResponse:
        """Claim what is due first and show it."""
        self._check(request, "review.claim_case")
        case = actions.take_next(by=_officer(request), now=now())
        if case is None:
            messages.info(request, "No case waits that you could take.")
            return HttpResponseRedirect(reverse("admin:review_case_changelist"))
        return _to(case)

    def step(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Do one step; a refusal shows the page again with what was typed."""
        self._check(request)
        case = get_object_or_404(Case, pk=pk)
        try:
            told, onward = STEPS[name](case, request)
        except DomainError as error:
            return self._case(request, pk, error=error)
        messages.success(request, told)
        if not onward:
            return _to(case)
        following = Case.objects.open_to(_officer(request), now()).first()
        if following is None:
            messages.info(request, "That was the last case that you could take.")
            return HttpResponseRedirect(reverse("admin:review_case_changelist"))
        return _to(following)

    def _check(self, request: HttpRequest, permission: str = "review.view_case") -> None:
        if not request.user.has_perm(permission):
            raise PermissionDenied

    def _case(
        self, request: HttpRequest, pk: int, error: DomainError | None = None
    ) -> HttpResponse:
        case = (
            Case.objects.select_related("claimed_by", "first_by", "second_by").filter(pk=pk).first()
        )
        if case is None:
            raise Http404
        shown = page.context(case=case, user=_officer(request), now=now())
        typed = request.POST if error else {}
        return self._render(
            request,
            "desk/case.html",
            shown | {"title": str(case), "error": error, "typed": typed},
            status=error.status if error else 200,
        )

    def _render(
        self, request: HttpRequest, template: str, shown: dict[str, Any], status: int = 200
    ) -> HttpResponse:
        context = self.admin_site.each_context(request) | {"opts": self.opts} | shown
        return render(request, template, context, status=status)


def _officer(request: HttpRequest) -> User:
    """Return who asks: the site lets nobody in who is not signed in."""
    return cast(User, request.user)


def _to(case: Case) -> HttpResponse:
    return HttpResponseRedirect(reverse("admin:review_case_change", args=[case.pk]))


def _claim(case: Case, request: HttpRequest) -> Done:
    held = actions.claim(case=case, by=_officer(request), now=now())
    return f"You hold this case until {held.claimed_until:%H:%M} UTC.", False


def _release(case: Case, request: HttpRequest) -> Done:
    actions.release(case=case, by=_officer(request), now=now())
    return "The case is back in the queue.", False


def _decide(case: Case, request: HttpRequest) -> Done:
    outcome = request.POST.get("outcome", "")
    decided = actions.decide(
        case=case,
        by=_officer(request),
        outcome=outcome,
        reason_code=request.POST.get(f"reason_{outcome}", ""),
        note=request.POST.get("note", ""),
        now=now(),
    )
    if decided.status == Status.AWAITING_SECOND:
        return f"{decided}: recorded, and waits for a second officer.", True
    return f"{decided}: {decided.get_outcome_display().lower()}.", True


def _confirm(case: Case, request: HttpRequest) -> Done:
    if request.POST.get("proposed", "") != case.first_outcome:
        raise actions.NotAwaiting("The first decision changed while you read; look again.")
    decided = actions.confirm(
        case=case,
        by=_officer(request),
        reason_code=request.POST.get("reason", ""),
        note=request.POST.get("note", ""),
        now=now(),
    )
    return f"{decided}: {decided.get_outcome_display().lower()}, confirmed.", True


def _send_back(case: Case, request: HttpRequest) -> Done:
    actions.send_back(case=case, by=_officer(request), note=request.POST.get("note", ""), now=now())
    return f"{case}: returned to the queue.", True


STEPS: dict[str, Callable[[Case, HttpRequest], Done]] = {
    "claim": _claim,
    "release": _release,
    "decide": _decide,
    "confirm": _confirm,
    "return": _send_back,
}


@admin.register(DecisionEvent)
class DecisionEventAdmin(ReadOnly):
    """The ledger of decisions, for examiners."""

    list_display = ("recorded_at", "case", "action", "outcome", "by")
    fields = ("recorded_at", "case", "action", "outcome", "by", "payload", "salt")
    list_filter = ("action", "outcome")
    list_select_related = ("case", "by")
    ordering = ("-pk",)
    show_full_result_count = False

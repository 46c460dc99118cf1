"""Pages for several cases at once (feature 24)."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse

from apps.access import tenants
from apps.core.clock import now
from apps.core.problems import DomainError
from apps.desk.guard import posted
from apps.desk.rules import SHORTEST_NOTE
from apps.review import actions, kinds
from apps.review.admin.steps import chosen_officer, officer
from apps.review.models import BulkClear, Case, Status
from apps.review.pages import queue
from apps.review.pages.evidence import picture
from apps.review.rules.together import MOST

PEOPLE = ("claimed_by", "first_by", "assigned_to")


class SeveralCases:
    """The part of the case admin that works on several cases."""

    admin_site: Any
    page_view: Callable[..., Any]
    require: Callable[..., None]
    draw: Callable[..., HttpResponse]

    def several_urls(self) -> list[Any]:
        """Return the addresses."""
        wrap = self.admin_site.admin_view
        steps = {"confirm": self.bulk_confirm, "return": self.bulk_return}
        return [
            path("bulk/", wrap(posted(self.bulk)), name="review_case_bulk"),
            path("bulk/clear/", wrap(posted(self.bulk_clear)), name="review_bulk_clear"),
            path("bulk/<id:pk>/", self.page_view(self.bulk_page), name="review_bulk"),
            *(
                path(f"bulk/<id:pk>/{name}/", wrap(posted(step)), name=f"review_bulk_{name}")
                for name, step in steps.items()
            ),
        ]

    def bulk(self, request: HttpRequest) -> HttpResponse:
        """Claim or assign the chosen cases, or show them for clearing together."""
        self.require(request)
        cases, wanted = _chosen(request), request.POST.get("do", "")
        back = HttpResponseRedirect(reverse("admin:review_case_changelist"))
        try:
            if not cases:
                raise actions.NotTogether("Choose at least one case.")
            if wanted == "clear":
                self.require(request, "review.decide_case")
                return self._clearing(request, cases)
            refused = self._routed(request, wanted, cases)
        except DomainError as error:
            messages.error(request, error.detail)
            return back
        for case, why in refused:
            messages.warning(request, f"{case}: {why}")
        done = len(cases) - len(refused)
        verb = "assigned" if wanted == "assign" else "claimed"
        messages.success(request, f"{done} case{'' if done == 1 else 's'} {verb}.")
        return back

    def _routed(
        self, request: HttpRequest, wanted: str, cases: list[Case]
    ) -> list[tuple[Case, str]]:
        if wanted == "claim":
            self.require(request, "review.claim_case")
            return actions.claim_many(cases=cases, by=officer(request), now=now())
        self.require(request, "review.assign_case")
        to = chosen_officer(request)
        return actions.assign_many(cases=cases, to=to, by=officer(request), now=now())

    def bulk_clear(self, request: HttpRequest) -> HttpResponse:
        """Propose to clear the chosen cases together."""
        self.require(request, "review.decide_case")
        cases = _chosen(request)
        try:
            bulk = actions.propose_clear(
                cases=cases,
                by=officer(request),
                reason_code=request.POST.get("reason", ""),
                note=request.POST.get("note", ""),
                now=now(),
            )
        except DomainError as error:
            return self._clearing(request, cases, error)
        messages.success(request, f"{len(cases)} cases wait for a second officer.")
        return HttpResponseRedirect(reverse("admin:review_bulk", args=[bulk.pk]))

    def bulk_page(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a proposal to clear cases together."""
        self.require(request)
        return self._bulk(request, get_object_or_404(BulkClear, pk=pk))

    def bulk_confirm(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Confirm what waits of a proposal."""
        self.require(request, "review.approve_second")
        return self._settled(request, pk, actions.confirm_clear, "closed", reason=True)

    def bulk_return(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return what waits of a proposal to the queue."""
        self.require(request, "review.approve_second")
        return self._settled(request, pk, actions.return_clear, "returned to the queue")

    def _settled(
        self,
        request: HttpRequest,
        pk: int,
        action: Callable[..., int],
        words: str,
        reason: bool = False,
    ) -> HttpResponse:
        bulk = get_object_or_404(BulkClear, pk=pk)
        given = {"reason_code": request.POST.get("reason", "")} if reason else {}
        try:
            done = action(
                bulk=bulk,
                seen=_numbers(request),
                by=officer(request),
                note=request.POST.get("note", ""),
                now=now(),
                **given,
            )
        except DomainError as error:
            return self._bulk(request, bulk, error)
        messages.success(request, f"{done} cases {words}.")
        return HttpResponseRedirect(reverse("admin:review_case_changelist"))

    def _clearing(
        self, request: HttpRequest, cases: list[Case], error: DomainError | None = None
    ) -> HttpResponse:
        fault = actions.clear_fault(cases)
        shown = {
            "title": "Clear together",
            "fault": fault if not error else "",
            "proposing": True,
            "may": not fault,
        }
        return self._together(request, cases, shown, error)

    def _bulk(
        self, request: HttpRequest, bulk: BulkClear, error: DomainError | None = None
    ) -> HttpResponse:
        cases = list(_rows().filter(bulk=bulk))
        waiting = [case for case in cases if case.status == Status.AWAITING_SECOND]
        user = officer(request)
        shown = {
            "title": str(bulk),
            "bulk": bulk,
            "waiting": len(waiting),
            "may": waiting
            and user.has_perm("review.approve_second")
            and bulk.proposed_by_id != user.pk,
        }
        return self._together(request, cases, shown, error)

    def _together(
        self,
        request: HttpRequest,
        cases: list[Case],
        shown: dict[str, Any],
        error: DomainError | None,
    ) -> HttpResponse:
        names = tenants.names({case.owner for case in cases})
        moment = now()
        common = {
            "rows": queue.rows(cases, names, moment),
            "match": _match(cases),
            "reasons": kinds.named(cases[0].kind).shared(cases[0].refs) if cases else (),
            "cap": actions.most_together(cases),
            "shortest_note": SHORTEST_NOTE,
            "error": error,
            "typed": request.POST if error else {},
        }
        status = error.status if error else 200
        return self.draw(request, "review/together.html", common | shown, status)


def _rows() -> QuerySet[Case]:
    return Case.objects.select_related(*PEOPLE).order_by("pk")


def _numbers(request: HttpRequest) -> list[int]:
    given = request.POST.getlist("case")[: 4 * MOST]
    return [int(text) for text in given if text.isascii() and text.isdigit() and len(text) < 19]


def _chosen(request: HttpRequest) -> list[Case]:
    return list(_rows().filter(pk__in=_numbers(request)))


def _match(cases: list[Case]) -> list[dict[str, Any]]:
    """Return the listed parties that the cases share, as the first one draws them."""
    return picture(cases[0])["matches"] if cases else []

"""Pages for several cases at once (feature 24)."""

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse

from apps.access.keys import tenant_names
from apps.backoffice.review import services
from apps.backoffice.review.admin.case_actions import get_chosen_officer, get_officer
from apps.backoffice.review.models import BulkClear, Case, Status
from apps.backoffice.review.rules.bulk_and_merge import MOST
from apps.backoffice.review.selectors.known_false_positives import load_known_of_cases
from apps.backoffice.review.selectors.prior_decisions import load_prior_decisions_of_cases
from apps.backoffice.review.selectors.recorded_decisions import format_recorded_reason
from apps.backoffice.review.step_up import get_step_proof
from apps.backoffice.review.views import approvals, queue_page
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk.note_validation import SHORTEST_NOTE
from apps.platform.desk.view_guards import post_only_step, require_permission

PEOPLE = ("claimed_by", "first_by", "assigned_to")


class BulkCasesMixin:
    """The part of the case admin that works on several cases."""

    admin_site: Any
    page_view: Callable[..., Any]
    require: Callable[..., None]
    draw: Callable[..., HttpResponse]
    shows: Callable[..., None]

    def several_urls(self) -> list[Any]:
        """Return the addresses."""
        wrap = self.admin_site.admin_view
        steps = {"confirm": self.bulk_confirm, "return": self.bulk_return}
        return [
            path("bulk/", wrap(post_only_step(self.bulk)), name="review_case_bulk"),
            path("bulk/clear/", wrap(self.bulk_clear), name="review_bulk_clear"),
            path("bulk/<id:pk>/", self.page_view(self.bulk_page), name="review_bulk"),
            *(
                path(
                    f"bulk/<id:pk>/{name}/", wrap(post_only_step(step)), name=f"review_bulk_{name}"
                )
                for name, step in steps.items()
            ),
        ]

    def bulk(self, request: HttpRequest) -> HttpResponse:
        """Claim or assign the chosen cases, or show them for clearing together."""
        require_permission(request, "review.view_case")
        cases, action = _load_chosen_cases(request), request.POST.get("do", "")
        back = HttpResponseRedirect(reverse("admin:review_case_changelist"))
        try:
            if not cases:
                raise services.BulkNotPossible("Choose at least one case.")
            if action == "clear":
                require_permission(request, "review.decide_case")
                # an address that holds the choice: a reload and a new sign-in return to it
                chosen = urlencode({"case": [case.pk for case in cases]}, doseq=True)
                return HttpResponseRedirect(f"{reverse('admin:review_bulk_clear')}?{chosen}")
            if action == "claim":
                require_permission(request, "review.claim_case")
                refused = services.claim_cases(cases=cases, by=get_officer(request), now=now())
            else:
                require_permission(request, "review.assign_case")
                to = get_chosen_officer(request)
                refused = services.assign_cases(
                    cases=cases, to=to, by=get_officer(request), now=now()
                )
        except DomainError as error:
            messages.error(request, error.detail)
            return back
        for case, why in refused:
            messages.warning(request, f"{case}: {why}")
        done = len(cases) - len(refused)
        verb = "assigned" if action == "assign" else "claimed"
        messages.success(request, f"{done} case{'' if done == 1 else 's'} {verb}.")
        return back

    def bulk_clear(self, request: HttpRequest) -> HttpResponse:
        """Show the chosen cases for clearing; posted, propose to clear them together."""
        require_permission(request, "review.decide_case")
        cases = _load_chosen_cases(request)
        if request.method != "POST":
            if cases:
                return self._clearing(request, cases)
            messages.error(request, "Choose at least one case.")
            return HttpResponseRedirect(reverse("admin:review_case_changelist"))
        try:
            bulk = services.propose_bulk_clear(
                cases=cases,
                by=get_officer(request),
                reason_code=request.POST.get("reason", ""),
                note=request.POST.get("note", ""),
                now=now(),
                also=request.POST.getlist("also"),
            )
        except DomainError as error:
            return self._clearing(request, cases, error)
        stored = f"stored-clear-{cases[0].pk}-{len(cases)}"  # the browser's draft may go
        sentence = f"{len(cases)} cases are waiting for a second officer."
        messages.success(request, sentence, extra_tags=stored)
        return HttpResponseRedirect(reverse("admin:review_bulk", args=[bulk.pk]))

    def bulk_page(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a proposal to clear cases together."""
        require_permission(request, "review.view_case")
        return self._bulk(request, get_object_or_404(BulkClear, pk=pk))

    def bulk_confirm(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Confirm ticked cases of a proposal; the others return to the queue."""
        require_permission(request, "review.approve_second")
        clear = partial(
            services.confirm_bulk_clear,
            ticked=_parse_case_numbers(request),
            reason_code=request.POST.get("reason", ""),
            back=request.POST.get("back", ""),
            proof=get_step_proof(request),
        )
        return self._settled(request, pk, clear, "closed")

    def bulk_return(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return all that waits of a proposal to the queue."""
        require_permission(request, "review.approve_second")
        return self._settled(request, pk, services.return_bulk_clear, "returned to the queue")

    def _settled(
        self, request: HttpRequest, pk: int, action: Callable[..., int], words: str
    ) -> HttpResponse:
        bulk = get_object_or_404(BulkClear, pk=pk)
        seen, note = _parse_case_numbers(request, "seen"), request.POST.get("note", "")
        try:
            done = action(bulk=bulk, seen=seen, by=get_officer(request), note=note, now=now())
        except DomainError as error:
            return self._bulk(request, bulk, error)
        rest = len(seen) - done
        text = f" {rest} went back to the queue." if rest else ""
        message = f"{done} case{'' if done == 1 else 's'} {words}.{text}"
        messages.success(request, message, extra_tags=f"stored-bulk-{pk}")
        return HttpResponseRedirect(reverse("admin:review_case_changelist"))

    def _clearing(
        self, request: HttpRequest, cases: list[Case], error: DomainError | None = None
    ) -> HttpResponse:
        fault = services.find_bulk_clear_fault(cases)
        shown = {
            "title": "Clear in bulk",
            "fault": fault if not error else "",
            "totals": approvals.format_amount_totals(cases),
            "proposing": True,
            "may": not fault,
            "also": services.find_shared_unanswered_rules(cases) if not fault else {},
        }
        return self._together(request, cases, shown, error)

    def _bulk(
        self, request: HttpRequest, bulk: BulkClear, error: DomainError | None = None
    ) -> HttpResponse:
        cases = list(_select_cases().filter(bulk=bulk))
        waiting = [case for case in cases if case.status == Status.AWAITING_SECOND]
        user = get_officer(request)
        shown = {
            "title": str(bulk),
            "bulk": bulk,
            "waiting": len(waiting),
            "asked": _describe_proposal(cases),
            "totals": approvals.format_amount_totals(waiting or cases),
            "ticked": set(_parse_case_numbers(request)) if error else {case.pk for case in waiting},
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
        names = tenant_names.load_tenant_names({case.owner for case in cases})
        # each case on the page counts as read
        self.shows(request, [case.pk for case in cases])
        moment = now()
        prior_decisions, known = (
            load_prior_decisions_of_cases(cases),
            load_known_of_cases(cases, now=moment),
        )
        common = {
            "earlier": [
                (case, prior_decisions[case.pk], known[case.pk])
                for case in cases
                if prior_decisions[case.pk].outcomes or known[case.pk]
            ],
            "rows": queue_page.build_queue_rows(cases, names, get_officer(request), moment),
            "match": draw_case_evidence(cases[0])["matches"] if cases else [],
            "reasons": services.list_shared_reasons(cases),
            "cap": services.get_bulk_limit(cases),
            "shortest_note": SHORTEST_NOTE,
            "error": error,
            "typed": request.POST if error else {},
        }
        status = error.status if error else 200
        return self.draw(request, "review/together.html", common | shown, status)


def _select_cases() -> QuerySet[Case]:
    return Case.objects.select_related(*PEOPLE).order_by("pk")


def _parse_case_numbers(request: HttpRequest, name: str = "case") -> list[int]:
    parameters = request.POST if request.method == "POST" else request.GET
    # bounded, but above MOST: too many cases are refused and never cut silently
    numbers = parameters.getlist(name)[: 4 * MOST]
    return [int(text) for text in numbers if text.isascii() and text.isdigit() and len(text) < 19]


def _load_chosen_cases(request: HttpRequest) -> list[Case]:
    return list(_select_cases().filter(pk__in=_parse_case_numbers(request)))


def _describe_proposal(cases: list[Case]) -> dict[str, str]:
    """Return the reason and note of who proposed to clear these cases: one for all of them."""
    first_decisions = approvals.load_first_decisions([case.pk for case in cases[:1]])
    event = first_decisions.get(cases[0].pk) if cases else None
    if event is None:
        return {}
    data = event.data
    proposal = {"reason": format_recorded_reason(event), "note": data.get("note", "")}
    return proposal | {"code": data.get("reason_code", "")}

"""The queue and the case page. Nothing is edited here: every button is one action."""

from typing import Any

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse

from apps.backoffice.review import services
from apps.backoffice.review.admin.bulk_cases import BulkCasesMixin
from apps.backoffice.review.admin.case_actions import STEPS, get_draft_name, get_officer
from apps.backoffice.review.models import Case
from apps.backoffice.review.services.claims import STORED
from apps.backoffice.review.views import case_verification, kept_drafts, queue_page
from apps.backoffice.review.views.case_page import (
    build_case_context,
    build_case_preview,
    build_evidence_sheet,
)
from apps.backoffice.review.views.queue_query import SORTS, QueueQuery
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.view_guards import post_only_step, require_permission

QUEUE = "admin:review_case_changelist"
PREVIEW = "X-Preview"  # what static/desk/queue.js sends


@admin.register(Case)
class CaseAdmin(BulkCasesMixin, ReadOnlyAdmin):
    def get_urls(self) -> list[Any]:
        """Give the queue, the case page and one address for each step; no others."""
        wrap = self.admin_site.admin_view
        steps = [
            path(
                f"<id:pk>/{name}/",
                wrap(post_only_step(self.step)),
                {"name": name},
                name=f"review_case_{name}",
            )
            for name in STEPS
        ]
        return [
            path("", self.page_view(self.changelist_view), name="review_case_changelist"),
            path("next/", wrap(post_only_step(self.take_next)), name="review_case_next"),
            *self.several_urls(),
            path("<id:object_id>/", self.page_view(self.change_view), name="review_case_change"),
            path("<id:pk>/preview/", self.page_view(self.preview), name="review_case_preview"),
            path("<id:pk>/evidence/", self.page_view(self.evidence), name="review_case_evidence"),
            path("<id:pk>/verify/", wrap(post_only_step(self.verify)), name="review_case_verify"),
            *steps,
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the queue."""
        require_permission(request, "review.view_case")
        moment, user = now(), get_officer(request)
        views = queue_page.list_queue_views(user)
        query = QueueQuery.read(request.GET, {view.slug for view in views})
        shown_queue = queue_page.build_queue_page(user=user, query=query, now=moment)
        counted = queue_page.count_queue_views(user, moment)
        assigns = user.has_perm("review.assign_case")
        shown = {
            "title": "Review queue",
            "views": [
                (
                    view,
                    QueueQuery(view=view.slug, search=query.search).address(),
                    counted.get(view.slug),
                )
                for view in views
            ],
            "asked": query,
            "page": shown_queue,
            "filters": [
                (name, title, options, getattr(query, name))
                for name, title, options in shown_queue.filters
            ],
            "sorts": [s for s in SORTS.values() if s.slug != "decided" or query.view == "decided"],
            "everywhere": query.address(view="all") if query.search and query.view != "all" else "",
            "next_page": query.address(after=shown_queue.following)
            if shown_queue.following
            else "",
            "first_page": query.address() if query.after else "",
            "works": user.has_perm("review.claim_case"),
            "decides": user.has_perm("review.decide_case"),
            "officers": services.list_assignable_officers() if assigns else [],
            "now": moment,
        }
        return self.draw(request, "review/queue.html", shown)

    def change_view(
        self,
        request: HttpRequest,
        object_id: Any,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponse:
        """Show one case."""
        require_permission(request, "review.view_case")
        return self._case(request, int(object_id))

    def take_next(self, request: HttpRequest) -> HttpResponse:
        """Claim and show the case that is due first; the one on the requesting page is skipped."""
        require_permission(request, "review.claim_case")
        skip = request.POST.get("skip", "")
        number = int(skip) if skip.isascii() and skip.isdigit() and len(skip) < 19 else None
        left = Case.objects.undecided().filter(pk=number or 0).first()
        if left is not None:
            services.skip_case(case=left, by=get_officer(request), now=now())
        case = self._next(request, number)
        if case is None:
            messages.info(request, "No cases are waiting for you.")
            return HttpResponseRedirect(reverse(QUEUE))
        return _redirect_to_case(case)

    def _next(self, request: HttpRequest, skip: int | None) -> Case | None:
        """Return the next waiting case, starting over if the officer skipped all others."""
        by, moment = get_officer(request), now()
        case = services.claim_next_case(by=by, now=moment, skip=skip)
        if case is None and services.clear_skipped_cases(by=by, keep=skip):
            case = services.claim_next_case(by=by, now=moment, skip=skip)
            if case is not None:
                messages.info(
                    request, "You have skipped every waiting case. This is the first one again."
                )
        return case

    def step(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Do one step; a refusal shows the page again with what was typed."""
        require_permission(request, "review.view_case")
        case = self._found(pk)
        try:
            message, onward = STEPS[name](case, request, now())
        except DomainError as error:
            return self._case(request, pk, error=error, name=name)
        # the page that follows lets the browser drop its draft: it is stored
        messages.success(request, message, extra_tags=f"stored-{get_draft_name(case, name)}")
        if not onward:
            return _redirect_to_case(case)
        following = self._next(request, pk)
        if following is None:
            messages.info(request, "That was the last case waiting for you.")
            return HttpResponseRedirect(reverse(QUEUE))
        return _redirect_to_case(following)

    def verify(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Recompute the case's links of the chain and show what was found."""
        require_permission(request, "review.view_case")
        return self._case(request, pk, verified=True)

    def preview(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the preview of a case beside the queue; it is recorded as a read of the case."""
        require_permission(request, "review.view_case")
        case = self._found(pk)
        if PREVIEW not in request.headers:
            return _redirect_to_case(case)  # no page of its own
        answer = render(
            request,
            "review/preview.html",
            build_case_preview(case=case, user=get_officer(request), now=now()),
        )
        # the same address redirects without the header, and must not be served from a cache to
        # others
        answer["Vary"], answer["Cache-Control"] = f"Cookie, {PREVIEW}", "no-store"
        return answer

    def evidence(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the case as one or two printed sheets, digests and how to verify them."""
        require_permission(request, "review.view_case")
        case = self._found(pk)
        shown = build_evidence_sheet(case, user=get_officer(request), now=now()) | {
            "title": f"Evidence for case {case.pk}",
            "verified": case_verification.verify_case_chain(case),
            "printed_at": now(),
        }
        return self.draw(request, "review/evidence.html", shown)

    def _found(self, pk: int) -> Case:
        # officers are loaded where they are shown: joining them costs more than most pages show
        case: Case | None = STORED.row(pk)
        if case is None:
            raise Http404
        return case

    def _case(
        self,
        request: HttpRequest,
        pk: int,
        error: DomainError | None = None,
        name: str = "",
        verified: bool = False,
    ) -> HttpResponse:
        case = self._found(pk)
        # the reader holds the case: no query for a user who is loaded already
        if case.claimed_by_id == request.user.pk:
            case.claimed_by = get_officer(request)
        shown = build_case_context(case=case, user=get_officer(request), now=now())
        text = request.POST.get("note", "") if error else ""
        shown |= {
            "title": str(case),
            "forms": kept_drafts.find_forms_on_page(shown),
            "kept": kept_drafts.list_kept_drafts(shown, refused=name, text=text),
            "noted": text if kept_drafts.get_step_draft_name(name) == "decision" else "",
            "error": error,
            "refused": name,
            "typed": request.POST if error else {},
            "chosen": request.POST.get(f"reason_{request.POST.get('outcome', '')}", ""),
            "verified": case_verification.verify_case_chain(case) if verified else None,
            "works": request.user.has_perm("review.claim_case"),
        }
        return self.draw(request, "review/case.html", shown, error.status if error else 200)


def _redirect_to_case(case: Case) -> HttpResponse:
    return HttpResponseRedirect(reverse("admin:review_case_change", args=[case.pk]))

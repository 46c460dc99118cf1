"""The queue and the case page. Nothing is edited here: every button is one action."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.desk.guard import posted
from apps.desk.pages import ReadOnly
from apps.review import actions
from apps.review.actions.claims import STORED
from apps.review.admin.several import SeveralCases
from apps.review.admin.steps import STEPS, draft_of, officer
from apps.review.models import Case
from apps.review.pages import case as page
from apps.review.pages import keeping, queue, sealed
from apps.review.pages.asked import SORTS, Asked

QUEUE = "admin:review_case_changelist"
PREVIEW = "X-Preview"  # what static/desk/queue.js sends


@admin.register(Case)
class CaseAdmin(SeveralCases, ReadOnly):
    def get_urls(self) -> list[Any]:
        """Give the queue, the case page and one address for each step; no others."""
        wrap = self.admin_site.admin_view
        steps = [
            path(
                f"<id:pk>/{name}/",
                wrap(posted(self.step)),
                {"name": name},
                name=f"review_case_{name}",
            )
            for name in STEPS
        ]
        return [
            path("", self.page_view(self.changelist_view), name="review_case_changelist"),
            path("next/", wrap(posted(self.take_next)), name="review_case_next"),
            *self.several_urls(),
            path("<id:object_id>/", self.page_view(self.change_view), name="review_case_change"),
            path("<id:pk>/preview/", self.page_view(self.preview), name="review_case_preview"),
            path("<id:pk>/evidence/", self.page_view(self.evidence), name="review_case_evidence"),
            path("<id:pk>/verify/", wrap(posted(self.verify)), name="review_case_verify"),
            *steps,
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the queue."""
        self.require(request)
        moment, user = now(), officer(request)
        views = queue.views_of(user)
        asked = Asked.read(request.GET, {view.slug for view in views})
        found = queue.page(user=user, asked=asked, now=moment)
        counted = queue.counts(user, moment)
        assigns = user.has_perm("review.assign_case")
        shown = {
            "title": "Review queue",
            "views": [
                (view, Asked(view=view.slug, search=asked.search).address(), counted.get(view.slug))
                for view in views
            ],
            "asked": asked,
            "page": found,
            "filters": [
                (name, title, options, getattr(asked, name))
                for name, title, options in found.filters
            ],
            "sorts": [s for s in SORTS.values() if s.slug != "decided" or asked.view == "decided"],
            "everywhere": asked.address(view="all") if asked.search and asked.view != "all" else "",
            "next_page": asked.address(after=found.following) if found.following else "",
            "first_page": asked.address() if asked.after else "",
            "works": user.has_perm("review.claim_case"),
            "decides": user.has_perm("review.decide_case"),
            "officers": actions.officers() if assigns else [],
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
        self.require(request)
        return self._case(request, int(object_id))

    def take_next(self, request: HttpRequest) -> HttpResponse:
        """Claim what is due first and show it; what it is asked from is passed over."""
        self.require(request, "review.claim_case")
        skip = request.POST.get("skip", "")
        number = int(skip) if skip.isascii() and skip.isdigit() and len(skip) < 19 else None
        left = Case.objects.undecided().filter(pk=number or 0).first()
        if left is not None:
            actions.pass_over(case=left, by=officer(request), now=now())
        case = self._next(request, number)
        if case is None:
            messages.info(request, "No case waits that you could take.")
            return HttpResponseRedirect(reverse(QUEUE))
        return _to(case)

    def _next(self, request: HttpRequest, skip: int | None) -> Case | None:
        """Return what waits next, beginning anew where the officer passed over all else."""
        by, moment = officer(request), now()
        case = actions.take_next(by=by, now=moment, skip=skip)
        if case is None and actions.begin_anew(by=by, keep=skip):
            case = actions.take_next(by=by, now=moment, skip=skip)
            if case is not None:
                messages.info(request, "You passed over all that waits: here is the first again.")
        return case

    def step(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Do one step; a refusal shows the page again with what was typed."""
        self.require(request)
        case = self._found(pk)
        try:
            told, onward = STEPS[name](case, request, now())
        except DomainError as error:
            return self._case(request, pk, error=error, name=name)
        # the page that follows lets the browser drop its draft: it is stored
        messages.success(request, told, extra_tags=f"stored-{draft_of(case, name)}")
        if not onward:
            return _to(case)
        following = self._next(request, pk)
        if following is None:
            messages.info(request, "That was the last case that you could take.")
            return HttpResponseRedirect(reverse(QUEUE))
        return _to(following)

    def verify(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Recompute the case's links of the chain and show what was found."""
        self.require(request)
        return self._case(request, pk, verified=True)

    def preview(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Give the part of a page that the queue shows beside its rows; it is read as a case is."""
        self.require(request)
        case = self._found(pk)
        if PREVIEW not in request.headers:
            return _to(case)  # no page of its own
        answer = render(
            request,
            "review/preview.html",
            page.preview(case=case, user=officer(request), now=now()),
        )
        answer["Vary"], answer["Cache-Control"] = f"Cookie, {PREVIEW}", "no-store"
        return answer

    def evidence(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the case as one or two printed sheets, digests and how to verify them."""
        self.require(request)
        case = self._found(pk)
        shown = page.sheet(case, user=officer(request), now=now()) | {
            "title": f"Evidence of case {case.pk}",
            "verified": sealed.verify(case),
            "printed_at": now(),
        }
        return self.draw(request, "review/evidence.html", shown)

    def _found(self, pk: int) -> Case:
        # its people are read where they are shown: joining them costs more than most pages show
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
        if case.claimed_by_id == request.user.pk:
            case.claimed_by = officer(request)
        shown = page.context(case=case, user=officer(request), now=now())
        text = request.POST.get("note", "") if error else ""
        shown |= {
            "title": str(case),
            "forms": keeping.forms(shown),
            "kept": keeping.kept(shown, refused=name, text=text),
            "noted": text if keeping.draft_name(name) == "decision" else "",
            "error": error,
            "refused": name,
            "typed": request.POST if error else {},
            "chosen": request.POST.get(f"reason_{request.POST.get('outcome', '')}", ""),
            "verified": sealed.verify(case) if verified else None,
            "works": request.user.has_perm("review.claim_case"),
        }
        return self.draw(request, "review/case.html", shown, error.status if error else 200)

    def require(self, request: HttpRequest, permission: str = "review.view_case") -> None:
        """Refuse who lacks the permission."""
        if not request.user.has_perm(permission):
            raise PermissionDenied


def _to(case: Case) -> HttpResponse:
    return HttpResponseRedirect(reverse("admin:review_case_change", args=[case.pk]))

"""Quality samples: closed cases that another officer judges blind, then beside the decision."""

from datetime import datetime
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse

from apps.access.keys import tenant_names
from apps.backoffice.oversight.admin import sample_list
from apps.backoffice.oversight.models import (
    JUDGING,
    Agreement,
    LookVerdict,
    Sample,
    SecondLook,
    Verdict,
)
from apps.backoffice.oversight.selectors import sample_statistics, second_look_history
from apps.backoffice.oversight.services import second_looks
from apps.backoffice.review.models import DecisionEvent, Outcome
from apps.backoffice.review.selectors.recorded_decisions import format_recorded_reason, load_verdict
from apps.backoffice.review.views.decision_box import ReasonOption
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.home import Tile
from apps.platform.desk.note_validation import SHORTEST_NOTE
from apps.platform.desk.view_guards import post_only_step, require_permission
from apps.platform.ledger.verification.verified_reads import filter_verified_records


def build_sample_tiles(user: User, moment: datetime) -> list[Tile]:
    """Return how many quality samples a user may review; none without the permission."""
    if not user.has_perm("oversight.look_sample"):
        return []
    waiting = Sample.objects.open_to(user).count()
    return [Tile("Second looks due", waiting, reverse("admin:oversight_sample_changelist"))]


@admin.register(Sample)
class SampleAdmin(ReadOnlyAdmin):
    """Closed cases that a second officer reviews."""

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        text = "<id:object_id>/"
        judge, look = wrap(post_only_step(self.judge)), wrap(post_only_step(self.look))
        return [
            path("", self.page_view(self.changelist_view), name="oversight_sample_changelist"),
            path(text, self.page_view(self.change_view), name="oversight_sample_change"),
            path(f"{text}judge/", judge, name="oversight_sample_judge"),
            path(f"{text}look/", look, name="oversight_sample_look"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show what waits for this officer, or what was found, and the figures."""
        require_permission(request, "oversight.view_sample")
        user = cast(User, request.user)
        query = sample_list.SampleQuery.read_for(request.GET, user)
        sample_page = sample_list.build_sample_page(query, user)
        shown = {
            "title": "Quality samples",
            "view": query.view,
            "views": [
                (name, sample_list.TITLES[name], sample_list.select_samples(name, user).count())
                for name in sample_list.list_sample_views(user)
            ],
            "rows": sample_page.rows,
            "figures": sample_statistics.load_sample_statistics(),
            **query.turns(sample_page.following),
        }
        return self.draw(request, "oversight/samples.html", shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one sampled case: its evidence, and to who has judged it how it was decided."""
        require_permission(request, "oversight.view_sample")
        return self._sample(request, int(object_id))

    def judge(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Record an officer's own verdict; the page then tells the decision."""
        require_permission(request, "oversight.look_sample")
        sample = get_object_or_404(Sample.objects.select_related("case"), pk=object_id)
        outcome = request.POST.get("outcome", "")
        try:
            second_looks.record_blind_verdict(
                sample=sample,
                by=cast(User, request.user),
                outcome=outcome,
                reason_code=request.POST.get(f"reason_{outcome}", ""),
                note=request.POST.get("note", ""),
                now=now(),
            )
        except DomainError as error:
            return self._sample(request, object_id, error)
        sentence = "Your verdict has been recorded. The decision is shown below."
        messages.success(request, sentence, extra_tags=f"stored-sample-{object_id}-judge")
        return HttpResponseRedirect(reverse("admin:oversight_sample_change", args=[object_id]))

    def look(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Record a second look; a refusal shows the page again with what was typed."""
        require_permission(request, "oversight.look_sample")
        sample = get_object_or_404(Sample.objects.select_related("case"), pk=object_id)
        try:
            second_looks.record_second_look(
                sample=sample,
                by=cast(User, request.user),
                verdict=request.POST.get("verdict", ""),
                note=request.POST.get("note", ""),
                now=now(),
            )
        except DomainError as error:
            return self._sample(request, object_id, error)
        stored = f"stored-sample-{object_id}-look"  # the browser's draft of the note may go
        messages.success(request, "Your second look has been recorded.", extra_tags=stored)
        following = Sample.objects.open_to(cast(User, request.user)).first()
        if following is None:
            return HttpResponseRedirect(reverse("admin:oversight_sample_changelist"))
        return HttpResponseRedirect(reverse("admin:oversight_sample_change", args=[following.pk]))

    def _sample(
        self, request: HttpRequest, object_id: int, error: DomainError | None = None
    ) -> HttpResponse:
        people = ("case", "first_by", "second_by", "looked_by")
        sample = get_object_or_404(Sample.objects.select_related(*people), pk=object_id)
        user, case = cast(User, request.user), sample.case
        looks = filter_verified_records(sample.looks.select_related("by").order_by("pk"))  # type: ignore[attr-defined]
        shown = {
            "title": case.party or case.title,
            "sample": sample,
            "case": case,
            "picture": draw_case_evidence(case),
            "tenant": tenant_names.load_tenant_name(case.owner),
            "shortest": SHORTEST_NOTE,
            "error": error,
            "typed": request.POST if error else {},
            "chosen": request.POST.get(f"reason_{request.POST.get('outcome', '')}", ""),
            **_build_stage_context(sample, user, looks),
        }
        status = error.status if error else 200
        return self.draw(request, "oversight/sample.html", shown, status)


def _build_stage_context(sample: Sample, user: User, looks: list[SecondLook]) -> dict[str, Any]:
    """Return the context of a reader's stage: nothing of the decision before their own verdict."""
    # 1. the reader's own blind verdict, if they gave one
    own = next(
        (
            second_look
            for second_look in looks
            if second_look.verdict == LookVerdict.BLIND and second_look.by == user
        ),
        None,
    )
    eligible = (
        sample.looked_by_id is None
        and user.has_perm("oversight.look_sample")
        and sample.is_open_to(user)
    )
    # 2. to be judged blind: outcomes and reasons to choose from, and nothing that was decided
    if eligible and own is None:
        return {
            "blind": True,
            "choices": [
                (
                    outcome,
                    sample.case.words_of(outcome),
                    [
                        ReasonOption(r.code, r.label, n, "")
                        for n, r in enumerate(
                            second_looks.list_offered_reasons(sample.case, outcome), 1
                        )
                    ],
                )
                for outcome in Outcome.values
            ],
        }
    # 3. judged, or not theirs to judge: the decision, and the looks that are complete or their own
    events = sample.case.events.select_related("by").order_by("pk")
    visible_looks = [
        second_look for second_look in looks if sample.looked_by_id or second_look == own
    ]
    return {
        "verdict": load_verdict(sample.case, events),
        "decisions": _list_decisions(sample),
        "looks": second_look_history.describe_look_steps(sample.case, visible_looks),
        "may_look": eligible,
        "beside": Agreement(second_looks.determine_agreement(sample.case, own)).label
        if eligible and own
        else "",
        "verdicts": Verdict.choices,
    }


def _list_decisions(sample: Sample) -> list[dict[str, Any]]:
    """Return the decisions on a case and what was returned, in words, the oldest first."""
    events = DecisionEvent.objects.filter(
        case_id=sample.case_id, action__in=JUDGING
    ).select_related("by", "case")
    return [
        {
            "event": event,
            "reason": format_recorded_reason(event),
            "note": event.data.get("note", ""),
        }
        for event in filter_verified_records(events.order_by("pk"))
    ]

"""Engagements of examiners: one senior officer proposes, another approves, either ends."""

from datetime import UTC
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse

from apps.access.keys import tenant_names
from apps.payments.travelrule.engagements import approvals, services
from apps.payments.travelrule.models import Engagement
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk.previews import PreviewedForm
from apps.platform.desk.proposal_admin import ProposalAdmin
from apps.platform.desk.proposal_records import describe_alteration
from apps.platform.desk.view_guards import post_only_step

EXAMINER_GROUP = "Visiting examiner"  # config/desk_roles.py


def _build_moment_field(label: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, widget=widget)


def _build_day_field(label: str) -> forms.DateField:
    return forms.DateField(
        label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


class EngagementForm(PreviewedForm, forms.ModelForm):
    """What a proposed engagement must say."""

    examiner = forms.ModelChoiceField(
        queryset=User.objects.none(), help_text="An account in the group of visiting examiners"
    )
    starts_at = _build_moment_field("Begins (UTC)")
    ends_at = _build_moment_field("Ends before (UTC)")
    records_from = _build_day_field("Records from")
    records_to = _build_day_field("Records through")
    institutions = forms.MultipleChoiceField(
        required=False, help_text="None selected: records of all institutions, but none of our own"
    )

    class Meta:
        model = Engagement
        fields = (
            "examiner", "authority", "starts_at", "ends_at", "records_from", "records_to",
            "institutions", "reason",
        )  # fmt: skip
        widgets: ClassVar[dict[str, Any]] = {
            "reason": forms.Textarea(attrs={"rows": 3, "cols": 70})
        }

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        group = Group.objects.filter(name=EXAMINER_GROUP)
        accounts = User.objects.filter(groups__in=group, is_active=True, is_staff=True)
        self.fields["examiner"].queryset = accounts.order_by("username")  # type: ignore[attr-defined]
        self.fields["institutions"].choices = list(tenant_names.list_tenant_choices().items())  # type: ignore[attr-defined]

    def judge(self, values: dict[str, Any]) -> None:
        # the form reads times in the current time zone, which is UTC as its labels say
        for name in ("starts_at", "ends_at"):
            values[name] = values[name].astimezone(UTC)
        services.check_engagement(Engagement(**values), now=now())


@admin.register(Engagement)
class EngagementAdmin(ProposalAdmin):
    """Examinations: the examiner, the period, and the records."""

    form = EngagementForm
    change_form_template = "travelrule/engagement.html"
    list_display = ("__str__", "starts_at", "ends_at", "state", "ended_at", "proposed_by")
    list_select_related = ("examiner", "proposed_by", "decided_by")
    pending = approvals.PENDING
    turn_down = staticmethod(services.reject_engagement)
    means = staticmethod(approvals.describe_engagement_effects)
    decider = "senior officer"
    asking = "Propose an examiner engagement"

    def get_urls(self) -> list[Any]:
        end = self.admin_site.admin_view(post_only_step(self.end))
        return [path("<id:pk>/end/", end, name="travelrule_engagement_end"), *super().get_urls()]

    def record_context(self, request: HttpRequest, record: Engagement) -> dict[str, Any]:
        approved = record.state == Engagement.State.APPROVED and record.ended_at is None
        runs = approved and record.ends_at > now() and not describe_alteration(record)
        return {"may_end": runs and self._may(request, "decide")}

    def propose(self, form: Any, by: User) -> Engagement:
        return services.propose_engagement(by=by, now=now(), **form.cleaned_data)

    def approve(self, change: Engagement, by: User, note: str) -> str:
        services.approve_engagement(change=change, by=by, now=now(), note=note)
        return f"approved, from {change.starts_at:%d %b %Y %H:%M} UTC on."

    def end(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End an engagement early; after a refusal the form shows the reason that was typed."""
        if not self._may(request, "decide"):
            raise PermissionDenied
        change = get_object_or_404(Engagement, pk=pk)
        why = request.POST.get("why", "")
        try:
            services.end_engagement(change=change, by=cast(User, request.user), why=why, now=now())
        except DomainError as error:
            return self.again(request, pk, error, ending=why)
        sentence = "The engagement has ended. The account no longer has access."
        messages.success(request, sentence, extra_tags=f"stored-engagement-{pk}-end")
        return HttpResponseRedirect(reverse("admin:travelrule_engagement_change", args=[pk]))

"""Pages of requests for keys: another person approves, and the secret is collected once."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse

from apps.access.keys import approvals, services
from apps.access.keys.admin.keys import KeyForm, render_secret_page
from apps.access.keys.models import KeyRequest
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk.note_validation import LONGEST_REASON, SHORTEST_NOTE
from apps.platform.desk.previews import PreviewedForm
from apps.platform.desk.proposal_admin import ProposalAdmin
from apps.platform.desk.view_guards import post_only_step


class KeyRequestForm(PreviewedForm, KeyForm, forms.ModelForm):
    """The form of a request for a key."""

    reason = forms.CharField(
        label="Reason for the key",
        min_length=SHORTEST_NOTE,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    class Meta:
        model = KeyRequest
        fields = ("account", "kind", "label", "days", "rate_per_minute", "reason")


@admin.register(KeyRequest)
class KeyRequestAdmin(ProposalAdmin):
    """Requests for keys and their outcome."""

    form = KeyRequestForm
    list_display = ("account", "kind", "label", "state", "proposed_by", "proposed_at", "drawn_at")
    list_select_related = ("account", "proposed_by", "decided_by")
    fields = KeyRequestForm.Meta.fields
    change_form_template = "access/key_request.html"
    pending = approvals.PENDING
    decider = "operator"
    asking = "Request a key"

    def get_urls(self) -> list[Any]:
        draw = self.admin_site.admin_view(post_only_step(self.draw_key))
        return [
            path("<id:pk>/draw/", draw, name="access_keyrequest_draw"),
            *super().get_urls(),
        ]

    def means(self, change: KeyRequest) -> tuple[str, ...]:
        return approvals.describe_key_powers(change, now())

    def propose(self, form: Any, by: User) -> KeyRequest:
        cleaned_data = dict(form.cleaned_data)
        why = cleaned_data.pop("reason")
        return services.request_key(
            wanted=services.KeySpecification(**cleaned_data), why=why, by=by, now=now()
        )

    def approve(self, change: KeyRequest, by: User, note: str) -> str:
        services.approve_key_request(request=change, by=by, now=now(), note=note)
        return "approved. The requester can now collect the secret."

    def reject(self, change: KeyRequest, by: User, note: str) -> None:
        services.reject_key_request(request=change, by=by, now=now(), note=note)

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        original = context.get("original")
        may = request.user.has_perm("access.issue_apikey")
        waits = original is not None and services.is_issuable(original, now())
        context["waits"] = waits
        by = cast(User, request.user)
        context["may_draw"] = (
            waits and may and services.can_issue_approved_key(cast(KeyRequest, original), by)
        )
        context["days_to_draw"] = services.DRAWN_WITHIN.days
        context["takes_two"] = services.is_second_person_needed()
        return super().render_change_form(request, context, *rest, **more)

    def draw_key(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Issue an approved key and show its secret, once."""
        if not request.user.has_perm("access.issue_apikey"):
            raise PermissionDenied
        key_request = get_object_or_404(KeyRequest.objects.select_related("account"), pk=pk)
        try:
            # the entry in the admin's log commits with the key, or neither does
            with transaction.atomic():
                issued = services.draw_key(
                    request=key_request, by=cast(User, request.user), now=now()
                )
                self.log_change(request, key_request, f"Collected: {issued.key}.")
        except DomainError as error:
            messages.error(request, error.detail)
            page = reverse("admin:access_keyrequest_change", args=[pk])
            return HttpResponseRedirect(page)
        return render_secret_page(self, request, issued)

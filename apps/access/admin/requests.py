"""Keys that somebody asked for: another approves, and the secret is drawn once."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse

from apps.access import actions, approvals
from apps.access.admin.keys import KeyForm, secret_page
from apps.access.models import KeyRequest
from apps.core.clock import now
from apps.core.problems import DomainError
from apps.desk.approvals import Waiting
from apps.desk.guard import posted
from apps.desk.previews import Previewed
from apps.desk.proposals import ProposalAdmin
from apps.desk.rules import LONGEST_REASON, SHORTEST_NOTE


class RequestForm(Previewed, KeyForm, forms.ModelForm):
    """What a request for a key must say."""

    reason = forms.CharField(
        label="What it is needed for",
        min_length=SHORTEST_NOTE,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    class Meta:
        model = KeyRequest
        fields = ("account", "kind", "label", "days", "rate_per_minute", "reason")


@admin.register(KeyRequest)
class KeyRequestAdmin(ProposalAdmin):
    """Requests and what became of them."""

    form = RequestForm
    list_display = ("account", "kind", "label", "state", "proposed_by", "proposed_at", "drawn_at")
    list_select_related = ("account", "proposed_by", "decided_by")
    fields = RequestForm.Meta.fields
    change_form_template = "access/key_request.html"
    decider = "operator"
    asking = "Ask for a key"

    def get_urls(self) -> list[Any]:
        draw = self.admin_site.admin_view(posted(self.draw_key))
        return [
            path("<id:pk>/draw/", draw, name="access_keyrequest_draw"),
            *super().get_urls(),
        ]

    def told(self, change: KeyRequest) -> Waiting:
        return approvals.waiting(change)

    def means(self, change: KeyRequest) -> tuple[str, ...]:
        return approvals.means(change, now())

    def save_model(self, request: HttpRequest, obj: KeyRequest, form: Any, change: bool) -> None:
        said = dict(form.cleaned_data)
        why, by = said.pop("reason"), cast(User, request.user)
        obj.pk = actions.ask(wanted=actions.Wanted(**said), why=why, by=by, now=now()).pk

    def approve(self, change: KeyRequest, by: User, note: str) -> str:
        actions.approve(request=change, by=by, now=now(), note=note)
        return "approved. Who asked for it draws the secret now."

    def reject(self, change: KeyRequest, by: User, note: str) -> None:
        actions.reject(request=change, by=by, now=now(), note=note)

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        asked = context.get("original")
        may = request.user.has_perm("access.issue_apikey")
        waits = asked is not None and actions.drawable(asked, now())
        context["waits"] = waits
        by = cast(User, request.user)
        context["may_draw"] = waits and may and actions.draws(cast(KeyRequest, asked), by)
        context["days_to_draw"] = actions.DRAWN_WITHIN.days
        context["takes_two"] = actions.takes_two()
        return super().render_change_form(request, context, *rest, **more)

    def draw_key(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Issue an approved key and show its secret, once."""
        if not request.user.has_perm("access.issue_apikey"):
            raise PermissionDenied
        asked = get_object_or_404(KeyRequest.objects.select_related("account"), pk=pk)
        try:
            with transaction.atomic():
                issued = actions.draw(request=asked, by=cast(User, request.user), now=now())
                self.log_change(request, asked, f"Drawn: {issued.key}.")
        except DomainError as error:
            messages.error(request, error.detail)
            page = reverse("admin:access_keyrequest_change", args=[pk])
            return HttpResponseRedirect(page)
        return secret_page(self, request, issued)

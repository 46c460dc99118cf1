"""Pages of callback signing secrets: their generations, issuing one, ending a rotation."""

from functools import partial
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from apps.access.keys import tenant_names
from apps.payments.callbacks.admin.reasoned_action_admin import StaffActionAdmin, run_staff_action
from apps.payments.callbacks.models import Secret, Step
from apps.payments.callbacks.services import staff_actions
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk import list_pages
from apps.platform.desk.note_validation import LONGEST_REASON, find_note_fault
from apps.platform.desk.view_guards import require_permission


@admin.register(Secret)
class SecretAdmin(StaffActionAdmin):
    """Generations of secrets; a secret itself is shown once, when it is issued."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=owner",)
    record_template = "callbacks/secret.html"
    steps = ("end",)

    def get_urls(self) -> list[Any]:
        """Give the list, a generation's page, and the steps."""
        issue = self.admin_site.admin_view(
            require_http_methods(("GET", "HEAD", "POST"))(self.issue)
        )
        return [path("issue/", issue, name="callbacks_secret_issue"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the generations, the newest first."""
        self.require_view(request)
        query = list_pages.ListQuery.read(request.GET)
        secrets, last = list_pages.take_page(query.behind(Secret.objects.all()))
        names = tenant_names.load_tenant_names({row.owner for row in secrets})
        drawn = {
            "title": "Callback signing secrets",
            "rows": [(row, names.get(row.owner, row.owner)) for row in secrets],
            "moment": now(),
            "may_issue": request.user.has_perm("callbacks.issue_secret"),
            **query.turns(str(last.pk) if last else ""),
        }
        return self.draw(request, "callbacks/secrets.html", drawn)

    def issue(self, request: HttpRequest) -> HttpResponse:
        """Ask for owner and reason; then issue the secret and show it, in this one response."""
        require_permission(request, "callbacks.issue_secret")
        owner, reason = request.POST.get("client", ""), request.POST.get("note", "").strip()
        if request.method != "POST":
            return self._ask(request)
        clients = tenant_names.list_tenant_choices()
        fault = find_note_fault(reason, most=LONGEST_REASON)
        fault = "Choose the client." if owner not in clients else fault
        if fault:
            return self._ask(request, owner, reason, fault)
        by = cast(User, request.user).get_username()
        try:
            issued = staff_actions.issue_with_reason(owner=owner, by=by, reason=reason, now=now())
        except DomainError as error:
            return self._ask(request, owner, reason, error.detail)
        # drawn, not redirected: the secret is in this one response and nowhere else
        drawn = {"title": "New secret", "issued": issued, "client": clients[owner]}
        return self.draw(request, "callbacks/secret_shown.html", drawn)

    def end(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Make the newest secret the only one that signs."""
        require_permission(request, "callbacks.issue_secret")
        row = self.get_record(request, pk)
        return run_staff_action(
            request,
            page=reverse("admin:callbacks_secret_change", args=[pk]),
            act=partial(staff_actions.end_rotation_with_reason, row=row, now=now()),
            said=lambda _: "The newest secret now signs on its own.",
            again=partial(self.draw_record, request, row),
            draft=f"secret-{pk}",
        )

    def _ask(
        self, request: HttpRequest, owner: str = "", typed: str = "", fault: str = ""
    ) -> HttpResponse:
        drawn = {
            "title": "Issue a signing secret",
            "clients": tenant_names.list_tenant_choices(),
            "chosen": owner,
            "typed": typed,
            "refused": fault,
        }
        return self.draw(request, "callbacks/secret_issue.html", drawn, 400 if fault else 200)

    def build_record_context(self, record: Secret, user: User) -> dict[str, Any]:
        return {
            "title": f"Signing secret, generation {record.generation}",
            "row": record,
            "client": tenant_names.load_tenant_name(record.owner),
            "rotating": record.takes_over_at > now(),
            "steps": Step.objects.filter(ref=f"secret:{record.pk}"),
            "may_issue": user.has_perm("callbacks.issue_secret"),
        }

"""Pages of what takes two people: one proposes, another approves or rejects."""

from typing import Any, ClassVar, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse

from apps.core.problems import DomainError
from apps.desk.guard import posted
from apps.desk.pages import ReadOnly


class ProposalAdmin(ReadOnly):
    """Proposals of one model that has `state`, `proposed_by` and `decided_by`.

    Its permissions are `propose_…` and `decide_…`. A subclass says what approving and rejecting
    do; the domain refuses the proposer, and so does the page.
    """

    list_filter: ClassVar[Any] = ("state",)
    list_select_related: ClassVar[Any] = ("proposed_by", "decided_by")

    def approve(self, change: Any, by: User) -> str:
        """Put a proposal into force and return what to tell; raises DomainError."""
        raise NotImplementedError

    def reject(self, change: Any, by: User, note: str) -> None:
        """Turn a proposal down; raises DomainError."""
        raise NotImplementedError

    def _may(self, request: HttpRequest, verb: str) -> bool:
        name = f"{self.opts.app_label}.{verb}_{self.opts.model_name}"
        return bool(request.user.has_perm(name))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, "propose")

    def get_urls(self) -> list[Any]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_decide"
        decide = self.admin_site.admin_view(posted(self.decide))
        return [path("<id:pk>/decide/", decide, name=name), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        change = context.get("original")
        context["decides"] = (
            change is not None
            and change.state == self.model.State.PROPOSED  # type: ignore[attr-defined]
            and change.proposed_by_id != request.user.pk
            and self._may(request, "decide")
        )
        return super().render_change_form(request, context, *rest, **more)

    def decide(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Approve or reject, as another person than the proposer."""
        if not self._may(request, "decide"):
            raise PermissionDenied
        change = get_object_or_404(self.model, pk=pk)
        by = cast(User, request.user)
        try:
            if request.POST.get("decision") == "approve":
                messages.success(request, f"{change}: {self.approve(change, by)}")
            else:
                self.reject(change, by, request.POST.get("note", "").strip())
                messages.success(request, f"{change}: rejected.")
        except DomainError as error:
            messages.error(request, error.detail)
        page = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
        return HttpResponseRedirect(reverse(page, args=[pk]))

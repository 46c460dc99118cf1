"""Pages of changes that take two people: one proposes, another approves or rejects."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.models import Proposal
from apps.platform.desk.previews import SEEN
from apps.platform.desk.proposal_records import describe_alteration, load_steps
from apps.platform.desk.view_guards import post_only_step


@dataclass(frozen=True, slots=True)
class PendingProposals:
    """Pending proposals of one model that a reader did not make; an ApprovalQueue uses it.

    `title` and `changes` describe a proposal in words, each change as (what, was, becomes).
    """

    model: type[Proposal]
    kind: str
    title: Callable[[Any], str]
    changes: Callable[[Any], Iterable[tuple[str, str, str]]]
    related: tuple[str, ...] = ()

    def __call__(self, user: User, now: datetime) -> Approvals | None:
        """Return the proposals that wait for a user; None for users who do not decide them."""
        opts = self.model._meta
        if not user.has_perm(f"{opts.app_label}.decide_{opts.model_name}"):
            return None
        waits = self.model._default_manager.filter(state=Proposal.State.PROPOSED)
        # nobody decides their own proposal, so it does not wait for them
        waits = waits.exclude(proposed_by=user)
        first = waits.select_related("proposed_by", *self.related).order_by("proposed_at", "pk")
        return Approvals(
            waits.count, lambda most: [self.describe(proposal) for proposal in first[:most]]
        )

    def describe(self, change: Any) -> PendingApproval:
        """Return a proposal as a line of the approval list; a draft has no page yet."""
        page = f"admin:{change._meta.app_label}_{change._meta.model_name}_change"
        return PendingApproval(
            kind=self.kind,
            title=self.title(change),
            changes=tuple(self.changes(change)),
            by=change.proposed_by.get_username(),
            at=change.proposed_at,
            why=change.reason,
            address=reverse(page, args=[change.pk]) if change.pk else "",
        )


# heading of the sentences of `means`, so that readers know which time they describe
MEANS_TITLES = {
    "PROPOSED": "After approval",
    "APPROVED": "Since approval",
    "REJECTED": "What approval would have changed",
}


class ProposalAdmin(ReadOnlyAdmin):
    """Proposals of one model (apps/platform/desk/models/proposals.py) whose steps are its `events`.

    Its permissions are `propose_…` and `decide_…`, its form is one of desk/previews.py. A subclass
    names its `pending`, which describes a proposal, and says what approving and rejecting do; both
    the domain and the page refuse the proposer.
    """

    change_form_template: ClassVar[Any] = "desk/proposal.html"
    pending: ClassVar[PendingProposals]
    turn_down: ClassVar[Callable[..., None]]  # the service that rejects a proposal
    decider: ClassVar[str] = "officer"
    asking: ClassVar[str] = "Propose a change"  # the title of the form

    list_filter: ClassVar[Any] = ("state",)
    list_select_related: ClassVar[Any] = ("proposed_by", "decided_by")

    def draft(self, said: dict[str, Any]) -> Any:
        """Return an unsaved proposal with the values of a form."""
        return self.model(**said)

    def means(self, change: Any) -> Sequence[str]:
        """Describe in sentences what will hold once a proposal is approved.

        A sentence about the present says "today": "now" could be read as either time.
        """
        return ()

    def propose(self, form: Any, by: User) -> Any:
        """Save what a form proposes and return it; raises DomainError."""
        raise NotImplementedError

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.pk = self.propose(form, cast(User, request.user)).pk

    def approve(self, change: Any, by: User, note: str) -> str:
        """Put a proposal into force and return the message for the user; raises DomainError."""
        raise NotImplementedError

    def reject(self, change: Any, by: User, note: str) -> None:
        """Turn a proposal down; raises DomainError."""
        self.turn_down(change=change, by=by, note=note, now=now())

    def _may(self, request: HttpRequest, verb: str) -> bool:
        name = f"{self.opts.app_label}.{verb}_{self.opts.model_name}"
        return bool(request.user.has_perm(name))

    def _name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, "propose")

    def get_urls(self) -> list[Any]:
        name = f"{self._name()}_decide"
        decide = self.admin_site.admin_view(post_only_step(self.decide))
        return [path("<id:pk>/decide/", decide, name=name), *super().get_urls()]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        # an existing proposal is shown in words, not as the fields of its form
        return super().get_fieldsets(request, obj) if obj is None else ()

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        change = context.get("original")
        context["decider"] = self.decider
        if change is None:
            form = context["adminform"].form
            # a form that was not previewed yet, or one with errors, has no effect to show
            if not form.waits:
                preview = {}
            else:
                draft = self.draft(form.cleaned_data)
                draft.proposed_by, draft.proposed_at = request.user, now()
                shown = {"told": self.pending.describe(draft), "means": self.means(draft)}
                shown["means_title"] = MEANS_TITLES["PROPOSED"]
                preview = shown | {"preview": form.mark, "anew": SEEN in form.data}
            context |= preview | {"title": self.asking}
        else:
            context |= {"told": self.pending.describe(change), "means": self.means(change)}
            context["means_title"] = MEANS_TITLES[change.state]
            # a row that was altered in the database is shown with its fault, and cannot be decided
            steps = load_steps(change)
            context |= {"altered": describe_alteration(change, steps), "recorded": steps}
            context["decide"] = f"admin:{self._name()}_decide"
            context["draft"] = f"{self._name()}-{change.pk}"
        # the buttons only; the service checks the same again
        context["decides"] = (
            change is not None
            and not context["altered"]
            and change.state == self.model.State.PROPOSED  # type: ignore[attr-defined]
            and change.proposed_by_id != request.user.pk
            and self._may(request, "decide")
        )
        return super().render_change_form(request, context, *rest, **more)

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> Any:
        """Say that another person decides and that nothing is changed yet."""
        sentence = f"{obj}: proposed. Another {self.decider} must decide."
        self.message_user(request, sentence, messages.SUCCESS)
        return self.response_post_save_add(request, obj)

    def decide(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Approve or reject as another than the proposer; a refusal gives the note back."""
        if not self._may(request, "decide"):
            raise PermissionDenied
        change = get_object_or_404(self.model, pk=pk)
        by, note = cast(User, request.user), request.POST.get("note", "").strip()
        try:
            if request.POST.get("decision") == "approve":
                outcome = self.approve(change, by, note)
            else:
                self.reject(change, by, note)
                outcome = "rejected."
            stored = f"stored-{self._name()}-{pk}"  # the browser's draft of the note may be deleted
            messages.success(request, f"{change}: {outcome}", extra_tags=stored)
        except DomainError as error:
            return self.again(request, pk, error, typed=note)
        return HttpResponseRedirect(reverse(f"admin:{self._name()}_change", args=[pk]))

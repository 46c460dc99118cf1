"""Shared parts of these pages' actions: permission, reason, and confirmation message."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from apps.platform.common.problems import DomainError
from apps.platform.desk.note_validation import LONGEST_REASON, find_note_fault
from apps.platform.desk.record_list_admin import RecordListAdmin


def run_staff_action(
    request: HttpRequest,
    *,
    page: str,
    act: Callable[..., Any],
    said: Callable[[Any], str],
    again: Callable[[str, str], HttpResponse],
    draft: str,
) -> HttpResponse:
    """Run a button's action with the reason beside it; return to the page with a message.

    `act` gets `by` and `reason`; `said` formats its result as a message. Without a valid reason, or
    when the action is refused, `again(typed, fault)` renders the page with the input.
    """
    reason = request.POST.get("note", "").strip()
    fault = find_note_fault(reason, most=LONGEST_REASON)
    if not fault:
        try:
            done = act(by=cast(User, request.user).get_username(), reason=reason)
        except DomainError as error:
            fault = error.detail
        else:
            messages.success(request, said(done), extra_tags=f"stored-{draft}")
            return HttpResponseRedirect(page)
    return again(reason, fault)


class StaffActionAdmin(RecordListAdmin):
    """Records with actions that need a reason; a refused one is shown with the input."""

    def draw_record(
        self, request: HttpRequest, record: Any, typed: str = "", fault: str = ""
    ) -> HttpResponse:
        shown = self.build_record_context(record, cast(User, request.user))
        shown |= {"typed": typed, "refused": fault}
        return self.draw(request, self.record_template, shown, 400 if fault else 200)

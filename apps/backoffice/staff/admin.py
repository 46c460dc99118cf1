"""Staff and their sign-in, for those who help with it; and the ledger of what changed."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse

from apps.backoffice.staff import services
from apps.backoffice.staff.models import STRONG, Factor, PeopleEvent, Person
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.view_guards import post_only_step

Step = Callable[[Person, User, str, datetime], str]


@admin.register(Person)
class PersonAdmin(ReadOnlyAdmin):
    """Who works here: second factors and sign-ins, to reset and to end for others."""

    change_form_template = "staff/person.html"
    list_display = ("username", "roles", "is_active", "has_second", "last_login")
    list_filter = ("is_active",)
    search_fields = ("username",)
    fields = ("username", "roles", "is_active", "has_second", "last_login")
    ordering = ("username",)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Person]:
        strong = Factor.objects.filter(user=OuterRef("pk"), kind__in=STRONG)
        rows: QuerySet[Person] = super().get_queryset(request).filter(is_staff=True)
        return rows.prefetch_related("groups").annotate(second=Exists(strong))

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [
            path("<id:pk>/reset/", wrap(post_only_step(self.reset)), name="staff_person_reset"),
            path("<id:pk>/end/", wrap(post_only_step(self.end)), name="staff_person_end"),
            *super().get_urls(),
        ]

    @admin.display(description="Roles")
    def roles(self, person: Person) -> str:
        return ", ".join(group.name for group in person.groups.all())

    @admin.display(description="Second factor", boolean=True)
    def has_second(self, person: Person) -> bool:
        return bool(person.second)  # type: ignore[attr-defined]

    def record_context(self, request: HttpRequest, record: Any) -> dict[str, Any]:
        return {
            "rows": services.list_current_sign_ins(record, now()),
            "may_reset": request.user.has_perm("staff.reset_factor"),
            "may_end": request.user.has_perm("staff.end_signin"),
        }

    def reset(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Reset the second factors of a user who lost them."""
        return self._step(request, pk, "staff.reset_factor", _reset_step)

    def end(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End all sign-ins of a user."""
        return self._step(request, pk, "staff.end_signin", _end_sign_ins_step)

    def _step(self, request: HttpRequest, pk: int, permission: str, step: Step) -> HttpResponse:
        if not request.user.has_perm(permission):
            raise PermissionDenied
        person = get_object_or_404(self.get_queryset(request), pk=pk)
        by, name = cast(User, request.user), "reset" if step is _reset_step else "end"
        reason = request.POST.get("reason", "")
        try:
            message = step(person, by, reason, now())
        except DomainError as error:
            return self.again(request, pk, error, typed={name: reason})
        messages.success(request, message, extra_tags=f"stored-person-{pk}-{name}")
        return HttpResponseRedirect(reverse("admin:staff_person_change", args=[pk]))


def _reset_step(person: Person, by: User, reason: str, now: datetime) -> str:
    count = services.reset_second_factors(person=person, by=by, reason=reason, now=now)
    if not count:
        return f"{person} had no second factor. All sign-ins have been ended."
    return f"{person} no longer has a second factor and has been signed out everywhere."


def _end_sign_ins_step(person: Person, by: User, reason: str, now: datetime) -> str:
    count = services.end_sign_ins_of_person(person=person, by=by, reason=reason, now=now)
    return f"Sign-ins of {person} ended: {count}."


@admin.register(PeopleEvent)
class PeopleEventAdmin(ReadOnlyAdmin):
    """What changed of how people sign in."""

    list_display = ("recorded_at", "person", "what", "by", "details")
    list_display_links = None
    list_filter = ("what",)
    list_select_related = ("person",)
    search_fields = ("person__username", "by")
    date_hierarchy = "recorded_at"
    ordering = ("-pk",)
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        return [path("", self.page_view(self.changelist_view), name="staff_peopleevent_changelist")]

    @admin.display(description="Details")
    def details(self, event: PeopleEvent) -> str:
        return ", ".join(f"{name}: {value}" for name, value in event.data.items()) or "–"

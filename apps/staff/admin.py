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

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.desk.guard import posted
from apps.desk.pages import ReadOnly
from apps.staff import actions
from apps.staff.models import STRONG, Factor, PeopleEvent, Person

Step = Callable[[Person, User, str, datetime], str]


@admin.register(Person)
class PersonAdmin(ReadOnly):
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
            path("<id:pk>/reset/", wrap(posted(self.reset)), name="staff_person_reset"),
            path("<id:pk>/end/", wrap(posted(self.end)), name="staff_person_end"),
            *super().get_urls(),
        ]

    @admin.display(description="Roles")
    def roles(self, person: Person) -> str:
        return ", ".join(group.name for group in person.groups.all())

    @admin.display(description="Second factor", boolean=True)
    def has_second(self, person: Person) -> bool:
        return bool(person.second)  # type: ignore[attr-defined]

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        person = context.get("original")
        if person is not None:
            context["rows"] = actions.standing(person, now())
            context["may_reset"] = request.user.has_perm("staff.reset_factor")
            context["may_end"] = request.user.has_perm("staff.end_signin")
        return super().render_change_form(request, context, *rest, **more)

    def reset(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take the second factors from somebody who lost theirs."""
        return self._step(request, pk, "staff.reset_factor", _reset)

    def end(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End all sign-ins of somebody."""
        return self._step(request, pk, "staff.end_signin", _end)

    def _step(self, request: HttpRequest, pk: int, permission: str, step: Step) -> HttpResponse:
        if not request.user.has_perm(permission):
            raise PermissionDenied
        person = get_object_or_404(self.get_queryset(request), pk=pk)
        by, name = cast(User, request.user), "reset" if step is _reset else "end"
        reason = request.POST.get("reason", "")
        try:
            told = step(person, by, reason, now())
        except DomainError as error:
            return self.again(request, pk, error, typed={name: reason})
        messages.success(request, told, extra_tags=f"stored-person-{pk}-{name}")
        return HttpResponseRedirect(reverse("admin:staff_person_change", args=[pk]))


def _reset(person: Person, by: User, reason: str, now: datetime) -> str:
    count = actions.reset(person=person, by=by, reason=reason, now=now)
    if not count:
        return f"{person} had no second factor. All sign-ins are ended."
    return f"{person} has no second factor any more, and is signed in nowhere."


def _end(person: Person, by: User, reason: str, now: datetime) -> str:
    count = actions.end_of(person=person, by=by, reason=reason, now=now)
    return f"Sign-ins of {person} that are ended: {count}."


@admin.register(PeopleEvent)
class PeopleEventAdmin(ReadOnly):
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

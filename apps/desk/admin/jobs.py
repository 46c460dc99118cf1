"""Operators' pages: jobs and schedules."""

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse

from apps.core import jobs
from apps.core.clock import now
from apps.core.models import Job, JobAttempt, JobState, Periodic
from apps.desk.guard import posted
from apps.desk.home import Tile
from apps.desk.pages import ReadOnly
from config.jobs import JOBS

OVERDUE = timedelta(minutes=5)
SHORTEST, LONGEST = 60, 31 * 24 * 3600


def overdue(moment: datetime) -> QuerySet[Job]:
    """Return the jobs that should have run minutes ago: no worker takes them."""
    return Job.objects.due(moment - OVERDUE)


def tiles(user: User, moment: datetime) -> list[Tile]:
    """Return the operator's figures for the home page."""
    if not user.has_perm("core.view_job"):
        return []
    failed = Job.objects.filter(state=JobState.FAILED).count()
    late = overdue(moment).count()
    address = reverse("admin:core_job_changelist")
    return [
        Tile("Failed jobs", failed, f"{address}?standing=failed", "bad" if failed else ""),
        Tile("Overdue jobs", late, f"{address}?standing=overdue", "bad" if late else ""),
    ]


class Standing(admin.SimpleListFilter):
    """Which jobs to show: what needs somebody comes first."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("failed", "Failed"),
            ("overdue", "Overdue"),
            ("waiting", "Waiting"),
            ("running", "Running"),
            ("done", "Done"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Job]) -> QuerySet[Job]:
        states = {
            "failed": JobState.FAILED,
            "waiting": JobState.PENDING,
            "running": JobState.RUNNING,
            "done": JobState.DONE,
        }
        if self.value() == "overdue":
            return queryset.filter(pk__in=overdue(now()).values("pk"))
        state = states.get(self.value() or "")
        return queryset.filter(state=state) if state else queryset


class Attempts(admin.TabularInline):
    """Every run of a job, and how it ended."""

    model = JobAttempt
    fields = readonly_fields = ("number", "started_at", "finished_at", "error")
    extra = max_num = 0
    can_delete = False
    ordering = ("-number",)
    verbose_name_plural = "attempts"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Job)
class JobAdmin(ReadOnly):
    """Background jobs; the one thing to do is to start a failed one anew."""

    change_form_template = "desk/job.html"
    list_display = ("what", "key", "state", "eta", "attempts", "last_error")
    list_filter = (Standing,)
    search_fields = ("name", "key")
    fields = (
        "what", "name", "key", "state", "eta", "attempts",
        "lease_until", "last_error", "created_at", "finished_at",
    )  # fmt: skip
    ordering = ("-pk",)
    inlines = (Attempts,)
    actions = ("retry_selected",)
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        retry = path("<id:pk>/retry/", wrap(posted(self.retry)), name="core_job_retry")
        return [retry, *super().get_urls()]

    @admin.display(description="Job")
    def what(self, job: Job) -> str:
        return JOBS[job.name].title if job.name in JOBS else job.name

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("core.change_job")

    @admin.action(description="Start failed jobs anew", permissions=["retry"])
    def retry_selected(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        started = sum(jobs.retry(job_id=job.pk, now=now()) for job in queryset)
        messages.success(request, f"{started} failed jobs start anew.")

    def retry(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Start one failed job anew."""
        if not self.has_retry_permission(request):
            raise PermissionDenied
        if jobs.retry(job_id=pk, now=now()):
            messages.success(request, "The job starts anew.")
        else:
            messages.warning(request, "The job is not failed (any more).")
        return HttpResponseRedirect(reverse("admin:core_job_change", args=[pk]))

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> Any:
        job = context.get("original")
        context["may_retry"] = (
            job is not None and job.state == JobState.FAILED and self.has_retry_permission(request)
        )
        return super().render_change_form(request, context, *rest, **more)


class PeriodicForm(forms.ModelForm):
    """How often a job comes again."""

    every_seconds = forms.IntegerField(
        label="Every (seconds)",
        min_value=SHORTEST,
        max_value=LONGEST,
        help_text="From 60 (a minute) to 2678400 (31 days); 3600 is an hour, 86400 a day.",
    )

    class Meta:
        model = Periodic
        fields: ClassVar[list[str]] = ["every_seconds", "enabled"]


@admin.register(Periodic)
class PeriodicAdmin(ReadOnly):
    """Schedules: their rhythm is the operator's, what they run is the code's."""

    form = PeriodicForm
    list_display = ("what", "name", "rhythm", "enabled", "next_at")
    fields = ("what", "name", "every_seconds", "enabled", "next_at")
    readonly_fields = ("what", "name", "next_at")
    ordering = ("name",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("core.change_periodic")

    @admin.display(description="Schedule")
    def what(self, periodic: Periodic) -> str:
        return JOBS[periodic.name].title if periodic.name in JOBS else periodic.name

    @admin.display(description="Every")
    def rhythm(self, periodic: Periodic) -> str:
        return str(timedelta(seconds=periodic.every_seconds))

    def save_model(self, request: HttpRequest, obj: Periodic, form: Any, change: bool) -> None:
        # a shorter rhythm counts from now on, not after the old, longer wait
        obj.next_at = min(obj.next_at, now() + timedelta(seconds=obj.every_seconds))
        super().save_model(request, obj, form, change)

"""The operator's page of jobs: those that need attention first, routine ones folded away."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Case, IntegerField, Max, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.html import format_html

from apps.platform.common.clock import now
from apps.platform.desk import error_messages, time_formats
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.home import Tile
from apps.platform.desk.operator_panel import OVERDUE, overdue_jobs
from apps.platform.desk.view_guards import post_only_step
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState, Periodic
from apps.platform.jobs.registry import job_title
from config.error_messages import JOB_STATE_LABELS

# Jobs that run at least this often are routine: hidden from the list while they succeed
FREQUENT_SECONDS = 300
# how many of the newest jobs the first page shows, beside all unfinished ones
RECENT_COUNT = 2000
MOST_ATTEMPTS_SHOWN = 50  # attempts shown of a job: a periodic one has an unlimited number
UNDONE = (JobState.FAILED, JobState.RUNNING, JobState.PENDING)


def job_tiles(user: User, moment: datetime) -> list[Tile]:
    """Return the operator's figures for the home page."""
    if not user.has_perm("core.view_job"):
        return []
    failed = Job.objects.failing().count()
    late = overdue_jobs(moment).count()
    address = reverse("admin:core_job_changelist")
    return [
        Tile("Failed jobs", failed, f"{address}?standing=failed", "bad" if failed else ""),
        Tile("Overdue jobs", late, f"{address}?standing=overdue", "bad" if late else ""),
    ]


@dataclass(frozen=True, slots=True)
class RecentJobs:
    """The newest jobs, a bounded range however many there are, and which of them are routine."""

    newest: Q
    routine: Q

    @classmethod
    def of(cls, request: HttpRequest) -> "RecentJobs":
        """Return what a page shows; queried once per page."""
        # the list and the count of what is hidden must mean the same jobs
        recent_jobs: RecentJobs | None = getattr(request, "_jobs_lately", None)
        if recent_jobs is None:
            last = Job.objects.aggregate(last=Max("pk"))["last"] or 0
            often = Periodic.objects.filter(every_seconds__lte=FREQUENT_SECONDS)
            names = list(often.values_list("name", flat=True))
            well = Q(state=JobState.DONE, name__in=names, last_error="", attempts__lte=1)
            recent_jobs = cls(Q(pk__gt=last - RECENT_COUNT), well)
            request._jobs_lately = recent_jobs  # type: ignore[attr-defined]
        return recent_jobs


def order_by_urgency(moment: datetime) -> Case:
    """Return the order in which failed jobs come first, then overdue ones, then the others."""
    late = Q(state=JobState.PENDING, eta__lte=moment - OVERDUE)
    late |= Q(state=JobState.RUNNING, lease_until__lte=moment - OVERDUE)
    return Case(
        When(state=JobState.FAILED, then=Value(0)),
        When(late, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )


class JobStateFilter(admin.SimpleListFilter):
    """Filter jobs by state: those that need attention come first, routine successes are folded."""

    title = "standing"
    parameter_name = "standing"
    states = {  # noqa: RUF012
        "failed": JobState.FAILED,
        "waiting": JobState.PENDING,
        "running": JobState.RUNNING,
        "done": JobState.DONE,
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("failed", "Failed"),
            ("overdue", "Overdue"),
            ("waiting", "Waiting"),
            ("running", "Running"),
            ("done", "Done"),
            ("all", "All, including routine"),
        ]

    def choices(self, changelist: Any) -> Any:
        for number, choice in enumerate(super().choices(changelist)):
            yield choice | ({"display": "Recent, without routine"} if number == 0 else {})

    def queryset(self, request: HttpRequest, queryset: QuerySet[Job]) -> QuerySet[Job]:
        if self.value() == "overdue":
            return queryset.filter(pk__in=overdue_jobs(now()).values("pk"))
        if state := self.states.get(self.value() or ""):
            return queryset.filter(state=state)
        if self.value() or request.GET.get("q"):  # a search finds jobs in any state
            return queryset
        lately = RecentJobs.of(request)
        return queryset.filter(Q(state__in=UNDONE) | (lately.newest & ~lately.routine))


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """Background jobs; the only action is to restart a failed one."""

    change_form_template = "desk/job.html"
    list_display = ("what", "concerns", "standing", "due", "tries", "why")
    list_filter = (JobStateFilter,)
    search_fields = ("name", "key")
    fields = (
        "what", "concerns", "standing", "due", "tries", "lent", "why", "planned", "ended",
        "technical",
    )  # fmt: skip
    ordering = ("-pk",)
    sortable_by = ()  # sorting a million rows by other columns is useless; the filter helps
    change_list_template = "desk/jobs.html"
    actions = ("retry_selected",)
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        retry = path("<id:pk>/retry/", wrap(post_only_step(self.retry)), name="core_job_retry")
        return [retry, *super().get_urls()]

    @admin.display(description="Job")
    def what(self, job: Job) -> str:
        return job_title(job.name)

    @admin.display(description="Concerns")
    def concerns(self, job: Job) -> str:
        return job.key or "–"

    @admin.display(description="Standing")
    def standing(self, job: Job) -> str:
        return JOB_STATE_LABELS.get(job.state, job.state)

    @admin.display(description="Due")
    def due(self, job: Job) -> str:
        return time_formats.format_moment(job.eta)

    @admin.display(description="Tries")
    def tries(self, job: Job) -> int:
        return job.attempts

    @admin.display(description="Worker deadline")
    def lent(self, job: Job) -> str:
        return time_formats.format_moment(job.lease_until) if job.lease_until else "–"

    @admin.display(description="What went wrong")
    def why(self, job: Job) -> str:
        return error_messages.render_error(job.last_error)

    @admin.display(description="Planned")
    def planned(self, job: Job) -> str:
        return time_formats.format_moment(job.created_at)

    @admin.display(description="Ended")
    def ended(self, job: Job) -> str:
        return time_formats.format_moment(job.finished_at) if job.finished_at else "–"

    @admin.display(description="Technical name")
    def technical(self, job: Job) -> str:
        return format_html('<small class="detail"><code>{}</code></small>', job.name)

    def get_ordering(self, request: HttpRequest) -> Any:
        """Put jobs that need attention first if the rows are few; otherwise the newest."""
        standing = request.GET.get("standing", "")
        if standing in JobStateFilter.states:
            return ("-eta", "-pk")  # in the order of the state's index, so that nothing is sorted
        if standing or request.GET.get("q"):
            return ("-pk",)
        return (order_by_urgency(now()), "-pk")

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        folded = not (request.GET.get("standing") or request.GET.get("q"))
        lately = RecentJobs.of(request)
        hidden = Job.objects.filter(lately.newest & lately.routine).count() if folded else 0
        shown = {"folded": folded, "hidden": hidden, "looked_at": RECENT_COUNT}
        return super().changelist_view(request, shown | (extra_context or {}))

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("core.change_job")

    @admin.action(description="Retry failed jobs", permissions=["retry"])
    def retry_selected(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        started = sum(job_queue.retry_job(job_id=job.pk, now=now()) for job in queryset)
        messages.success(request, f"{started} failed jobs will be retried.")

    def retry(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Restart one failed job."""
        if not self.has_retry_permission(request):
            raise PermissionDenied
        if job_queue.retry_job(job_id=pk, now=now()):
            messages.success(request, "The job will be retried.")
        else:
            messages.warning(request, "The job is no longer failed.")
        return HttpResponseRedirect(reverse("admin:core_job_change", args=[pk]))

    def record_context(self, request: HttpRequest, record: Job) -> dict[str, Any]:
        runs = record.runs.order_by("-number")[:MOST_ATTEMPTS_SHOWN]
        failed = record.state == JobState.FAILED
        return {
            "may_retry": failed and self.has_retry_permission(request),
            "runs": [(run, error_messages.explain_error(run.error)) for run in runs],
        }

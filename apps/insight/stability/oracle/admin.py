"""Pages of the oracle: runs, how weeks turned out, and weights that two operators change."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from apps.insight.stability.models import StabilityRun, TierChange, TierOutcome, TierRecord
from apps.insight.stability.oracle import approvals, presenters, run_pages
from apps.insight.stability.oracle.forms import TierChangeForm
from apps.insight.stability.oracle.services import tier_changes
from apps.platform.common.clock import now
from apps.platform.desk.base_admin import NewestFirstAdmin, ReadOnlyAdmin
from apps.platform.desk.proposal_admin import ProposalAdmin


@admin.register(StabilityRun)
class StabilityRunAdmin(NewestFirstAdmin):
    """Every run as it came out, the newest first, below a chart of the last twelve hours."""

    change_list_template = "stability/runs.html"
    change_form_template = "stability/run.html"
    list_display = ("recorded_at", "scored", "status", "bps", "quality", "uptime", "weighed")
    list_filter = ("quality", "sample", "recorded_at")
    ordering = ("-slot",)
    fields = readonly_fields = (
        "recorded_at", "scored", "status", "bps", "quality", "uptime", "weighed", "method",
        "run_id",
    )  # fmt: skip

    @admin.display(description="Score")
    def scored(self, run: StabilityRun) -> str:
        return "none" if run.points is None else f"{run.points:.2f}"

    @admin.display(description="Status at the time")
    def status(self, run: StabilityRun) -> str:
        return presenters.status_at_run(run).capitalize()

    @admin.display(description="Peg deviation")
    def bps(self, run: StabilityRun) -> str:
        return "not known" if run.deviation_bps is None else f"{run.deviation_bps:.2f} bps"

    @admin.display(description="Runs with a score")
    def uptime(self, run: StabilityRun) -> str:
        return f"{run.good:,} of {run.due:,} due"

    @admin.display(description="Weights")
    def weighed(self, run: StabilityRun) -> str:
        return f"version {run.weights}" if run.weights else "initial"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Add the chart."""
        score_chart = run_pages.build_score_chart() if self.has_view_permission(request) else {}
        return super().changelist_view(request, score_chart | (extra_context or {}))

    def record_context(self, request: HttpRequest, record: StabilityRun) -> dict[str, Any]:
        """Add layers, signals and series of the run."""
        return run_pages.build_run_page(record)


@admin.register(TierOutcome)
class TierOutcomeAdmin(ReadOnlyAdmin):
    """How the weeks after runs turned out."""

    list_display = ("day", "turned", "off", "euro", "recorded_at")
    list_filter = ("bad",)
    fields = (*list_display,)

    @admin.display(description="Week")
    def turned(self, tier_outcome: TierOutcome) -> str:
        return "bad" if tier_outcome.bad else "good"

    @admin.display(description="Largest peg deviation")
    def off(self, tier_outcome: TierOutcome) -> str:
        return "purged" if tier_outcome.purged else f"{tier_outcome.data['deviation']} bps"

    @admin.display(description="Euro against the dollar")
    def euro(self, tier_outcome: TierOutcome) -> str:
        return "purged" if tier_outcome.purged else f"{tier_outcome.data['moved']} %"


@admin.register(TierRecord)
class TierRecordAdmin(ReadOnlyAdmin):
    """Versions of the weights; the newest is in force."""

    list_display = ("version", "method", "recorded_at")
    fields = ("version", "method", "recorded_at", "all_weights", "why")

    @admin.display(description="Weights")
    def all_weights(self, row: TierRecord) -> str:
        weights = row.data.get("weights", {})
        return ", ".join(
            f"{presenters.LAYER_TITLES.get(layer_id, layer_id)} {value / 10:g} %"
            for layer_id, value in weights.items()
        )

    @admin.display(description="Proposed and approved")
    def why(self, row: TierRecord) -> str:
        data = row.data
        if not data:
            return "purged"
        return (
            f"Proposed by {data['proposedBy']}, approved by {data['approvedBy']}: {data['reason']}"
        )


@admin.register(TierChange)
class TierChangeAdmin(ProposalAdmin):
    """Proposals: one operator makes them, another decides."""

    form = TierChangeForm
    list_display = ("__str__", "state", "proposed_by", "decided_by")
    pending = approvals.PENDING
    turn_down = staticmethod(tier_changes.reject_tier_change)
    means = staticmethod(approvals.describe_consequences)
    decider = "operator"
    asking = "Propose new tier weights"

    def draft(self, said: dict[str, Any]) -> TierChange:
        change = tier_changes.draft_tier_change(returns_to=said.get("returns_to"))
        change.reason = said.get("reason", "")
        return change

    def propose(self, form: Any, by: User) -> TierChange:
        return tier_changes.propose_tier_change(by=by, now=now(), **form.cleaned_data)

    def approve(self, change: TierChange, by: User, note: str) -> str:
        record = tier_changes.approve_tier_change(change=change, by=by, now=now(), note=note)
        return f"approved: tier weights {record.version} are in force."

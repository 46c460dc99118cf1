"""Pages of the intelligence service: answers, predictions, and their outcomes."""

from datetime import date

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import formats
from django.utils.html import format_html

from apps.insight.intelligence.graph_editions import SHARE_SCALE
from apps.insight.intelligence.models import (
    CallOutcome,
    GraphEdition,
    IntelligenceAnswer,
    Recalibration,
    RegimeOutcome,
    RegimePrediction,
)
from apps.insight.intelligence.rules.regimes import REGIMES
from apps.platform.desk.base_admin import NewestFirstAdmin
from apps.platform.ledger.verification.verified_reads import filter_verified_records

MILLION = 1_000_000
PURGED = "purged"
NONE = "–"


def _format_millionths(value: int | None) -> str:
    return NONE if value is None else f"{value / MILLION:.4f}"


@admin.register(IntelligenceAnswer)
class IntelligenceAnswerAdmin(NewestFirstAdmin):
    """Computed answers, with the series used for each."""

    list_display = ("recorded_at", "product", "subject", "quality", "version")
    list_filter = ("quality", "product", "recorded_at")
    fields = (*list_display, "slot", "rests_on", "body")

    @admin.display(description="Inputs")
    def rests_on(self, intelligence_answer: IntelligenceAnswer) -> str:
        if not intelligence_answer.data:
            return PURGED
        inputs = intelligence_answer.data["inputs"].items()
        parts = (
            f"{name} of {formats.date_format(date.fromisoformat(day))!s} ({source})"
            for name, (day, _, source) in inputs
        )
        return ", ".join(parts) or NONE

    @admin.display(description="Answer")
    def body(self, intelligence_answer: IntelligenceAnswer) -> str:
        if not intelligence_answer.data:
            return PURGED
        whole = '<details><summary>Response as sold</summary><pre tabindex="0">{}</pre></details>'
        return format_html(whole, intelligence_answer.data["body"])


@admin.register(RegimePrediction)
class RegimePredictionAdmin(NewestFirstAdmin):
    """Predicted regimes, and their outcomes once due."""

    list_display = ("recorded_at", "horizon", "due", "regime", "came", "quality")
    list_filter = ("horizon", "regime", "quality", "due")
    fields = (*list_display, "current", "chances", "version", "slot")

    @admin.display(description="Outcome")
    def came(self, regime_prediction: RegimePrediction) -> str:
        # a row that somebody inserted into the database is no outcome
        outcome = next(iter(filter_verified_records(regime_prediction.outcomes.all())), None)
        if outcome is None:
            return "pending"
        return outcome.regime or "not known"

    def get_queryset(self, request: HttpRequest) -> QuerySet[RegimePrediction]:
        """Return the predictions, with all outcomes in one query."""
        return super().get_queryset(request).prefetch_related("outcomes")

    @admin.display(description="Regime at the time")
    def current(self, regime_prediction: RegimePrediction) -> str:
        return (
            f"{regime_prediction.data['current']}, score {regime_prediction.data['score']}"
            if regime_prediction.data
            else PURGED
        )

    @admin.display(description="Probabilities")
    def chances(self, regime_prediction: RegimePrediction) -> str:
        chances = regime_prediction.data.get("chances")
        return ", ".join(f"{name} {chances[name]}" for name in REGIMES) if chances else PURGED


@admin.register(RegimeOutcome)
class RegimeOutcomeAdmin(NewestFirstAdmin):
    """The outcome of each predicted regime, with its scores."""

    list_display = (
        "due", "horizon", "regime", "right", "own", "climatology", "persistence", "recorded_at",
    )  # fmt: skip
    list_filter = ("horizon", "right", "due")
    fields = (*list_display, "prediction")

    @admin.display(description="Brier")
    def own(self, regime_outcome: RegimeOutcome) -> str:
        return _format_millionths(regime_outcome.brier)

    @admin.display(description="Brier of climatology")
    def climatology(self, regime_outcome: RegimeOutcome) -> str:
        return _format_millionths(regime_outcome.brier_climatology)

    @admin.display(description="Brier of persistence")
    def persistence(self, regime_outcome: RegimeOutcome) -> str:
        return _format_millionths(regime_outcome.brier_persistence)


@admin.register(Recalibration)
class RecalibrationAdmin(NewestFirstAdmin):
    """How far predictions are adjusted by the outcomes of earlier ones."""

    list_display = ("number", "month", "version", "moved", "recorded_at")
    fields = (*list_display, "found_on")

    @admin.display(description="Weight of climatology")
    def moved(self, recalibration: Recalibration) -> str:
        horizons = recalibration.data.get("horizons")
        if horizons is None:
            return PURGED
        return ", ".join(f"{days} days {of['weight']}" for days, of in horizons.items())

    @admin.display(description="Basis")
    def found_on(self, recalibration: Recalibration) -> str:
        horizons = recalibration.data.get("horizons")
        if horizons is None:
            return PURGED
        return ", ".join(
            f"{days} days: {of['cases']} predictions, {of['apart']} independent, Brier "
            f"{of['before']} to {of['after']}"
            for days, of in horizons.items()
        )


@admin.register(CallOutcome)
class CallOutcomeAdmin(NewestFirstAdmin):
    """Outcomes of 48-hour calls."""

    list_display = ("due", "subject", "direction", "came", "right", "own", "base", "recorded_at")
    list_filter = ("subject", "right", "due")
    fields = (*list_display, "answer")

    @admin.display(description="Brier")
    def own(self, call_outcome: CallOutcome) -> str:
        return _format_millionths(call_outcome.brier)

    @admin.display(description="Brier of base rates")
    def base(self, call_outcome: CallOutcome) -> str:
        return _format_millionths(call_outcome.brier_base)


@admin.register(GraphEdition)
class GraphEditionAdmin(NewestFirstAdmin):
    """Editions of the causal graph, with every edge."""

    list_display = ("number", "day", "phase", "figures", "quality", "version", "recorded_at")
    list_filter = ("phase", "quality")
    ordering = ("-number",)
    fields = (*list_display, "edges")

    @admin.display(description="Share from data")
    def figures(self, graph_edition: GraphEdition) -> str:
        return f"{graph_edition.share / SHARE_SCALE:.1%}"

    @admin.display(description="Edges")
    def edges(self, graph_edition: GraphEdition) -> str:
        stored_edges = graph_edition.data.get("edges")
        if stored_edges is None:
            return PURGED
        return ", ".join(
            f"{edge['from']} to {edge['to']} {edge['weight']}" for edge in stored_edges
        )

"""Pages of the intelligence service: what was answered and foretold, and what came of it."""

from datetime import date
from typing import Any

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
from apps.platform.ledger.verification.hash_chain import filter_verified_records

MILLION = 1_000_000
PURGED = "purged"
NONE = "–"


def _format_millionths(value: int | None) -> str:
    return NONE if value is None else f"{value / MILLION:.4f}"


def _format_iso_day(told: str) -> str:
    return str(formats.date_format(date.fromisoformat(told)))


@admin.register(IntelligenceAnswer)
class IntelligenceAnswerAdmin(NewestFirstAdmin):
    """Answers that were computed, with the series that each rests on."""

    list_display = ("recorded_at", "product", "subject", "quality", "version")
    list_filter = ("quality", "product", "recorded_at")
    fields = (*list_display, "slot", "rests_on", "body")

    @admin.display(description="Rests on")
    def rests_on(self, one: IntelligenceAnswer) -> str:
        if not one.data:
            return PURGED
        told = one.data["inputs"].items()
        each = (f"{name} of {_format_iso_day(day)} ({source})" for name, (day, _, source) in told)
        return ", ".join(each) or NONE

    @admin.display(description="Answer")
    def body(self, one: IntelligenceAnswer) -> str:
        if not one.data:
            return PURGED
        whole = '<details><summary>As it was sold</summary><pre tabindex="0">{}</pre></details>'
        return format_html(whole, one.data["body"])


@admin.register(RegimePrediction)
class RegimePredictionAdmin(NewestFirstAdmin):
    """Regimes that were foretold, and whether their day has come."""

    list_display = ("recorded_at", "horizon", "due", "regime", "came", "quality")
    list_filter = ("horizon", "regime", "quality", "due")
    fields = (*list_display, "current", "chances", "version", "slot")

    @admin.display(description="What came")
    def came(self, one: RegimePrediction) -> str:
        outcome = next(iter(filter_verified_records(one.outcomes.all())), None)
        if outcome is None:
            return "pending"
        return outcome.regime or "nothing known"

    def get_queryset(self, request: HttpRequest) -> QuerySet[RegimePrediction]:
        """Return the predictions, with what came of all in one query."""
        return super().get_queryset(request).prefetch_related("outcomes")

    @admin.display(description="Regime then")
    def current(self, one: RegimePrediction) -> str:
        return f"{one.data['current']}, score {one.data['score']}" if one.data else PURGED

    @admin.display(description="Chances")
    def chances(self, one: RegimePrediction) -> str:
        return _format_chances(one.data.get("chances"))


def _format_chances(told: Any) -> str:
    return ", ".join(f"{name} {told[name]}" for name in REGIMES) if told else PURGED


@admin.register(RegimeOutcome)
class RegimeOutcomeAdmin(NewestFirstAdmin):
    """What came of each foretold regime, with its scores."""

    list_display = (
        "due", "horizon", "regime", "right", "own", "climatology", "persistence", "recorded_at",
    )  # fmt: skip
    list_filter = ("horizon", "right", "due")
    fields = (*list_display, "prediction")

    @admin.display(description="Brier")
    def own(self, one: RegimeOutcome) -> str:
        return _format_millionths(one.brier)

    @admin.display(description="Brier of climatology")
    def climatology(self, one: RegimeOutcome) -> str:
        return _format_millionths(one.brier_climatology)

    @admin.display(description="Brier of persistence")
    def persistence(self, one: RegimeOutcome) -> str:
        return _format_millionths(one.brier_persistence)


@admin.register(Recalibration)
class RecalibrationAdmin(NewestFirstAdmin):
    """How far predictions are moved by what came of earlier ones."""

    list_display = ("number", "month", "version", "moved", "recorded_at")
    fields = (*list_display, "found_on")

    @admin.display(description="Moved towards climatology")
    def moved(self, one: Recalibration) -> str:
        told = one.data.get("horizons")
        if told is None:
            return PURGED
        return ", ".join(f"{days} days {of['weight']}" for days, of in told.items())

    @admin.display(description="Found on")
    def found_on(self, one: Recalibration) -> str:
        told = one.data.get("horizons")
        if told is None:
            return PURGED
        return ", ".join(
            f"{days} days: {of['cases']} predictions, {of['apart']} apart, "
            f"Brier {of['before']} to {of['after']}"
            for days, of in told.items()
        )


@admin.register(CallOutcome)
class CallOutcomeAdmin(NewestFirstAdmin):
    """What came of calls on 48 hours."""

    list_display = ("due", "subject", "direction", "came", "right", "own", "base", "recorded_at")
    list_filter = ("subject", "right", "due")
    fields = (*list_display, "answer")

    @admin.display(description="Brier")
    def own(self, one: CallOutcome) -> str:
        return _format_millionths(one.brier)

    @admin.display(description="Brier of base rates")
    def base(self, one: CallOutcome) -> str:
        return _format_millionths(one.brier_base)


@admin.register(GraphEdition)
class GraphEditionAdmin(NewestFirstAdmin):
    """Editions of the causal graph, with every edge."""

    list_display = ("number", "day", "phase", "figures", "quality", "version", "recorded_at")
    list_filter = ("phase", "quality")
    ordering = ("-number",)
    fields = (*list_display, "edges")

    @admin.display(description="Part of figures")
    def figures(self, one: GraphEdition) -> str:
        return f"{one.share / SHARE_SCALE:.1%}"

    @admin.display(description="Edges")
    def edges(self, one: GraphEdition) -> str:
        told = one.data.get("edges")
        if told is None:
            return PURGED
        return ", ".join(f"{edge['from']} to {edge['to']} {edge['weight']}" for edge in told)

"""Shapes of the ESG oracle (document 3 section 2.4)."""

from decimal import Decimal

from apps.insight.esg.models import COVERAGES
from apps.insight.esg.rules.indicators import PILLARS
from apps.insight.esg.serializers import LOOKUPS, QUALITIES
from apps.insight.esg.sfdr.rules.indicators import STATUS_RULES
from apps.insight.stability.fees.rules.esg_fee_tiers import FORMULA
from apps.platform.api.shapes import (
    EpochSeconds,
    Flag,
    Lei,
    ListOf,
    Moment,
    Number,
    OneOf,
    Shape,
    Text,
    Whole,
)
from apps.reference.signals.quality_labels import LABELS

STATUSES = tuple(dict.fromkeys(status_rule.status for status_rule in STATUS_RULES))


class ScoreQuery(Shape):
    """The entity to score; without an LEI the live score is returned."""

    lei = Lei(required=False, help_text="ISO 17442 code of the entity to score.")


class QuoteIn(Shape):
    """What to quote the ESG fee for."""

    amount_usd = Number(
        max_digits=15,
        min_value=Decimal("0.000001"),
        help_text="In USD, below 1,000,000,000, with at most six decimals.",
    )
    esg_score = Number(
        required=False, min_value=0, max_value=100, help_text="0 to 100; the live score if omitted."
    )


class ScoresOut(Shape):
    """0 to 100 each; use `average` as `esgScore` of a quote."""

    environmental = Number()
    social = Number()
    governance = Number()
    average = Number()


class FeeOut(Shape):
    """The ESG fee of a score, in per cent and in basis points."""

    pct = Number()
    bps = Number()
    tier = Text(help_text="Excellent, Good, Average, Below average or Poor.")
    formula = OneOf(choices=(FORMULA,), help_text="In per cent of the amount.")


class InputOut(Shape):
    """One series: its newest value, how strained that is in its own history, what it adds.

    `weight` is its weight in this run: if other series are missing, their weight goes to the rest.
    `nominalWeight` is the weight in the method. `share` is weight times strain, to 0.0001.
    """

    series = Text()
    value = Text()
    unit = Text(allow_blank=True)
    source = Text()  # type: ignore[assignment]
    licence = Text()
    as_of = Text()
    age_seconds = Whole()
    nominal_weight = Number()
    weight = Number(max_digits=10, decimal_places=8)
    strain = Number()
    share = Number()


class PillarOut(Shape):
    """One pillar: `score` is 100 less `strain`, which is the sum of the shares of its inputs.

    The contributions of the pillars add up to the average exactly: each is a third of its score.
    """

    pillar = OneOf(choices=PILLARS)
    score = Number()
    contribution = Number()
    composite = Text()
    version = Text()
    strain = Number()
    band = Text()
    coverage = Number(max_digits=30)
    data_quality = OneOf(choices=LABELS)
    reasons = ListOf(child=Text())
    inputs = InputOut(many=True)


class FailingOut(Shape):
    """One condition that is not met."""

    rule = Text()
    article = Whole()
    condition = Text()


class PaiOut(Shape):
    """One indicator of Annex I, Table 1; `value` is its status if it has none."""

    id = Whole()
    name = Text()
    annex = Text()
    status = OneOf(choices=STATUSES)
    rule = Text()
    value = Text()
    unit = Text()
    coverage_percent = Whole()
    missing = ListOf(child=Text())


class SfdrOut(Shape):
    """The articles that an entity is compatible with; `failing` says why it is not compatible with
    others.
    """

    article8_compatible = Flag()
    article9_compatible = Flag()
    taxonomy_aligned = Flag()
    failing = FailingOut(many=True)
    pai_indicators = PaiOut(many=True)
    pai_data_quality = Text()
    pai_version = Text()


class ScoreOut(Shape):
    """A score: LIVE of signals, with `pillars`, or of an ENTITY, with `sfdr`."""

    scope = OneOf(choices=("LIVE", "ENTITY"))
    scores = ScoresOut()
    fee = FeeOut()
    data_quality = OneOf(choices=QUALITIES)
    as_of = Moment(required=False)
    computed_at = EpochSeconds()
    method = Text()
    method_version = Text()
    pillars = PillarOut(many=True, required=False)
    lei = Lei(required=False)
    entity_name = Text(required=False)
    coverage = OneOf(choices=COVERAGES, required=False)
    lookup = OneOf(choices=LOOKUPS, required=False)
    sfdr = SfdrOut(required=False)


class QuotedFeeOut(FeeOut):
    """The ESG fee of a score and an amount, rounded down to 0.000001 USD."""

    usd = Number()


class QuoteOut(Shape):
    """The ESG fee of an amount; times and `dataQuality` are present with the live score."""

    amount_usd = Number()
    esg_score = Number()
    score_source = OneOf(choices=("GIVEN", "LIVE"))
    fee = QuotedFeeOut()
    net_of_esg_fee_usd = Number()
    binding = Flag()
    note = Text()
    data_quality = OneOf(choices=LABELS, required=False)
    as_of = Moment(required=False)
    computed_at = EpochSeconds(required=False)


class TierOut(Shape):
    """Scores from `fromScore` up to, but not including, `belowScore` (including 100 in the
    highest).
    """

    label = Text()  # type: ignore[assignment]
    from_score = Whole()
    below_score = Number()
    bps_at_from = Number()
    bps_at_end = Number()


class ScoredFeeOut(FeeOut):
    """The fee of one score."""

    score = Whole()


class ScheduleOut(Shape):
    """The ESG fee across tiers and scores."""

    currency = Text()
    formula = OneOf(choices=(FORMULA,))
    tiers = TierOut(many=True)
    scores = ScoredFeeOut(many=True)
    goes_to = Text()


class FormulaOut(Shape):
    """The ESG fee formula, in basis points of the amount."""

    esg_formula = OneOf(choices=(FORMULA,))
    least_bps = Number()
    most_bps = Number()


class StartOut(Shape):
    """The requirements to get started."""

    human_required = Flag()


class AddressOut(Shape):
    """One address of the service."""

    method = Text()
    path = Text()
    summary = Text()


class EsgManifestOut(Shape):
    """The description of this service for programs."""

    name = Text()
    version = Text()
    description = Text()
    network = Text()
    fees = FormulaOut()
    method = Text()
    onboarding = StartOut()
    endpoints = AddressOut(many=True)
    documents = ListOf(child=Text())
    sandbox = Flag()


class RunOut(Shape):
    """One run: its scores, or the reason why there are none."""

    ran_at = EpochSeconds()
    ok = Flag()
    scores = ScoresOut(required=False)
    data_quality = OneOf(choices=LABELS, required=False)
    reason = Text(required=False)


class EsgReliabilityOut(Shape):
    """Uptime, as the share of due runs that produced a score, and the last 24 runs."""

    is_healthy = Flag()
    uptime_pct = Number(required=False, help_text="Rounded down; 100 means that no run was missed.")
    runs_due = Whole()
    runs_happened = Whole()
    window_days = Whole()
    every_seconds = Whole()
    history = RunOut(many=True)

"""Shapes of products on networks: the causal graph, and what goes through it."""

from decimal import Decimal
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.insight.intelligence.rules.bands import labels_of_bands
from apps.insight.intelligence.rules.currency_web import (
    CONTAGION_BANDS,
    RESONANCE_BANDS,
    SOVEREIGNS,
    STRAIN_BANDS,
    TECTONIC_BANDS,
)
from apps.insight.intelligence.rules.history_percentile_labels import WORDS
from apps.insight.intelligence.rules.impact_labels import IMPACT_WORDS
from apps.insight.intelligence.rules.layer_links import PHASE_WORDS
from apps.insight.intelligence.rules.layers import CODES, STATE_WORDS
from apps.insight.intelligence.rules.tectonic_faults import FAULTS
from apps.insight.intelligence.serializers.common import AnswerBase, ComponentOut, Figure, Score
from apps.insight.intelligence.serializers.shocks import NodeOut
from apps.platform.api.shapes import (
    Code,
    Day,
    EpochSeconds,
    Lei,
    ListOf,
    Number,
    OneOf,
    Shape,
    Text,
    Whole,
)

LEI_LENGTH = 20


class TopologyOut(Shape):
    """The current graph: whether its weights come from theory or data, and what leads."""

    phase = OneOf(choices=PHASE_WORDS)
    dominant_causal_path = ListOf(child=Text())
    most_influential = OneOf(choices=CODES)
    description = Text(max_length=2000)


class EvidenceOut(Shape):
    """What the data say about the edges.

    `tested` had enough months for a regression; `found` hold when all are judged together, so that
    at most a tenth of them are false; `contradicted` were found with the opposite sign.
    `empiricalShare` is the mean share of data in the weights, 0 to 1.
    """

    edges = Whole()
    tested = Whole()
    found = Whole()
    contradicted = Whole()
    months = Whole()
    empirical_share = Number()


class EditionOut(Shape):
    """The newest edition on record: one is written each day, and none is ever changed."""

    number = Whole()
    day = Day()
    phase = OneOf(choices=PHASE_WORDS)
    phase_since = Day()
    empirical_share = Number()


class CausalGraphOut(AnswerBase):
    """Which layer of the economy moves which."""

    topology = TopologyOut()
    evidence = EvidenceOut()
    edition = EditionOut(allow_null=True)
    components = NodeOut(many=True)


class ButterflyIn(Shape):
    """A shock: the layer where it enters, and by how many points (0 to 100) it moves its score."""

    node = OneOf(choices=CODES)
    magnitude = Number(min_value=Decimal("0.1"), max_value=Decimal(100), decimal_places=4)


class ShockOut(Shape):
    """The requested shock."""

    node = OneOf(choices=CODES)
    name = Text()
    magnitude = Number()


class EffectOut(Shape):
    """What arrives at a layer, the shock itself included; `contribution`: its share of the mean."""

    layer = OneOf(choices=CODES)
    name = Text()
    effect = Score()
    contribution = Number()
    score = Score(allow_null=True)
    score_after = Score(allow_null=True)
    status_after = OneOf(choices=STATE_WORDS)


class WaveOut(Shape):
    """What arrives at all layers after one step from edge to edge."""

    step = Whole()
    arrives = Number()


class ButterflyOut(AnswerBase):
    """Where a shock spreads; `impactScore` is the mean of what arrives at the seven layers."""

    impact_score = Score()
    regime = OneOf(choices=IMPACT_WORDS)
    shock = ShockOut()
    phase = OneOf(choices=PHASE_WORDS)
    effects = EffectOut(many=True)
    steps = WaveOut(many=True)
    dominant_path = ListOf(child=Text())
    components = NodeOut(many=True)


class ResonanceOut(AnswerBase):
    """How much of the movement of markets is common.

    `absorptionRatio` is the share of all variance in the largest eigenvectors of the window;
    `resonanceScore` its percentile among the ratios of all windows; `standardisedShift` how far the
    mean of the last year is above that of all, in standard deviations.
    """

    resonance_score = Score()
    regime = OneOf(choices=labels_of_bands(RESONANCE_BANDS))
    absorption_ratio = Number()
    standardised_shift = Number()
    eigenvectors = Whole()
    window_months = Whole()
    window_ends = Day()
    ratios = Whole()
    components = ComponentOut(many=True)


class MyceliumOut(AnswerBase):
    """How strained the network of currencies and trade is: the strain of its nodes, weighted by
    centrality.

    `connectedness` is the mean share of a node's moves that coincides with others', `concentration`
    the sum of squared centralities.
    """

    mycelium_score = Score()
    regime = OneOf(choices=labels_of_bands(STRAIN_BANDS))
    hub = Text()
    concentration = Number()
    connectedness = Number()
    window_months = Whole()
    components = ComponentOut(many=True)


class Origin(Code):
    """A sovereign by its code, or an institution by its LEI; no other name is accepted."""

    pattern = "^([A-Za-z]{2}|[A-Za-z0-9]{18}[0-9]{2})$"

    def to_internal_value(self, data: Any) -> str:
        code = super().to_internal_value(data)
        if code in SOVEREIGNS:
            return code
        if len(code) == LEI_LENGTH:
            return Lei().to_internal_value(code)
        listed = ", ".join(SOVEREIGNS)
        raise ValidationError(f"This must be one of: {listed}; or the LEI of an institution.")


class ContagionIn(Shape):
    """A loss: the sovereign or the institution (LEI) where it starts, and the share of its value,
    up to 1.

    For an institution `countryShare` is required: its share of its country's foreign debt, above 0
    and up to 1, as known to the caller. For a sovereign it is refused.
    """

    origin = Origin(max_length=LEI_LENGTH)
    loss_share = Number(min_value=Decimal("0.001"), max_value=Decimal(1), decimal_places=4)
    country_share = Number(
        min_value=Decimal("0.0001"), max_value=Decimal(1), decimal_places=4, required=False
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Reject an institution without a share, and a sovereign with one."""
        institution, share = attrs["origin"] not in SOVEREIGNS, attrs.get("country_share")
        if institution and share is None:
            sentence = "Required for an institution: its share of its country's foreign debt."
            raise ValidationError({"countryShare": sentence})
        if not institution and share is not None:
            raise ValidationError({"countryShare": "Allowed only for an institution."})
        return attrs


class InstitutionOut(Shape):
    """The institution where a loss starts, from GLEIF's record; `country` is that of its legal
    address, `countryShare` the caller's statement.
    """

    lei = Lei()
    legal_name = Text()
    country = Text()
    country_share = Number()
    source = Text()  # type: ignore[assignment]
    as_of = EpochSeconds()


class LossOut(Shape):
    """A sovereign: the share that it loses in total, and what it adds to the headline."""

    sovereign = OneOf(choices=tuple(SOVEREIGNS))
    series = Text(allow_blank=True)
    value = Number()
    signal = OneOf(choices=WORDS)
    source = Text(allow_blank=True)  # type: ignore[assignment]
    contribution = Number()


class ContagionOut(AnswerBase):
    """Where a loss spreads; `contagionScore` is DebtRank in hundredths; all nodes have the same
    weight.

    `originSovereign` is the node where it starts, and `originLoss` the share of its value that it
    loses: for an institution `lossShare` times `countryShare`. `assumption` states in words what is
    assumed about an institution.
    """

    contagion_score = Score()
    regime = OneOf(choices=labels_of_bands(CONTAGION_BANDS))
    origin = Text()
    loss_share = Number()
    origin_sovereign = OneOf(choices=tuple(SOVEREIGNS))
    origin_loss = Number()
    institution = InstitutionOut(allow_null=True)
    assumption = Text(allow_null=True, max_length=1000)
    rounds = Whole()
    window_months = Whole()
    window_ends = Day()
    components = LossOut(many=True)


class FaultOut(Shape):
    """A fault: its series, the percentile of its change over five years, and what it adds."""

    fault = OneOf(choices=tuple(fault_row.name for fault_row in FAULTS))
    series = Text()
    value = Figure(allow_null=True)
    score = Score(allow_null=True)
    signal = OneOf(choices=WORDS)
    source = Text(allow_blank=True)  # type: ignore[assignment]
    weight = Number()
    contribution = Number(allow_null=True)
    why = Text()
    reference = Text()


class TectonicOut(AnswerBase):
    """What has built up over years while markets show no stress.

    `strain` is the weighted mean of the faults, `release` the percentile of market stress;
    `tectonicScore` is the strain times the part of 100 that is not release.
    """

    tectonic_score = Score()
    regime = OneOf(choices=labels_of_bands(TECTONIC_BANDS))
    strain = Score()
    release = Score()
    years = Whole()
    components = FaultOut(many=True)

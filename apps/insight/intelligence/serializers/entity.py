"""Shape of the ESG answer about an entity (document 3 section 2.7)."""

from apps.insight.esg.models import COVERAGES
from apps.insight.intelligence.rules import entity_tiers
from apps.insight.intelligence.serializers.common import AnswerBase, Figure
from apps.platform.api.shapes import Day, Lei, ListOf, OneOf, Shape, Text, Whole


class EsgAnswerEnvironmentalOut(Shape):
    """The environment; `violations` are quarters of non-compliance with environmental law, out of
    the last twelve, per facility: null if no source publishes them.
    """

    score = Whole()
    violations = Figure(allow_null=True)
    risk_level = OneOf(choices=entity_tiers.RISKS)


class EsgAnswerGovernanceOut(Shape):
    """Governance."""

    score = Whole()
    risk_level = OneOf(choices=entity_tiers.RISKS)


class EsgAnswerSocialOut(Shape):
    """People; `incidents` are serious violations of work safety law per inspection, or null."""

    score = Whole()
    incidents = Figure(allow_null=True)
    risk_level = OneOf(choices=entity_tiers.RISKS)


class EsgAnswerPartsOut(Shape):
    """The three pillars."""

    environmental = EsgAnswerEnvironmentalOut()
    governance = EsgAnswerGovernanceOut()
    social = EsgAnswerSocialOut()


class EsgAnswerFigureOut(Shape):
    """One figure that counted, of the entity or of its country; `value` is exact."""

    subject = Text()
    measure = Text()
    title = Text()
    value = Text()
    unit = Text(allow_blank=True)
    period = Text()
    source = Text()  # type: ignore[assignment]
    as_of = Day()


class EsgAnswerOut(AnswerBase):
    """The ESG score of an entity.

    `restsOn` FULL: evidence about the entity in every pillar, PARTIAL in some, COUNTRY in none.
    `recommendedTier` is one below `tier` if a flag is severe.
    """

    lei = Lei()
    entity_name = Text()
    esg_score = Whole()
    tier = OneOf(choices=entity_tiers.NAMES)
    components = EsgAnswerPartsOut()
    flags = ListOf(child=OneOf(choices=entity_tiers.CODES))
    recommended_tier = OneOf(choices=entity_tiers.NAMES)
    rests_on = OneOf(choices=COVERAGES)
    reference = Text()
    figures = EsgAnswerFigureOut(many=True)

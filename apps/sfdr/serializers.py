"""Shapes of SFDR reports (document 1 section 2.8). Figures are decimals as texts: exact."""

from typing import Any

from rest_framework import serializers

from apps.core.shapes import (
    Country,
    Currency,
    Flag,
    Identifier,
    Lei,
    ListOf,
    Moment,
    Number,
    OneOf,
    PartyName,
    Shape,
    Text,
    Whole,
)
from apps.sfdr.rules.holdings import BLOCKS, INPUTS

MOST = 50  # document 1 section 8, PAI report size
STATUSES = ("WITHIN_THRESHOLD", "REVIEW", "ELEVATED_RISK", "DATA_REQUIRED", "NOT_APPLICABLE")
OVERALL = ("ELEVATED_RISK", "REVIEW", "WITHIN_THRESHOLD")
QUALITIES = ("LIVE", "PARTIAL", "ESTIMATED", "SAMPLE")
NAMES = tuple(name for block in BLOCKS for name in INPUTS[block])


class PaiInputIn(Shape):
    """One figure that you have of a holding; it counts before ours."""

    name = OneOf(choices=NAMES)
    value = Number(max_digits=24)
    estimated = Flag(required=False, default=False)


class PaiHoldingIn(Shape):
    """One investment: a company (`lei`), a country (`country`) or a property (`property`)."""

    lei = Lei(required=False)
    country = Country(required=False)
    property = Text(required=False, max_length=80, help_text="Your name for it.")
    value = Number(min_value=0, help_text="In `currency`.")
    currency = Currency(required=False)
    inputs = ListOf(child=PaiInputIn(), required=False, max_length=len(NAMES))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        named = [one for one in ("lei", "country", "property") if one in attrs]
        if len(named) != 1:
            raise serializers.ValidationError({"lei": ["Name one of lei, country and property."]})
        return attrs


class PaiIn(Shape):
    """A portfolio: with `holdings` weighted by value, with `leis` alone all weigh the same."""

    leis = ListOf(child=Lei(), required=False, max_length=MOST)
    holdings = ListOf(child=PaiHoldingIn(), required=False, max_length=MOST)
    portfolio_name = Text(max_length=200)
    reporting_period = Text(max_length=20, help_text="Such as 2025-Q4.")
    currency = Currency(required=False, default="EUR")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        leis, held = attrs.get("leis", []), attrs.get("holdings", [])
        if not leis and not held:
            raise serializers.ValidationError({"leis": ["Give at least one LEI or holding."]})
        if len(set(leis)) < len(leis):
            raise serializers.ValidationError({"leis": ["Each LEI stands once."]})
        valued = {one["lei"] for one in held if "lei" in one}
        if held and set(leis) - valued:
            told = "Give a value for each LEI, or for none."
            raise serializers.ValidationError({"holdings": [told]})
        return attrs


class SfdrScreenIn(Shape):
    """One entity, taken as if it were held whole."""

    lei = Lei()
    name = PartyName(help_text="Legal name; screened against the lists of sanctions.")
    reporting_period = Text(max_length=20, required=False, default="", allow_blank=True)
    inputs = ListOf(child=PaiInputIn(), required=False, max_length=len(NAMES))


class PaiPartialQuery(Shape):
    """Whose figures."""

    lei = Lei()


class PaiPartOut(Shape):
    """A further figure of an indicator, such as one scope or sector."""

    name = Text()
    value = Text(allow_null=True)
    coverage_percent = Whole()


class PaiThresholdsOut(Shape):
    """Beyond which a person looks, and the risk is elevated; ours, not the regulation's."""

    review = Text()
    elevated = Text()
    side = OneOf(choices=("ABOVE", "BELOW"))


class PaiIndicatorOut(Shape):
    """One indicator. `value` is a decimal in `unit`, or the status where there is no figure.

    `coveragePercent` and `estimatedPercent` are of the value of the holdings concerned; `missing`
    names those that were left out. Nothing is imputed.
    """

    id = Whole()
    name = Text()
    annex = Text()
    metric = Text()
    status = OneOf(choices=STATUSES)
    rule = Text()
    value = Text()
    unit = Text()
    coverage_percent = Whole()
    estimated_percent = Whole()
    missing = serializers.ListField(child=Text())
    thresholds = PaiThresholdsOut()
    parts = PaiPartOut(many=True)


class PaiSummaryOut(Shape):
    """How many of the 18 are computed and how the report stands as a whole."""

    total_indicators = Whole()
    computed = Whole()
    requires_additional_data = Whole()
    elevated_risk_flags = Whole()
    overall_status = OneOf(choices=OVERALL)


class PaiLegalOut(Shape):
    """The law that the indicators are of, as of a day."""

    basis = Text()
    as_of = Text()
    note = Text(max_length=600)


class PaiOut(Shape):
    """The report: kept, sealed, and never changed."""

    report_id = Identifier()
    portfolio_name = Text()
    reporting_period = Text()
    currency = Text()
    generated_at = Moment()
    weighting = OneOf(choices=("BY_VALUE", "EQUAL"))
    summary = PaiSummaryOut()
    indicators = PaiIndicatorOut(many=True)
    data_quality = OneOf(choices=QUALITIES)
    legal_basis = PaiLegalOut()
    rules_version = Text()


class SfdrSanctionsOut(Shape):
    """What the lists of sanctions say of the entity's name and LEI; `score` in percent."""

    matched = Flag()
    score = Whole()
    datasets = serializers.ListField(child=Text())


class SfdrScreenOut(Shape):
    """All 18 indicators of one entity, with its sanctions check."""

    screening_id = Identifier()
    lei = Lei()
    entity_name = Text()
    reporting_period = Text(allow_blank=True)
    generated_at = Moment()
    summary = PaiSummaryOut()
    indicators = PaiIndicatorOut(many=True)
    sanctions_check = SfdrSanctionsOut()
    ungc_compliance = OneOf(choices=STATUSES)
    data_quality = OneOf(choices=QUALITIES)
    legal_basis = PaiLegalOut()
    rules_version = Text()


class PaiPartialIndicatorsOut(Shape):
    """Figures that are held, DATA_REQUIRED, or REQUIRES_FULL_SCREEN."""

    ghg_emissions = Text()
    carbon_footprint = Text()
    biodiversity_risk = Text()
    board_gender_diversity = Text()
    sanctions_check = Text()
    aml_check = Text()
    ungc_compliance = Text()


class PaiPartialOut(Shape):
    """A first look at one entity."""

    lei = Lei()
    report = OneOf(choices=("partial",))
    pai_indicators = PaiPartialIndicatorsOut()
    data_quality = OneOf(choices=QUALITIES)
    legal_basis = PaiLegalOut()
    upgrade = Text()

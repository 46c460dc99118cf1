"""What SFDR reports and screens answer (document 1 section 2.8). Figures are decimals as texts."""

from rest_framework import serializers

from apps.insight.esg.models.sfdr_reports import OVERALL
from apps.platform.api.shapes import Flag, Identifier, Lei, Moment, OneOf, Shape, Text, Whole

STATUSES = ("WITHIN_THRESHOLD", "REVIEW", "ELEVATED_RISK", "DATA_REQUIRED", "NOT_APPLICABLE")
QUALITIES = ("LIVE", "PARTIAL", "GIVEN", "ESTIMATED", "SAMPLE")  # the best first


class PaiPartOut(Shape):
    """A further figure of an indicator, such as one scope or sector."""

    name = Text()
    value = Text(allow_null=True)
    coverage_percent = Whole()


class PaiThresholdsOut(Shape):
    """The values beyond which a person reviews, and beyond which the risk is elevated; ours, not
    the regulation's.
    """

    review = Text()
    elevated = Text()
    side = OneOf(choices=("ABOVE", "BELOW"))


class PaiQuarterOut(Shape):
    """An indicator at the end of one quarter."""

    quarter_end = Text()
    value = Text(allow_null=True)
    coverage_percent = Whole()


class PaiIndicatorOut(Shape):
    """One indicator. `value` is a decimal in `unit`, or the status if there is no figure.

    `coveragePercent` and `estimatedPercent` refer to the value of the holdings concerned; `missing`
    names those that were left out. Nothing is imputed. `quarters` is empty for one day.
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
    quarters = PaiQuarterOut(many=True)


class PaiSummaryOut(Shape):
    """How many of the 18 are computed, and the status of the report as a whole."""

    total_indicators = Whole()
    computed = Whole()
    requires_additional_data = Whole()
    elevated_risk_flags = Whole()
    overall_status = OneOf(choices=OVERALL)


class PaiLegalOut(Shape):
    """The legal basis of the indicators, as of a day."""

    basis = Text()
    as_of = Text()
    note = Text(max_length=600)


class PaiOut(Shape):
    """The report: stored, sealed, and never changed."""

    report_id = Identifier()
    portfolio_name = Text()
    reporting_period = Text()
    figures_until = Text(
        required=False, help_text="Later figures do not count. The end of the period, or now."
    )
    currency = Text()
    generated_at = Moment()
    weighting = OneOf(choices=("BY_VALUE", "EQUAL"))
    averaging = OneOf(
        choices=("FOUR_QUARTERS", "ONE_DAY"),
        help_text="ONE_DAY is not the mean of four quarters that Article 6(3) requires.",
    )
    summary = PaiSummaryOut()
    indicators = PaiIndicatorOut(many=True)
    data_quality = OneOf(choices=QUALITIES)
    legal_basis = PaiLegalOut()
    rules_version = Text()


class PaiFigureOut(Shape):
    """One figure that counted; `source` CALLER was sent with the request."""

    holding = Text()
    input = Text()
    value = Text()
    period = Text(allow_blank=True)
    source = Text()  # type: ignore[assignment]
    url = Text(allow_blank=True)
    as_of = Text(allow_blank=True)
    estimated = Flag()
    sample = Flag()


class PaiVersionsOut(Shape):
    """The versions of the rules that were applied."""

    rules = Text()


class PaiExportOut(Shape):
    """A report as delivered, and every figure that it is based on."""

    report = PaiOut()
    figures = PaiFigureOut(many=True)
    versions = PaiVersionsOut()


class SfdrSanctionsOut(Shape):
    """The sanctions result for the entity's name and LEI; `score` in percent."""

    matched = Flag()
    score = Whole()
    datasets = serializers.ListField(child=Text())
    checked = Flag(help_text="False if the name was not compared in full; `unread` says why.")
    unread = serializers.ListField(child=Text())


class SfdrScreenOut(Shape):
    """All 18 indicators of one entity, with its sanctions check."""

    screening_id = Identifier()
    lei = Lei()
    entity_name = Text()
    reporting_period = Text(allow_blank=True)
    figures_until = Text(required=False, help_text="Later figures do not count.")
    generated_at = Moment()
    summary = PaiSummaryOut()
    indicators = PaiIndicatorOut(many=True)
    sanctions_check = SfdrSanctionsOut()
    ungc_compliance = OneOf(choices=STATUSES)
    data_quality = OneOf(choices=QUALITIES)
    legal_basis = PaiLegalOut()
    rules_version = Text()


class SfdrScreenExportOut(Shape):
    """A screening as delivered, and every figure that it is based on."""

    report = SfdrScreenOut()
    figures = PaiFigureOut(many=True)
    versions = PaiVersionsOut()


class PaiPartialIndicatorsOut(Shape):
    """Known figures, DATA_REQUIRED, or REQUIRES_FULL_SCREEN."""

    ghg_emissions = Text()
    carbon_footprint = Text()
    biodiversity_risk = Text()
    board_gender_diversity = Text()
    sanctions_check = Text()
    aml_check = Text()
    ungc_compliance = Text()


class PaiPartialOut(Shape):
    """A preview of one entity."""

    lei = Lei()
    report = OneOf(choices=("partial",))
    pai_indicators = PaiPartialIndicatorsOut()
    data_quality = OneOf(choices=QUALITIES)
    legal_basis = PaiLegalOut()
    upgrade = Text()

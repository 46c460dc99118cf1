"""Shapes of SFDR reports (document 1 section 2.8). Figures are decimals as texts: exact."""

from typing import Any

from rest_framework import serializers

from apps.core.shapes import (
    Country,
    Currency,
    Day,
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
from apps.esg.rules.measures import BY_KEY, plausible
from apps.sfdr.exports import TYPES
from apps.sfdr.portfolio import FIELDS, named
from apps.sfdr.rules.holdings import BLOCKS, INPUTS, Block
from apps.sfdr.rules.quarters import is_year

MOST = 50  # document 1 section 8, PAI report size
STATUSES = ("WITHIN_THRESHOLD", "REVIEW", "ELEVATED_RISK", "DATA_REQUIRED", "NOT_APPLICABLE")
OVERALL = ("ELEVATED_RISK", "REVIEW", "WITHIN_THRESHOLD")
QUALITIES = ("LIVE", "PARTIAL", "GIVEN", "ESTIMATED", "SAMPLE")
NAMES = tuple(name for block in BLOCKS for name in INPUTS[block])


class PaiInputIn(Shape):
    """One figure that you have of a holding; it counts before ours."""

    name = OneOf(choices=NAMES)
    value = Number(max_digits=24)
    estimated = Flag(required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not plausible(key=attrs["name"], value=attrs["value"]):
            row = BY_KEY[attrs["name"]]
            told = f"{row.key} is {row.unit}, from {row.least:f} to {row.most:f}."
            raise serializers.ValidationError({"value": [told]})
        return attrs


def _fit(given: list[dict[str, Any]], block: Block) -> None:
    """Refuse inputs that are of another kind of holding, or given twice."""
    names = [one["name"] for one in given]
    if strange := sorted(set(names) - set(INPUTS[block])):
        raise serializers.ValidationError({"inputs": [f"{strange[0]} is not of this holding."]})
    if len(set(names)) < len(names):
        raise serializers.ValidationError({"inputs": ["Each input stands once."]})


class PaiHoldingIn(Shape):
    """One investment: a company (`lei`), a `country`, a `property`, or anything `other`.

    Cash, funds and whatever else is `other`: indicators 2, 3 and 15 are of all investments.
    """

    lei = Lei(required=False)
    country = Country(required=False)
    property = Text(required=False, max_length=80, help_text="Your name for it.")
    other = Text(required=False, max_length=80, help_text="Your name for it, such as Cash.")
    value = Number(min_value=0, help_text="In `currency`.")
    currency = Currency(required=False)
    inputs = ListOf(child=PaiInputIn(), required=False, max_length=len(NAMES))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len([one for one in FIELDS if one in attrs]) != 1:
            told = f"Name one of {', '.join(FIELDS)}."
            raise serializers.ValidationError({"lei": [told]})
        _fit(attrs.get("inputs", []), named(attrs)[0])
        return attrs


class PaiQuarterIn(Shape):
    """What was held at the end of a quarter, at its value then."""

    quarter_end = Day(help_text="31 March, 30 June, 30 September or 31 December.")
    holdings = ListOf(child=PaiHoldingIn(), max_length=MOST)


def _unlike(held: list[dict[str, Any]]) -> str:
    """Return an input that is given of one entity with two values, or an empty text."""
    told: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for one in held:
        for row in one.get("inputs", []):
            said = row["value"], row["estimated"]
            if told.setdefault((named(one), row["name"]), said) != said:
                return str(row["name"])
    return ""


class PaiIn(Shape):
    """A portfolio: with `quarters` as Article 6(3) asks, or `holdings` of one day, or `leis` alone.

    With `leis` alone all weigh the same. Inputs that are given of an entity count wherever it is
    held: they need be given once.
    """

    leis = ListOf(child=Lei(), required=False, max_length=MOST)
    holdings = ListOf(child=PaiHoldingIn(), required=False, max_length=MOST)
    quarters = ListOf(
        child=PaiQuarterIn(),
        required=False,
        max_length=4,
        help_text="Four, of one year: each indicator is then the mean of the four.",
    )
    portfolio_name = Text(max_length=200)
    reporting_period = Text(max_length=20, help_text="Such as 2025-Q4.")
    currency = Currency(required=False, default="EUR")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        quarters, leis = attrs.get("quarters", []), attrs.get("leis", [])
        held = attrs.get("holdings", []) + [one for q in quarters for one in q["holdings"]]
        if not leis and not held:
            raise serializers.ValidationError({"leis": ["Give at least one LEI or holding."]})
        if len(set(leis)) < len(leis):
            raise serializers.ValidationError({"leis": ["Each LEI stands once."]})
        place = "quarters" if quarters else "holdings"
        if told := _fault(attrs, held):
            raise serializers.ValidationError({place: [told]})
        return attrs


def _fault(attrs: dict[str, Any], held: list[dict[str, Any]]) -> str:
    """Return what is wrong with the holdings of a portfolio, or an empty text."""
    quarters = attrs.get("quarters", [])
    if quarters and attrs.get("holdings"):
        return "Give holdings or quarters, and not both."
    if quarters and not is_year([one["quarter_end"] for one in quarters]):
        return "Give the four ends of quarters of one year, each once."
    valued = {one["lei"] for one in held if "lei" in one}
    if held and set(attrs.get("leis", [])) - valued:
        return "Give a value for each LEI, or for none."
    if len(set(map(named, held))) > MOST:
        return f"At most {MOST} different holdings are taken."
    if name := _unlike(held):
        return f"{name} of one holding is given with two values."
    return ""


class SfdrScreenIn(Shape):
    """One entity, taken as if it were held whole."""

    lei = Lei()
    name = PartyName(help_text="Legal name; screened against the lists of sanctions.")
    reporting_period = Text(max_length=20, required=False, default="", allow_blank=True)
    inputs = ListOf(child=PaiInputIn(), required=False, max_length=len(NAMES))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        _fit(attrs.get("inputs", []), "COMPANY")
        return attrs


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


class PaiQuarterOut(Shape):
    """An indicator at the end of one quarter."""

    quarter_end = Text()
    value = Text(allow_null=True)
    coverage_percent = Whole()


class PaiIndicatorOut(Shape):
    """One indicator. `value` is a decimal in `unit`, or the status where there is no figure.

    `coveragePercent` and `estimatedPercent` are of the value of the holdings concerned; `missing`
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
    averaging = OneOf(
        choices=("FOUR_QUARTERS", "ONE_DAY"),
        help_text="ONE_DAY: not the mean of four quarters that Article 6(3) asks for.",
    )
    summary = PaiSummaryOut()
    indicators = PaiIndicatorOut(many=True)
    data_quality = OneOf(choices=QUALITIES)
    legal_basis = PaiLegalOut()
    rules_version = Text()


class PaiExportQuery(Shape):
    """Which kind of file is wanted."""

    format = OneOf(choices=tuple(TYPES), required=False, default="json")


class PaiFigureOut(Shape):
    """One figure that counted; `source` CALLER was given with the request."""

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
    """By which rules it was made."""

    rules = Text()


class PaiExportOut(Shape):
    """A report as it was given, and every figure that it rests on."""

    report = PaiOut()
    figures = PaiFigureOut(many=True)
    versions = PaiVersionsOut()


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


class SfdrScreenExportOut(Shape):
    """A screening as it was given, and every figure that it rests on."""

    report = SfdrScreenOut()
    figures = PaiFigureOut(many=True)
    versions = PaiVersionsOut()


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

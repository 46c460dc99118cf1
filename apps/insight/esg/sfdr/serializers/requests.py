"""Requests for SFDR reports and screens (document 1 section 2.8)."""

from typing import Any

from rest_framework import serializers

from apps.insight.esg.rules.measures import MEASURES_BY_KEY, is_plausible_value
from apps.insight.esg.sfdr.exports import TYPES
from apps.insight.esg.sfdr.requested_holdings import BLOCK_BY_FIELD, identify_holding
from apps.insight.esg.sfdr.rules import periods
from apps.insight.esg.sfdr.rules.holdings import BLOCKS, INPUTS_BY_BLOCK, Block
from apps.insight.esg.sfdr.rules.quarters import is_full_year
from apps.platform.api.shapes import (
    Country,
    Currency,
    Day,
    Flag,
    Lei,
    ListOf,
    Number,
    OneOf,
    PartyName,
    Shape,
    Text,
)

MOST = 50  # document 1 section 8, PAI report size
NAMES = tuple(name for block in BLOCKS for name in INPUTS_BY_BLOCK[block])


class ReportingPeriod(Text):
    """The period of a report; later figures do not count if the period can be read as dates."""

    def __init__(self, **rest: Any) -> None:
        sentence = "Such as 2025, 2025-Q4, 2025-H2 or 2025-12. Later figures do not count."
        super().__init__(max_length=20, help_text=sentence, **rest)

    def to_internal_value(self, data: Any) -> str:
        text = str(super().to_internal_value(data))
        try:
            periods.parse_period(text)
        except periods.NoSuchPeriod as error:
            raise serializers.ValidationError(str(error)) from error
        return text


class PaiInputIn(Shape):
    """One figure of your own about a holding; it takes precedence over ours."""

    name = OneOf(choices=NAMES)
    value = Number(max_digits=24)
    estimated = Flag(required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not is_plausible_value(key=attrs["name"], value=attrs["value"]):
            row = MEASURES_BY_KEY[attrs["name"]]
            sentence = f"{row.key} is {row.unit}, from {row.least:f} to {row.most:f}."
            raise serializers.ValidationError({"value": [sentence]})
        return attrs


def _check_inputs_fit(inputs: list[dict[str, Any]], block: Block) -> None:
    """Refuse inputs that are of another kind of holding, or given twice."""
    names = [row["name"] for row in inputs]
    if strange := sorted(set(names) - set(INPUTS_BY_BLOCK[block])):
        raise serializers.ValidationError(
            {"inputs": [f"{strange[0]} does not apply to this holding."]}
        )
    if len(set(names)) < len(names):
        raise serializers.ValidationError({"inputs": ["Each input may appear only once."]})


class PaiHoldingIn(Shape):
    """One investment: a company (`lei`), a `country`, a `property`, or anything `other`.

    Cash, funds and all other investments are `other`: indicators 2, 3 and 15 refer to all
    investments.
    """

    lei = Lei(required=False)
    country = Country(required=False)
    property = Text(required=False, max_length=80, help_text="Your name for the holding.")
    other = Text(
        required=False, max_length=80, help_text="Your name for the holding, such as Cash."
    )
    value = Number(min_value=0, help_text="In `currency`.")
    currency = Currency(required=False)
    inputs = ListOf(child=PaiInputIn(), required=False, max_length=len(NAMES))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len([field for field in BLOCK_BY_FIELD if field in attrs]) != 1:
            sentence = f"Name one of {', '.join(BLOCK_BY_FIELD)}."
            raise serializers.ValidationError({"lei": [sentence]})
        _check_inputs_fit(attrs.get("inputs", []), identify_holding(attrs)[0])
        return attrs


class PaiQuarterIn(Shape):
    """The holdings at the end of a quarter, at their value then."""

    quarter_end = Day(help_text="31 March, 30 June, 30 September or 31 December.")
    holdings = ListOf(child=PaiHoldingIn(), max_length=MOST)


def _find_conflicting_input(holdings: list[dict[str, Any]]) -> str:
    """Return an input that is given of one entity with two values, or an empty text."""
    figures_by_key: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for holding in holdings:
        for row in holding.get("inputs", []):
            figures = row["value"], row["estimated"]
            if (
                figures_by_key.setdefault((identify_holding(holding), row["name"]), figures)
                != figures
            ):
                return str(row["name"])
    return ""


class PaiIn(Shape):
    """A portfolio: with `quarters` as Article 6(3) requires, with the `holdings` of one day, or
    with only `leis`.

    With only `leis` all have the same weight. Inputs for an entity apply wherever it is held, so
    you only need to give them once.
    """

    leis = ListOf(child=Lei(), required=False, max_length=MOST)
    holdings = ListOf(child=PaiHoldingIn(), required=False, max_length=MOST)
    quarters = ListOf(
        child=PaiQuarterIn(),
        required=False,
        max_length=4,
        help_text="The four quarter ends of one year; each indicator is then their mean.",
    )
    portfolio_name = Text(max_length=200)
    reporting_period = ReportingPeriod()
    currency = Currency(required=False, default="EUR")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        quarters, leis = attrs.get("quarters", []), attrs.get("leis", [])
        all_holdings = attrs.get("holdings", []) + [
            holding for q in quarters for holding in q["holdings"]
        ]
        if not leis and not all_holdings:
            raise serializers.ValidationError({"leis": ["Give at least one LEI or holding."]})
        if len(set(leis)) < len(leis):
            raise serializers.ValidationError({"leis": ["Each LEI may appear only once."]})
        place = "quarters" if quarters else "holdings"
        if portfolio_fault := _find_portfolio_fault(attrs, all_holdings):
            raise serializers.ValidationError({place: [portfolio_fault]})
        return attrs


def _find_portfolio_fault(attrs: dict[str, Any], holdings: list[dict[str, Any]]) -> str:
    """Return what is wrong with the holdings of a portfolio, or an empty text."""
    quarters = attrs.get("quarters", [])
    if quarters and attrs.get("holdings"):
        return "Give either holdings or quarters, not both."
    ends = [quarter["quarter_end"] for quarter in quarters]
    if quarters and not is_full_year(ends):
        return "Give the four quarter ends of one year, each once."
    period = periods.parse_period(attrs["reporting_period"])
    # a text that is no period says nothing about the year
    if quarters and period and period.end.year != ends[0].year:
        return "Give the quarters of the year in reportingPeriod."
    valued = {holding["lei"] for holding in holdings if "lei" in holding}
    # holdings without a value weigh 1 beside values in EUR, so it is all or none
    if holdings and set(attrs.get("leis", [])) - valued:
        return "Give a value for each LEI, or for none."
    if len(set(map(identify_holding, holdings))) > MOST:
        return f"At most {MOST} different holdings are allowed."
    if name := _find_conflicting_input(holdings):
        return f"{name} of one holding is given with two values."
    return ""


class SfdrScreenIn(Shape):
    """One entity, as if the portfolio consisted only of it."""

    lei = Lei()
    name = PartyName(help_text="Legal name; screened against the sanctions lists.")
    reporting_period = ReportingPeriod(required=False, default="", allow_blank=True)
    inputs = ListOf(child=PaiInputIn(), required=False, max_length=len(NAMES))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        _check_inputs_fit(attrs.get("inputs", []), "COMPANY")
        return attrs


class PaiPartialQuery(Shape):
    """The entity."""

    lei = Lei()


class PaiExportQuery(Shape):
    """The file format."""

    format = OneOf(choices=tuple(TYPES), required=False, default="json")

"""Assemble a portfolio: holdings in EUR, with inputs that we hold or that were given."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from apps.insight.esg import evidence_figures
from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sfdr.requested_holdings import RequestedHolding
from apps.insight.esg.sfdr.rules.holdings import INPUTS_BY_BLOCK, Block, Holding, HoldingInput
from apps.platform.common.problems import DomainError
from apps.reference.signals import exchange_rates

CALLER = "CALLER"
# decimal places of a converted figure
_DECIMALS = Decimal("0.000001")
# inputs in EUR that sources publish in USD
IN_USD = {"revenue_usd": "revenue_eur", "country_gdp_usd": "country_gdp_eur"}


class RateUnavailable(DomainError):
    """There is no exchange rate for a currency of the portfolio: its values cannot be compared."""

    status, code, title = 422, "rate_unavailable", "No exchange rate"


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Holdings by quarter with their inputs, and each input with where it comes from.

    `ends` are the ends of quarters; empty for holdings of one day, which are the only entry of
    `quarters`. Figures of a time after `until` do not count.
    """

    quarters: tuple[tuple[Holding, ...], ...]
    figures: tuple[dict[str, Any], ...]
    sample: bool
    estimated: bool
    given: bool = False
    ends: tuple[date, ...] = ()
    until: date = date.max

    @property
    def holdings(self) -> tuple[Holding, ...]:
        """Everything that is held at any time, each thing once."""
        latest_holdings = {
            (holding.block, holding.id): holding for quarter in self.quarters for holding in quarter
        }
        return tuple(latest_holdings[key] for key in sorted(latest_holdings))

    @property
    def weighting(self) -> str:
        """Whether holdings weigh by value or all the same."""
        valued = all(holding.value is not None for quarter in self.quarters for holding in quarter)
        return "BY_VALUE" if valued else "EQUAL"


def assemble_portfolio(
    *,
    requested_holdings: Iterable[RequestedHolding],
    now: datetime,
    until: date,
    ends: Iterable[date] = (),
) -> Portfolio:
    """Return a portfolio with what is held about it; one query for all figures.

    Figures of a time after `until` do not count. Raises RateUnavailable. Several holdings of one
    entity are merged and their values added; inputs given for an entity count in every quarter.
    """
    listed, days = list(requested_holdings), sorted(ends)
    current_figures = evidence_figures.load_current_figures(
        subjects={holding.id for holding in listed}, today=until
    )
    # the serializer refuses two values for one input of a holding, so the order does not matter
    given_inputs: dict[tuple[Block, str], dict[str, Mapping[str, Any]]] = {}
    for requested_holding in listed:
        mine = given_inputs.setdefault(requested_holding.key, {})
        mine |= {row["name"]: row for row in requested_holding.given}
    euros = _EuroConverter(now)
    inputs: dict[tuple[Block, str], dict[str, HoldingInput]] = {}
    figures: list[dict[str, Any]] = []
    for key in sorted(given_inputs):
        inputs[key], rows = _combine_inputs(
            key, current_figures.get(key[1], {}), given_inputs[key].values(), euros
        )
        figures += rows
    # without quarter ends the portfolio has one entry, dated None as its holdings are
    times: list[date | None] = [*days] or [None]
    quarters = tuple(_merge_quarter_holdings(listed, on, inputs, euros) for on in times)
    return Portfolio(
        quarters,
        tuple(figures),
        any(figure["sample"] for figure in figures),
        any(figure["estimated"] for figure in figures),
        any(figure["source"] == CALLER for figure in figures),
        tuple(days),
        until,
    )


def _merge_quarter_holdings(
    listed: Iterable[RequestedHolding],
    on: date | None,
    inputs: Mapping[tuple[Block, str], dict[str, HoldingInput]],
    euros: "_EuroConverter",
) -> tuple[Holding, ...]:
    """Return what is held at one end of a quarter, each thing once."""
    merged: dict[tuple[Block, str], Holding] = {}
    for requested_holding in listed:
        if requested_holding.on != on:
            continue
        value = (
            None
            if requested_holding.value is None
            else euros.of(requested_holding.value, requested_holding.currency, on)
        )
        before = merged.get(requested_holding.key)
        if before is not None and value is not None:
            value += before.value or Decimal(0)
        merged[requested_holding.key] = Holding(
            requested_holding.id, requested_holding.block, value, inputs[requested_holding.key]
        )
    return tuple(merged[key] for key in sorted(merged))


class _EuroConverter:
    """Amounts in EUR by the reference rates of a day; each rate is looked up once."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self._rates: dict[tuple[str, date | None], Decimal | None] = {}

    def of(self, value: Decimal, currency: str, on: date | None) -> Decimal:
        """Return an amount in EUR; RateUnavailable without a rate that is young enough."""
        rate = self.rate(currency, on)
        if rate is None:
            day = f" of {on}" if on else ""
            raise RateUnavailable(
                f"There is no sufficiently recent rate{day} of {currency} to EUR."
            )
        return value / rate

    def rate(self, currency: str, on: date | None = None) -> Decimal | None:
        """Return units of a currency for one EUR, on a day or now."""
        if currency == "EUR":
            return Decimal(1)
        if (currency, on) not in self._rates:
            # the rate of the quarter end itself, which is published during that day
            at = datetime.combine(on, time.max, UTC) if on else self.now
            usd_amounts = [
                exchange_rates.convert_to_usd(amount=Decimal(1), currency=code, now=at)
                for code in ("EUR", currency)
            ]
            euro, other = usd_amounts
            self._rates[currency, on] = (
                euro.rate / other.rate if euro is not None and other is not None else None
            )
        return self._rates[currency, on]


def _combine_inputs(
    key: tuple[Block, str],
    figures: Mapping[str, Figure],
    given_inputs: Iterable[Mapping[str, Any]],
    euros: _EuroConverter,
) -> tuple[dict[str, HoldingInput], list[dict[str, Any]]]:
    """Return a holding's inputs, and each as the record keeps it; given ones count before ours."""
    block, name_of = key
    known = INPUTS_BY_BLOCK[block]
    inputs: dict[str, HoldingInput] = {}
    explained: dict[str, dict[str, Any]] = {}
    for measure, figure in sorted(figures.items()):
        name = IN_USD.get(measure, measure)
        # a figure that was published in EUR wins over one converted from USD
        if name not in known or (name != measure and name in figures):
            continue
        value = figure.value if name == measure else _convert_usd_to_eur(figure.value, euros)
        if value is None:
            # no rate: the input is missing, which lowers the coverage
            continue
        inputs[name] = HoldingInput(value, figure.estimated)
        explained[name] = {
            "holding": name_of,
            "input": name,
            "value": value,
            "period": figure.period,
            "source": figure.source,
            "url": figure.url,
            "asOf": figure.as_of.isoformat(),
            "estimated": figure.estimated,
            "sample": figure.sample,
        }
    # a caller's own figure replaces ours, and the record names CALLER as its source
    for row in given_inputs:
        inputs[row["name"]] = HoldingInput(row["value"], row["estimated"])
        holding_input = inputs[row["name"]]
        bare = {"period": "", "source": CALLER, "url": "", "asOf": "", "sample": False}
        explained[row["name"]] = {
            "holding": name_of,
            "input": row["name"],
            "value": holding_input.value,
            "estimated": holding_input.estimated,
            **bare,
        }
    return inputs, [explained[name] for name in sorted(explained)]


def _convert_usd_to_eur(value: Decimal, euros: _EuroConverter) -> Decimal | None:
    rate = euros.rate("USD")
    return None if rate is None else (value / rate).quantize(_DECIMALS)

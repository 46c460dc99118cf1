"""Puts a portfolio together: holdings in EUR, with the inputs that are held or were given."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.core.problems import DomainError
from apps.esg import evidence
from apps.esg.evidence import Figure
from apps.sfdr.rules.holdings import INPUTS, Block, Holding, Input
from apps.signals import rates

CALLER = "CALLER"
_DECIMALS = Decimal("0.000001")  # of a figure that was converted
# inputs in EUR that sources publish in USD
IN_USD = {"revenue_usd": "revenue_eur", "country_gdp_usd": "country_gdp_eur"}


class RateUnavailable(DomainError):
    """There is no exchange rate for a currency of the portfolio: its values cannot be compared."""

    status, code, title = 422, "rate_unavailable", "There is no exchange rate"


@dataclass(frozen=True, slots=True)
class Asked:
    """One holding as asked for; `value` in its currency, None where all weigh the same."""

    id: str
    block: Block
    value: Decimal | None
    currency: str
    given: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Holdings with their inputs, and each input with where it comes from."""

    holdings: tuple[Holding, ...]
    figures: tuple[dict[str, Any], ...]
    sample: bool
    estimated: bool

    @property
    def weighting(self) -> str:
        """Whether holdings weigh by value or all the same."""
        valued = all(one.value is not None for one in self.holdings)
        return "BY_VALUE" if valued else "EQUAL"


def asked_of(body: Mapping[str, Any]) -> list[Asked]:
    """Return the holdings of a request, those of one entity, country or property once each."""
    found = []
    for one in body.get("holdings", []):
        currency = one.get("currency") or body["currency"]
        block, name = _named(one)
        found.append(Asked(name, block, one["value"], currency, tuple(one.get("inputs", ()))))
    if not found:
        found = [Asked(lei, "COMPANY", None, body["currency"]) for lei in body.get("leis", [])]
    return found


def _named(one: Mapping[str, Any]) -> tuple[Block, str]:
    if "lei" in one:
        return "COMPANY", one["lei"]
    return ("SOVEREIGN", one["country"]) if "country" in one else ("REAL_ESTATE", one["property"])


def put_together(*, asked: Iterable[Asked], now: datetime) -> Portfolio:
    """Return a portfolio with what is held about it; one query for all figures.

    Raises RateUnavailable. Several holdings of one entity are one, worth their sum.
    """
    listed = list(asked)
    held = evidence.held(subjects={one.id for one in listed}, today=now.date())
    per_euro = _per_euro(listed, held, now)
    merged: dict[tuple[str, str], Holding] = {}
    told: dict[tuple[str, str, str], dict[str, Any]] = {}
    for one in listed:
        inputs, rows = _inputs(one, held.get(one.id, {}), per_euro)
        key = (one.block, one.id)
        value = None if one.value is None else _in_euro(one.value, one.currency, per_euro)
        if key in merged and value is not None:
            value += merged[key].value or Decimal(0)
            inputs = {**merged[key].inputs, **inputs}
        merged[key] = Holding(one.id, one.block, value, inputs)
        told |= {(one.block, one.id, figure["input"]): figure for figure in rows}
    holdings = tuple(merged[key] for key in sorted(merged))
    figures = tuple(told[key] for key in sorted(told))
    return Portfolio(
        holdings,
        figures,
        any(one["sample"] for one in figures),
        any(one["estimated"] for one in figures),
    )


def _per_euro(
    listed: Iterable[Asked], held: Mapping[str, Mapping[str, Figure]], now: datetime
) -> dict[str, Decimal]:
    """Return units of each currency that is needed for one EUR."""
    needed = {one.currency for one in listed if one.value is not None} - {"EUR"}
    published = any(key in figures for figures in held.values() for key in IN_USD)
    found = {"EUR": Decimal(1)}
    if not needed and not published:
        return found
    euro = rates.to_usd(amount=Decimal(1), currency="EUR", now=now)
    for currency in sorted(needed | {"USD"}):
        one = rates.to_usd(amount=Decimal(1), currency=currency, now=now)
        if euro is not None and one is not None:
            found[currency] = euro.rate / one.rate
        elif currency in needed:
            raise RateUnavailable(f"There is no rate of {currency} to EUR that is young enough.")
    return found


def _in_euro(value: Decimal, currency: str, per_euro: Mapping[str, Decimal]) -> Decimal:
    return value / per_euro[currency]


def _inputs(
    one: Asked, held: Mapping[str, Figure], per_euro: Mapping[str, Decimal]
) -> tuple[dict[str, Input], list[dict[str, Any]]]:
    """Return a holding's inputs, and each as the record keeps it; given ones count before ours."""
    known = INPUTS[one.block]
    inputs: dict[str, Input] = {}
    told: dict[str, dict[str, Any]] = {}
    for key, figure in sorted(held.items()):
        name = IN_USD.get(key, key)
        if name not in known or (name != key and (name in held or "USD" not in per_euro)):
            continue  # without a rate a figure in USD is missing
        value = figure.value
        if name != key:
            value = _in_euro(figure.value, "USD", per_euro).quantize(_DECIMALS)
        inputs[name] = Input(value, figure.estimated)
        told[name] = _told(one.id, name, value, figure)
    for given in one.given:
        if given["name"] in known:
            name = given["name"]
            inputs[name] = Input(given["value"], given["estimated"])
            told[name] = _given(one.id, name, inputs[name])
    return inputs, list(told.values())


def _told(holding: str, name: str, value: Decimal, figure: Figure) -> dict[str, Any]:
    return {
        "holding": holding,
        "input": name,
        "value": value,
        "period": figure.period,
        "source": figure.source,
        "url": figure.url,
        "asOf": figure.as_of.isoformat(),
        "estimated": figure.estimated,
        "sample": figure.sample,
    }


def _given(holding: str, name: str, one: Input) -> dict[str, Any]:
    bare = {"period": "", "source": CALLER, "url": "", "asOf": "", "sample": False}
    return {
        "holding": holding,
        "input": name,
        "value": one.value,
        "estimated": one.estimated,
        **bare,
    }

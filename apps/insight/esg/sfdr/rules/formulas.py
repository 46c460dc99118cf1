"""The regulation's formulas (Delegated Regulation (EU) 2022/1288, Annex I, Table 1). Pure.

Each takes the holdings of its block and returns the value with what it rests on. A holding whose
input is missing is left out and lowers the coverage: nothing is imputed.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from apps.insight.esg.rules.measures import HIGH_IMPACT
from apps.insight.esg.sfdr.rules.holdings import MILLION, Holding

HUNDRED = Decimal(100)
SECTORS = HIGH_IMPACT.lower()


@dataclass(frozen=True, slots=True)
class OutcomePart:
    """A further figure of an indicator, such as one scope; `covered` in percent of the value."""

    name: str
    value: Decimal | None
    covered: Decimal


@dataclass(frozen=True, slots=True)
class IndicatorOutcome:
    """The result of an indicator.

    `value` is None if no holding has its inputs. `covered` and `estimated` are per cent of the
    value of the holdings concerned; `missing` names the holdings left out. `base` is the value in
    EUR of the holdings that `value` covers. `least` is the lower bound whatever the missing inputs
    are; None if it is not known. `applies` is False if no holding is of the kind that the indicator
    covers.
    """

    value: Decimal | None
    covered: Decimal
    estimated: Decimal
    missing: tuple[str, ...] = ()
    parts: tuple[OutcomePart, ...] = ()
    applies: bool = True
    base: Decimal = Decimal(0)
    least: Decimal | None = None


NOTHING_CONCERNED = IndicatorOutcome(None, Decimal(0), Decimal(0), applies=False)
Formula = Callable[[Sequence[Holding]], IndicatorOutcome]
HoldingValue = Callable[[Holding], Decimal | None]


def weight_of_holding(holding: Holding, among: Sequence[Holding]) -> Decimal:
    """Return a holding's weight: its value, or 1 where not every value is known."""
    # mixing values with a weight of 1 would let one EUR weigh as much as a whole holding
    known = all(other.value is not None for other in among)
    return holding.value if known and holding.value is not None else Decimal(1)


def _collect_values(
    holdings: Sequence[Holding], own: HoldingValue, needs: Callable[[Holding], Iterable[str]]
) -> tuple[list[tuple[Decimal, Decimal]], Decimal, Decimal, tuple[str, ...]]:
    """Return (weight, value) of holdings with a value, covered and estimated %, and the rest."""
    total = sum((weight_of_holding(holding, holdings) for holding in holdings), Decimal(0))
    values, covered, guessed, missing = [], Decimal(0), Decimal(0), []
    for holding in holdings:
        value, mine = own(holding), weight_of_holding(holding, holdings)
        if value is None:
            missing.append(holding.id)
            continue
        values.append((mine, value))
        covered += mine
        if any(holding.inputs[n].estimated for n in needs(holding) if n in holding.inputs):
            guessed += mine
    # holdings may all be worth 0
    if not total:
        return values, Decimal(0), Decimal(0), tuple(missing)
    return values, covered * HUNDRED / total, guessed * HUNDRED / total, tuple(missing)


def weighted_mean(own: HoldingValue, needs: Sequence[str]) -> Formula:
    """Return the weighted mean of each holding's own value: SUM(w_i * x_i) over those known."""

    def compute(holdings: Sequence[Holding]) -> IndicatorOutcome:
        values, covered, guessed, missing = _collect_values(holdings, own, lambda _: needs)
        total = sum((mine for mine, _ in values), Decimal(0))
        value = sum((m * v for m, v in values), Decimal(0)) / total if total else None
        return IndicatorOutcome(value, covered, guessed, missing, base=total)

    return compute


def flagged_share(name: str) -> Formula:
    """Return the share in percent of the holdings of which a flag is true."""

    def own(holding: Holding) -> Decimal | None:
        flag = holding.get(name)
        return None if flag is None else flag * HUNDRED

    return weighted_mean_with_least(own, (name,))


def weighted_mean_with_least(own: HoldingValue, needs: Sequence[str]) -> Formula:
    """Return a weighted mean with its `least`, for own values that are never negative."""

    def compute(holdings: Sequence[Holding]) -> IndicatorOutcome:
        values, *_ = _collect_values(holdings, own, lambda _: needs)
        total = sum((weight_of_holding(holding, holdings) for holding in holdings), Decimal(0))
        # the missing holdings weigh in the divisor, as if each of their values were 0
        least = sum((m * v for m, v in values), Decimal(0)) / total if total else None
        return replace(weighted_mean(own, needs)(holdings), least=least)

    return compute


def financed_amount(names: Sequence[str]) -> HoldingValue:
    """Return the part of a figure that an investment pays for: value / enterprise value * sum."""

    def own(holding: Holding) -> Decimal | None:
        worth, figures = holding.get("enterprise_value_eur"), [holding.get(name) for name in names]
        # negative or zero: a publisher's gap, or debt beyond all value; no share can be computed
        if holding.value is None or worth is None or worth <= 0 or None in figures:
            return None
        return holding.value / worth * sum((f for f in figures if f is not None), Decimal(0))

    return own


SCOPES = ("ghg_scope1", "ghg_scope2", "ghg_scope3")


def financed_emissions(holdings: Sequence[Holding]) -> IndicatorOutcome:
    """Indicator 1: SUM(value_i / EV_i * GHG_i), by scope and in total."""
    parts = []
    for name in SCOPES:
        values, covered, _, _ = _collect_values(holdings, financed_amount((name,)), lambda _: ())
        value = sum((v for _, v in values), Decimal(0)) if values else None
        parts.append(OutcomePart(name, value, covered))
    known_values = [part.value for part in parts if part.value is not None]
    _, covered, guessed, missing = _collect_values(
        holdings, financed_amount(SCOPES), lambda _: (*SCOPES, "enterprise_value_eur")
    )
    value = sum(known_values, Decimal(0)) if known_values else None
    return IndicatorOutcome(value, covered, guessed, missing, tuple(parts), least=value)


def carbon_footprint(holdings: Sequence[Holding]) -> IndicatorOutcome:
    """Indicator 2: financed emissions per million EUR invested.

    See `_higher_outcome` for companies that report only some of their scopes.
    """
    whole = financed_emissions(holdings)
    # a company without any known emissions is left out of the divisor too: its share of the
    # investments would otherwise count as free of emissions
    disclosing = [
        holding
        for holding in holdings
        if any(financed_amount((n,))(holding) is not None for n in SCOPES)
    ]
    complete = [holding for holding in disclosing if financed_amount(SCOPES)(holding) is not None]
    return _higher_outcome(
        whole, [_emissions_per_invested(disclosing), _emissions_per_invested(complete)]
    )


def _emissions_per_invested(holdings: Sequence[Holding]) -> tuple[Decimal | None, Decimal]:
    value, worth = financed_emissions(holdings).value, sum_invested(holdings)
    return (value * MILLION / worth if value is not None and worth else None), worth


def _higher_outcome(
    whole: IndicatorOutcome, candidates: Sequence[tuple[Decimal | None, Decimal]]
) -> IndicatorOutcome:
    """Return the higher of the values with and without companies that report only some scopes."""
    # an unreported scope counts as zero in a sum: partial reporting must never lower an indicator
    outcomes = [(value, base) for value, base in candidates if value is not None]
    value, base = max(outcomes, default=(None, Decimal(0)))
    return IndicatorOutcome(value, whole.covered, whole.estimated, whole.missing, base=base)


def scale_to_all_investments(outcome: IndicatorOutcome, others: Decimal) -> IndicatorOutcome:
    """Return a ratio to what is invested as one to all investments, `others` (EUR) among them."""
    # Annex I divides indicators 2, 3 and 15 by the current value of all investments: those in
    # companies, countries, property and everything else
    if outcome.value is None or not outcome.base or not others:
        return outcome
    value = outcome.value * outcome.base / (outcome.base + others)
    return replace(outcome, value=value)


def tonnes_per_million_invested(name: str) -> Formula:
    """Return tonnes that the investments pay for, per million EUR invested (indicators 8, 9)."""

    def compute(holdings: Sequence[Holding]) -> IndicatorOutcome:
        needs = (name, "enterprise_value_eur")
        own = financed_amount((name,))
        values, covered, guessed, missing = _collect_values(holdings, own, lambda _: needs)
        worth = sum_invested(holding for holding in holdings if holding.id not in missing)
        total = sum((v for _, v in values), Decimal(0))
        value = total * MILLION / worth if values and worth else None
        whole = sum_invested(holdings)
        least = total * MILLION / whole if whole else None
        return IndicatorOutcome(value, covered, guessed, missing, least=least)

    return compute


def sum_invested(holdings: Iterable[Holding]) -> Decimal:
    """Return what holdings are worth together, in EUR."""
    return sum((holding.value for holding in holdings if holding.value is not None), Decimal(0))


def _ghg_intensity_of_holding(holding: Holding) -> Decimal | None:
    revenue, scopes = holding.get("revenue_eur"), [holding.get(name) for name in SCOPES]
    if revenue is None or revenue <= 0 or all(scope is None for scope in scopes):
        return None
    return sum((s for s in scopes if s is not None), Decimal(0)) * MILLION / revenue


def ghg_intensity(holdings: Sequence[Holding]) -> IndicatorOutcome:
    """Indicator 3: SUM(w_i * GHG_i / revenue_i), per million EUR of revenue.

    The known scopes of a company count; it is covered only if all of them are known. See
    `_higher_outcome`.
    """
    needs = (*SCOPES, "revenue_eur")
    disclosed = weighted_mean(_ghg_intensity_of_holding, needs)(holdings)
    complete = weighted_mean(_complete_ghg_intensity, needs)(holdings)
    return _higher_outcome(
        complete, [(disclosed.value, disclosed.base), (complete.value, complete.base)]
    )


def _complete_ghg_intensity(holding: Holding) -> Decimal | None:
    return (
        None if any(holding.get(n) is None for n in SCOPES) else _ghg_intensity_of_holding(holding)
    )


def _sector_energy_intensity(sector: str) -> HoldingValue:
    def own(holding: Holding) -> Decimal | None:
        used, revenue = holding.get(f"energy_gwh_{sector}"), holding.get("revenue_eur")
        if used is None or revenue is None or revenue <= 0:
            return None
        return used * MILLION / revenue

    return own


def _highest_sector_intensity(holding: Holding) -> Decimal | None:
    intensities = [_sector_energy_intensity(sector)(holding) for sector in SECTORS]
    return max((value for value in intensities if value is not None), default=None)


def _is_outside_all_sectors(holding: Holding) -> bool:
    """Tell whether a company is known to be in no high-impact sector and reports no energy."""
    silent = all(holding.get(f"energy_gwh_{sector}") is None for sector in SECTORS)
    return silent and holding.get("high_impact_climate_sector") == 0


def energy_by_sector(holdings: Sequence[Holding]) -> IndicatorOutcome:
    """Indicator 6: GWh per million EUR of revenue, for each high-impact sector; the highest counts.

    A company is in the sectors for which it reports energy; one that reports none is missing,
    unless it is known to be in none of them.
    """
    obliged = [holding for holding in holdings if not _is_outside_all_sectors(holding)]
    if not obliged:
        return NOTHING_CONCERNED
    parts = []
    for sector in SECTORS:
        indicator_outcome = weighted_mean(_sector_energy_intensity(sector), ())(obliged)
        if indicator_outcome.value is not None:
            parts.append(
                OutcomePart(
                    f"NACE {sector.upper()}", indicator_outcome.value, indicator_outcome.covered
                )
            )
    needs = (*(f"energy_gwh_{sector_name}" for sector_name in SECTORS), "revenue_eur")
    _, covered, guessed, missing = _collect_values(
        obliged, _highest_sector_intensity, lambda _: needs
    )
    # the regulation asks for each sector; a single status needs one number, and the worst hides
    # nothing
    value = max((part.value for part in parts if part.value is not None), default=None)
    return IndicatorOutcome(value, covered, guessed, missing, tuple(parts))

"""The formulas of countries and property (indicators 15 to 18). Pure."""

from collections.abc import Sequence
from decimal import Decimal

from apps.insight.esg.sfdr.rules.formulas import (
    HUNDRED,
    NOTHING_CONCERNED,
    IndicatorOutcome,
    OutcomePart,
    weighted_mean,
    weighted_mean_with_least,
)
from apps.insight.esg.sfdr.rules.holdings import MILLION, Holding


def _ghg_intensity_of_country(holding: Holding) -> Decimal | None:
    tonnes, product = holding.get("country_ghg_t"), holding.get("country_gdp_eur")
    if tonnes is None or product is None or product <= 0:
        return None
    return tonnes * MILLION / product


country_intensity = weighted_mean(_ghg_intensity_of_country, ("country_ghg_t", "country_gdp_eur"))


def share_of_violating_countries(holdings: Sequence[Holding]) -> IndicatorOutcome:
    """Indicator 16: the share of invested countries with social violations, and their number."""
    # the regulation counts countries, not the money held in them
    seen = {holding.id: holding for holding in holdings}
    known = {key: holding.get("country_social_violations") for key, holding in seen.items()}
    flags = {key: flag for key, flag in known.items() if flag is not None}
    missing = tuple(key for key, flag in known.items() if flag is None)
    count = sum(flags.values(), Decimal(0))
    if not flags:
        return IndicatorOutcome(None, Decimal(0), Decimal(0), missing)
    covered = Decimal(len(flags)) * HUNDRED / len(seen)
    guessed = sum(1 for key in flags if seen[key].inputs["country_social_violations"].estimated)
    parts = (OutcomePart("countries", count, covered),)
    estimated = Decimal(guessed) * HUNDRED / len(seen)
    # as if no unknown country had violations
    least = count * HUNDRED / len(seen)
    return IndicatorOutcome(
        count * HUNDRED / len(flags), covered, estimated, missing, parts, least=least
    )


def inefficient_property_share(holdings: Sequence[Holding]) -> IndicatorOutcome:
    """Indicator 18: value of inefficient property over the value of what must keep EPC and NZEB."""
    needs = ("energy_rules_apply", "energy_inefficient")
    # what need not keep the rules counts on neither side
    obliged = [holding for holding in holdings if holding.get("energy_rules_apply") != 0]
    if not obliged:
        return NOTHING_CONCERNED

    def own(holding: Holding) -> Decimal | None:
        applies, flag = (holding.get(name) for name in needs)
        return None if applies is None or flag is None else flag * HUNDRED

    return weighted_mean_with_least(own, needs)(obliged)

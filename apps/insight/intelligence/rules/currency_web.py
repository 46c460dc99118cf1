"""Nodes of the networks of settlement and of trade, and bands of their scores. Pure.

A node is a currency, measured by its rate, or a commodity, measured by its price. Links are not in
this table: they are estimated from co-movement (methods/comovement.py).
"""

# sovereign or union -> its currency's rate for a euro; the euro's own is one
SOVEREIGNS: dict[str, str] = {
    "AU": "fx.eur.AUD",
    "CA": "fx.eur.CAD",
    "CH": "fx.eur.CHF",
    "CN": "fx.eur.CNY",
    "EU": "",
    "GB": "fx.eur.GBP",
    "IN": "fx.eur.INR",
    "JP": "fx.eur.JPY",
    "MX": "fx.eur.MXN",
    "SE": "fx.eur.SEK",
    "US": "fx.eur.USD",
}
# countries whose currency is the euro, a line each: members of the euro area, with Bulgaria since
# January 2026; their territories with a code of their own; states that use it by agreement; states
# that use it without one
EURO_COUNTRIES = frozenset((
    "AT", "BE", "BG", "CY", "DE", "EE", "ES", "FI", "FR", "GR", "HR", "IE", "IT", "LT", "LU", "LV",
    "MT", "NL", "PT", "SI", "SK",
    "AX", "BL", "GF", "GP", "MF", "MQ", "PM", "RE", "TF", "YT",
    "AD", "MC", "SM", "VA",
    "ME", "XK",
))  # fmt: skip
EURO_NODE = "EU"
# the stated assumption about an institution
ASSUMPTION = (
    "Its creditors are assumed to be distributed like those of {country}, and {node} is assumed "
    "to pass on the loss at the caller's stated share of {country}'s foreign debt. No source "
    "publishes who lends to an institution, and the share is not checked."
)
RATES = tuple(name for name in SOVEREIGNS.values() if name)
GOODS = (
    "copper", "corn", "cotton", "gas.europe", "gold", "oil.brent.month", "soybeans", "sugar",
    "wheat",
)  # fmt: skip

AFTERSHOCK_SERIES = (
    "copper",
    "corn",
    "gas.europe",
    "gold",
    "oil.brent.month",
    "us.epu.30d",
    "wheat",
)

# months of a window: Kritzman, Li, Page and Rigobon 2011 use years of days, this is of months
WINDOW_MONTHS = 60
# one eigenvector is kept for so many series: the fifth of Kritzman et al.
SERIES_PER_EIGENVECTOR = 5

Bands = tuple[tuple[int, str], ...]
# place of the absorption ratio in its own history: the bounds of signals
RESONANCE_BANDS: Bands = ((60, "DAMPED"), (80, "COUPLED"), (95, "RESONANT"), (100, "LOCKED"))
# strain of 0 to 100: quarters, as the composites without a range of their own have
STRAIN_BANDS: Bands = ((25, "CALM"), (50, "MODERATE"), (75, "STRESSED"), (100, "CRISIS"))
TECTONIC_BANDS: Bands = ((25, "QUIET"), (50, "LOADING"), (75, "STRAINED"), (100, "CRITICAL"))
# DebtRank in hundredths: the share of all value lost, without the origin's own loss
CONTAGION_BANDS: Bands = ((5, "CONTAINED"), (15, "SPREADING"), (30, "BROAD"), (100, "SYSTEMIC"))
# chance of another large move within a quarter, in hundredths: quarters
AFTERSHOCK_BANDS: Bands = ((25, "QUIET"), (50, "POSSIBLE"), (75, "LIKELY"), (100, "EXPECTED"))


def node_of_country(country: str) -> str | None:
    """Return the node that a country (ISO 3166-1) belongs to; None where the web has none."""
    if country in EURO_COUNTRIES:
        return EURO_NODE
    # EU is a node, but no country code of ISO 3166-1 that a record may have
    return country if country in SOVEREIGNS and country != EURO_NODE else None

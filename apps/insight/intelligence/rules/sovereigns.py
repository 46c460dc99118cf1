"""Four sovereign debtors whose bonds back the main currencies, and what their strain means. Pure.

Weights are by gross domestic product in dollars (IMF, World Economic Outlook of October 2024, the
year 2024: United States 29, European Union 19, Japan 4, United Kingdom 3.6 trillion), rounded to
a twentieth; seven tenths for the debt and three for the yearly deficit.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.reference.signals.composites.catalogue import CALM
from apps.reference.signals.composites.definitions import Composite, Part


@dataclass(frozen=True, slots=True, kw_only=True)
class SovereignDebtor:
    """A debtor: `name` is its field in the answer; its series weighed by `owed` and `lacking`."""

    name: str
    title: str
    debt: str
    balance: str
    owed: str
    lacking: str
    required: bool = False


SOVEREIGNS: tuple[SovereignDebtor, ...] = (
    SovereignDebtor(
        name="united_states",
        title="United States",
        debt="debt.us",
        balance="balance.us",
        owed="0.35",
        lacking="0.15",
        required=True,
    ),
    SovereignDebtor(
        name="european_union",
        title="European Union",
        debt="debt.eu27",
        balance="balance.eu27",
        owed="0.25",
        lacking="0.1",
        required=True,
    ),
    SovereignDebtor(
        name="united_kingdom",
        title="United Kingdom",
        debt="debt.uk",
        balance="balance.uk",
        owed="0.05",
        lacking="0.025",
    ),
    SovereignDebtor(
        name="japan",
        title="Japan",
        debt="debt.japan",
        balance="balance.japan",
        owed="0.05",
        lacking="0.025",
    ),
)
SOVEREIGN_DEBT = Composite(
    name="sovereign-debt",
    title="Debt and deficits of four governments",
    start=date(1995, 1, 1),
    parts=(
        *(
            Part(series=sovereign.debt, weight=Decimal(sovereign.owed), required=sovereign.required)
            for sovereign in SOVEREIGNS
        ),
        *(
            Part(series=sovereign.balance, weight=Decimal(sovereign.lacking), direction=-1)
            for sovereign in SOVEREIGNS
        ),
    ),
    bands=CALM,
)
# Italy's yield over Germany's, in basis points below -> contagion risk; above 200 the union is
# fragmented (document 3 section 2.7)
SPREADS: tuple[tuple[int, str], ...] = ((100, "LOW"), (200, "MODERATE"), (300, "HIGH"))
WORST, UNKNOWN = "SEVERE", "UNKNOWN"
CONTAGION_WORDS = (*(word for _, word in SPREADS), WORST, UNKNOWN)
# regime of debt -> the same grades, for what settles in these currencies
GRADES = {"CALM": 0, "MODERATE": 1, "STRESSED": 2, "CRISIS": 3}
IMPACTS = ("NONE", "WATCH", "ELEVATED", "SEVERE")


def contagion_risk_word(spread: Decimal | None, credit: str | None) -> str:
    """Return the risk that one state's strain reaches others: the worse of spread and credit.

    `credit` is the regime of the composite of credit; UNKNOWN where neither is known.
    """
    grades = [] if credit is None else [GRADES[credit]]
    if spread is not None:
        at = (place for place, (bound, _) in enumerate(SPREADS) if spread < bound)
        grades.append(next(at, len(SPREADS)))
    return CONTAGION_WORDS[max(grades)] if grades else UNKNOWN


def settlement_impact_word(regime: str, risk: str) -> str:
    """Return the impact on settlement: the mean grade of debt and contagion, rounded down."""
    # debt alone moves slowly: high debt without contagion is only watched
    spread = CONTAGION_WORDS.index(risk) if risk != UNKNOWN else 0
    return IMPACTS[(GRADES[regime] + spread) // 2]

"""Links between layers of the economy by theory, before figures weigh them. Pure.

`weight` is the share of a shock of the source that reaches the target, 0 to 1: 0.5 where the named
work finds the channel to be a main one, 0.3 where it finds one of several, 0.2 where it finds a
weak or a conditional one. The graph of 0.5 says the order of channels and no elasticity.
"""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerLink:
    """An edge between two layers: its weight by theory, its lag in months, why."""

    source: str
    target: str
    weight: Decimal
    months: int
    why: str
    reference: str


MAIN, ONE_OF, WEAK = Decimal("0.5"), Decimal("0.3"), Decimal("0.2")


def _build_link(
    source: str, target: str, weight: Decimal, months: int, why: str, ref: str
) -> LayerLink:
    return LayerLink(
        source=source, target=target, weight=weight, months=months, why=why, reference=ref
    )


LINKS: tuple[LayerLink, ...] = (
    _build_link("L1", "L2", ONE_OF, 1, "Fear of supply losses raises oil prices.",
          "Caldara and Iacoviello 2022, AER 112(4)"),
    _build_link("L1", "L3", ONE_OF, 3, "Uncertainty delays orders and trade.",
          "Novy and Taylor 2020, REStat 102(4)"),
    _build_link("L1", "L5", WEAK, 1, "Capital flees to safe assets.",
          "Baker, Bloom and Davis 2016, QJE 131(4)"),
    _build_link("L1", "L7", ONE_OF, 1, "Policy uncertainty raises risk premia.",
          "Pastor and Veronesi 2013, JFE 110(3)"),
    _build_link("L2", "L3", ONE_OF, 2, "Fuel prices drive freight costs.",
          "Kilian 2009, AER 99(3)"),
    _build_link("L2", "L4", MAIN, 3, "Energy and food raise consumer prices.",
          "Blanchard and Galí 2007, NBER 13368"),
    _build_link("L2", "L5", WEAK, 2, "Terms of trade move currencies.",
          "Chen and Rogoff 2003, JIE 60(1)"),
    _build_link("L3", "L4", ONE_OF, 6, "Supply pressure raises goods prices.",
          "Benigno, di Giovanni, Groen and Noble 2022, FRBNY SR 1017"),
    _build_link("L4", "L5", MAIN, 2, "Dollar interest rates move currencies.",
          "Eichenbaum and Evans 1995, QJE 110(4)"),
    _build_link("L4", "L6", MAIN, 3, "Monetary policy moves the cost of credit.",
          "Gertler and Karadi 2015, AEJ Macro 7(1)"),
    _build_link("L4", "L7", ONE_OF, 1, "Monetary policy moves share prices.",
          "Bernanke and Kuttner 2005, JF 60(3)"),
    _build_link("L5", "L6", ONE_OF, 2, "A strong dollar weakens dollar borrowers.",
          "Bruno and Shin 2015, RES 82(2)"),
    _build_link("L6", "L7", MAIN, 1, "Credit spreads move risk premia.",
          "Gilchrist and Zakrajsek 2012, AER 102(4)"),
    _build_link("L6", "L3", ONE_OF, 4, "Trade needs credit.",
          "Amiti and Weinstein 2011, QJE 126(4)"),
    _build_link("L7", "L6", ONE_OF, 1, "Losses reduce lending capacity.",
          "Brunnermeier and Pedersen 2009, RFS 22(6)"),
    _build_link("L7", "L5", WEAK, 1, "Volatility moves capital between countries.",
          "Miranda-Agrippino and Rey 2020, RES 87(6)"),
)  # fmt: skip

# months of data that a prior weighs as much as: ten years, which a composite needs as well
PRIOR_MONTHS = 120
# expected share of false edges among those found (Benjamini-Hochberg)
FALSE_SHARE = 0.10
# pairs of months below which no regression is made
LEAST_MONTHS = 36
# mean share of the figures in the weights -> phase; above the last, EMPIRICAL
PHASES: tuple[tuple[float, str], ...] = ((0.05, "PRIOR"), (0.8, "BLENDING"))
EMPIRICAL = "EMPIRICAL"
PHASE_WORDS = (*(word for _, word in PHASES), EMPIRICAL)


def phase_of_graph(share: float) -> str:
    """Return the phase of a graph whose weights are of figures for this share, 0 to 1."""
    return next((word for bound, word in PHASES if share < bound), EMPIRICAL)


def share_of_figures(months: int) -> float:
    """Return what part of an edge's weight is its figures', by how many months they cover."""
    return months / (months + PRIOR_MONTHS) if months >= LEAST_MONTHS else 0.0

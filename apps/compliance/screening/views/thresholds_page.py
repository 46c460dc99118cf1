"""The page on which seniors see how other thresholds would have changed recorded screens."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.compliance.screening.rules.threshold_effects import EFFECTS, SPECIFIED, Thresholds
from apps.compliance.screening.simulation.simulate import (
    ChangedScreen,
    SimulationResult,
    ThresholdProposal,
    simulate_thresholds,
)
from apps.compliance.screening.views.screen_list import DECISIONS, TONES
from apps.platform.common.days import parse_day
from apps.platform.desk import list_pages
from apps.platform.desk.view_guards import FIRST_YEAR, LAST_YEAR

MOST = 2000  # closed cases, and as many screens without one, that one page evaluates
WORDS = {
    "match": ("A match blocks from", "1 §2.7 rule 3"),
    "look": ("Review required from", "1 §2.7 rule 3"),
    "pep": ("PEP flagged from", "1 §2.7 rule 4"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdQuery(list_pages.ListQuery):
    """The query of the address: thresholds in whole percents as typed, and days in UTC.

    A threshold that was not typed is the specification's.
    """

    match: str = list_pages.text_field(10)
    look: str = list_pages.text_field(10)
    pep: str = list_pages.text_field(10)
    since: str = list_pages.value_field(10)
    until: str = list_pages.value_field(10)

    @property
    def proposed(self) -> bool:
        """Whether any threshold was given."""
        return bool(self.match or self.look or self.pep)

    def bars(self) -> Thresholds | None:
        """Return the thresholds; None where one is no whole number."""
        typed = {name: getattr(self, name) or str(getattr(SPECIFIED, name)) for name in WORDS}
        # `isdigit` alone accepts digits such as `²`, which `int` refuses
        if not all(text.isascii() and text.isdigit() for text in typed.values()):
            return None
        return Thresholds(**{name: int(text) for name, text in typed.items()})

    @property
    def fault(self) -> str:
        """Why this cannot be evaluated, or an empty text."""
        bars = self.bars()
        if bars is None:
            return "Thresholds must be whole percentages, such as 70."
        if any(text and _parse_day(text) is None for text in (self.since, self.until)):
            return "Enter dates as 2026-11-20."
        return bars.fault


def _parse_day(text: str) -> date | None:
    day = parse_day(text)
    return day if day and FIRST_YEAR <= day.year <= LAST_YEAR else None


@dataclass(frozen=True, slots=True)
class ChangedScreenRow:
    """One screen that would have been decided otherwise, as the page has it."""

    line: ChangedScreen

    @property
    def words(self) -> tuple[str, str]:
        return DECISIONS[self.line.then], DECISIONS[self.line.otherwise]

    @property
    def tones(self) -> tuple[str, str]:
        return TONES[self.line.then], TONES[self.line.otherwise]


@dataclass(frozen=True, slots=True)
class DecisionChange:
    """The number of screens by recorded and hypothetical decision; `same` if these are equal."""

    then: str
    otherwise: str
    tones: tuple[str, str]
    count: int

    @property
    def same(self) -> bool:
        return self.then == self.otherwise


def build_threshold_context(query: ThresholdQuery) -> dict[str, Any]:
    """Return the context of the page; nothing is evaluated before a threshold is proposed."""
    shown: dict[str, Any] = {
        "title": "Effect of other thresholds",
        "asked": query,
        "fields": list(_threshold_fields(query)),
        "most": MOST,
        "fault": query.fault if query.proposed else "",
    }
    bars = query.bars()
    if not query.proposed or query.fault or bars is None:
        return shown
    simulation_result = simulate_thresholds(
        ThresholdProposal(bars, _parse_day(query.since), _parse_day(query.until), MOST)
    )
    begins = int(query.after or 0)
    ends = begins + list_pages.PAGE
    lines, following = (
        simulation_result.lines[begins:ends],
        str(ends) if len(simulation_result.lines) > ends else "",
    )
    return shown | {
        "found": simulation_result,
        "pairs": list(_decision_changes(simulation_result)),
        "effects": [
            (effect, simulation_result.effects[effect.code])
            for effect in EFFECTS
            if simulation_result.effects[effect.code]
        ],
        "rows": [ChangedScreenRow(line) for line in lines],
        **query.turns(following),
    }


def _threshold_fields(threshold_query: ThresholdQuery) -> Iterator[dict[str, Any]]:
    for name, (title, ref) in WORDS.items():
        specified = getattr(SPECIFIED, name)
        typed = getattr(threshold_query, name) or specified
        yield {"name": name, "title": title, "ref": ref, "specified": specified, "typed": typed}


def _decision_changes(simulation_result: SimulationResult) -> Iterator[DecisionChange]:
    """Yield each pair that occurs, by how severe it was and would have been."""
    order = {code: at for at, code in enumerate(("BLOCKED", "FLAGGED", "APPROVED"))}
    for (then, otherwise), count in sorted(
        simulation_result.pairs.items(), key=lambda pair: (order[pair[0][0]], order[pair[0][1]])
    ):
        tones = TONES[then], TONES[otherwise]
        yield DecisionChange(DECISIONS[then], DECISIONS[otherwise], tones, count)

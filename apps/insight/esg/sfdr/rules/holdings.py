"""What a portfolio holds, as the formulas see it: money in EUR. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from apps.insight.esg.rules.measures import MEASURES, Measure, MeasureSubject

Block = Literal["COMPANY", "SOVEREIGN", "REAL_ESTATE", "OTHER"]
BLOCKS: tuple[Block, ...] = ("COMPANY", "SOVEREIGN", "REAL_ESTATE", "OTHER")
MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class HoldingInput:
    """One input of a holding; `estimated` if it was not reported."""

    value: Decimal
    estimated: bool = False


HoldingInputs = Mapping[str, HoldingInput]


@dataclass(frozen=True, slots=True)
class Holding:
    """One investment: a company by LEI, a country, a property, or anything else (cash, a fund).

    `value` is in EUR; None if not given: holdings then weigh the same, and figures per million
    invested cannot be computed. Inputs are named as in INPUTS.
    """

    id: str
    block: Block = "COMPANY"
    value: Decimal | None = None
    inputs: HoldingInputs = field(default_factory=dict)

    def get(self, name: str) -> Decimal | None:
        """Return the value of an input, None where it is missing."""
        holding_input = self.inputs.get(name)
        return holding_input.value if holding_input else None


# What formulas read, by block: rows of the measures of evidence
BLOCK_BY_SUBJECT: dict[MeasureSubject, Block] = {
    "entity": "COMPANY",
    "country": "SOVEREIGN",
    "property": "REAL_ESTATE",
}
INPUTS_BY_BLOCK: dict[Block, dict[str, Measure]] = {
    block: {measure.key: measure for measure in MEASURES if measure.of == of and measure.pai}
    for of, block in BLOCK_BY_SUBJECT.items()
} | {"OTHER": {}}

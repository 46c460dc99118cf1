"""What the status of an LEI takes from the governance pillar. Pure. DESIGN.md section 4, 2.5."""

from dataclasses import dataclass

from apps.reference.lei.rules.registration import IN_FORCE, PENDING


@dataclass(frozen=True, slots=True)
class Deduction:
    """The governance deduction of an LEI status; empty `statuses` means all others."""

    code: str
    ref: str
    title: str
    statuses: tuple[str, ...]
    points: int


DEDUCTIONS: tuple[Deduction, ...] = (
    Deduction(
        "ESG-LEI-1",
        "D §4",
        "The LEI is in force.",
        tuple(status for status in IN_FORCE if status not in PENDING),
        0,
    ),
    Deduction(
        "ESG-LEI-2",
        "D §4",
        "The LEI is in force and being transferred to another issuer.",
        PENDING,
        5,
    ),
    Deduction("ESG-LEI-3", "D §4", "The LEI was not renewed.", ("LAPSED",), 15),
    Deduction("ESG-LEI-4", "D §4", "The LEI is not in force, or could not be verified.", (), 30),
)


def deduction_of_status(status: str) -> Deduction:
    """Return what a registration status as GLEIF writes it takes from governance."""
    return next(
        deduction
        for deduction in DEDUCTIONS
        if status in deduction.statuses or not deduction.statuses
    )


def worse_lei_status(first: str, other: str) -> str:
    """Return the status that takes more; of two that take the same, the first."""
    return other if deduction_of_status(other).points > deduction_of_status(first).points else first

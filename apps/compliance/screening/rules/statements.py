"""What a combined screen attests: each row is a sentence and the condition for it. Pure.

Document 1 section 2.7, `attestations`; DESIGN section 4, 2.7. A statement that is signed or
shown depends only on what was checked: it never mentions a check that did not run, or a country
that was not given. `tests/screening/test_statements.py` has for each row a case in which it is
stated and one in which it is not, and fails for a row that lacks either.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.findings import Decision

R16_USD = Decimal(1_000)  # FATF R.16, DESIGN section 4 (2.7)

Basis = Literal["LEI_VERIFIED", "BELOW_THRESHOLD", "NAME_ONLY"]
Says = Callable[[ScreenFacts], str]


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or a part of one, stated `when` its condition holds. `code` never changes."""

    code: str
    title: str
    when: Callable[[ScreenFacts, Decision], bool]
    says: Says


@dataclass(frozen=True, slots=True)
class R16(Statement):
    """The party's status under FATF R.16, and what R.16 still requires of the payment."""

    basis: Basis
    satisfied: bool


def _fixed_text(text: str) -> Says:
    return lambda facts: text


def _is_below_threshold(facts: ScreenFacts) -> bool:
    return facts.amount_usd is not None and facts.amount_usd < R16_USD


# Notes to R.16 of June 2025 and before: below 1,000 USD names and accounts, unverified unless
# there is suspicion
_BELOW = (
    "Below 1,000 USD R.16 still requires the names of originator and beneficiary and an account "
    "number or unique reference of each with the payment. They need not be verified unless there "
    "is suspicion of money laundering or terrorist financing"
)

R16_ROWS: tuple[R16, ...] = (  # the first that holds
    R16(
        "r16.lei",
        "The LEI counts",
        lambda f, decision: f.lei_counts,
        _fixed_text(
            "The LEI identifies the party. R.16 still requires the names and account numbers (or a "
            "unique reference) of both parties and the originator's address with the payment; they "
            "are not part of this screen."
        ),
        "LEI_VERIFIED",
        satisfied=True,
    ),
    R16(
        "r16.below",
        "Below 1,000 USD, and the screen is APPROVED",
        lambda f, decision: _is_below_threshold(f) and decision == "APPROVED",
        _fixed_text(f"{_BELOW}."),
        "BELOW_THRESHOLD",
        satisfied=True,
    ),
    R16(
        "r16.below_not_clear",
        "Below 1,000 USD, and the screen is not APPROVED",
        lambda f, decision: _is_below_threshold(f),
        _fixed_text(f"{_BELOW}: this screen is not clear, so verify them."),
        "BELOW_THRESHOLD",
        satisfied=False,
    ),
    R16(
        "r16.name_only",
        "1,000 USD or more, or of unknown value, without an LEI that counts",
        lambda f, decision: True,
        _fixed_text(
            "R.16 requires more than a name: account numbers (or a unique reference), the "
            "originator's address and an identifier, verified; an ISSUED LEI of the party's legal "
            "name serves as one."
        ),
        "NAME_ONLY",
        satisfied=False,
    ),
)


def select_r16_statement(facts: ScreenFacts, decision: Decision) -> R16:
    """Return the party's FATF R.16 statement for the decision of its screen."""
    return next(row for row in R16_ROWS if row.when(facts, decision))


def _country_lists_text(facts: ScreenFacts) -> str:
    """Name the countries that were checked: none for an end that was not given."""
    source = f"source {facts.source}" + (", assumed" if facts.source_taken else "")
    destination = facts.destination or "not given"
    return f"FATF and EU country lists ({source}; destination {destination})"


def _sanctions_lists_text(facts: ScreenFacts) -> str:
    text = "the sanctions lists available" if facts.sources_missing else "sanctions lists"
    return f"{text} (name not checked in full)" if facts.unread else text


def _office_holders_text(facts: ScreenFacts) -> str:
    text = " (on the lists available)" if facts.sources_missing else ""
    return f"politically exposed persons{text}"


def _is_chain_complete(facts: ScreenFacts) -> bool:
    return bool(facts.nodes) and not facts.chain_note


def _is_owner_known(facts: ScreenFacts) -> bool:
    return any(node.role != "SUBJECT" for node in facts.nodes)


def _ownership_suffix(facts: ScreenFacts) -> str:
    """Name the entity whose ownership was checked where the LEI is not the party's."""
    return f" of {facts.lei_of}, the holder of the LEI," if facts.lei_of else ""


def _no_owner_text(facts: ScreenFacts) -> str:
    why = f" ({', '.join(facts.exceptions)})" if facts.exceptions else ""
    of = f" ({facts.lei_of}, another company)" if facts.lei_of else ""
    return f"the entity of the LEI{of}, which reports no owner{why}"


CHECKED: tuple[Statement, ...] = (  # every row that holds is stated
    Statement("checked.sanctions", "Always", lambda f, decision: True, _sanctions_lists_text),
    Statement("checked.countries", "Always", lambda f, decision: True, _country_lists_text),
    Statement(
        "checked.amount",
        "The amount has a value in USD",
        lambda f, decision: f.amount_usd is not None,
        _fixed_text("amount thresholds"),
    ),
    Statement(
        "checked.office_holders",
        "PEPs were searched",
        lambda f, decision: f.pep_score is not None,
        _office_holders_text,
    ),
    Statement(
        "checked.owners_in_part",
        "The chain was followed, and the owners on record hold less than 100 %",
        lambda f, decision: _is_chain_complete(f) and bool(f.shares_missing),
        lambda f: f"ownership{_ownership_suffix(f)} in part ({'; '.join(f.shares_missing)})",
    ),
    Statement(
        "checked.owners_to_highest",
        "Owners are known, and one above them is not reported for a stated reason",
        lambda f, decision: (
            _is_chain_complete(f)
            and not f.shares_missing
            and _is_owner_known(f)
            and bool(f.exceptions)
        ),
        lambda f: (
            f"ownership{_ownership_suffix(f)} to the highest owner on record "
            f"({', '.join(f.exceptions)})"
        ),
    ),
    Statement(
        "checked.owners",
        "The chain was followed to its end",
        lambda f, decision: (
            _is_chain_complete(f)
            and not f.shares_missing
            and _is_owner_known(f)
            and not f.exceptions
        ),
        lambda f: f"ownership{_ownership_suffix(f)} to the ultimate parent",
    ),
    Statement(
        "checked.no_owner",
        "The chain was followed, and the entity reports no owner",
        lambda f, decision: (
            _is_chain_complete(f) and not f.shares_missing and not _is_owner_known(f)
        ),
        _no_owner_text,
    ),
)


def list_checks_run(facts: ScreenFacts, decision: Decision) -> str:
    """Name the checks that ran."""
    ran = (row.says(facts) for row in CHECKED if row.when(facts, decision))
    return f"Checks of the party: {', '.join(ran)}."


COMPATIBLE: tuple[Statement, ...] = (  # the first that holds
    Statement(
        "mica.compatible",
        "The screen is APPROVED",
        lambda f, decision: decision == "APPROVED",
        _fixed_text(
            "`compatible` means that every required check ran and that no finding stands against "
            "the payment."
        ),
    ),
    Statement(
        "mica.not_compatible",
        "The screen is not APPROVED",
        lambda f, decision: True,
        _fixed_text(
            "Not `compatible`: a finding stands against the payment, or a required check could not "
            "run."
        ),
    ),
)
MICA_NOT_ASSESSED = (
    "Not assessed: conflicts of interest of a service provider (MiCA Art. 72), sustainability "
    "disclosure (Art. 66(5)), white papers and authorisations."
)
GENIUS_NOT_ASSESSED = (
    "Not assessed: whether a payment stablecoin's issuer is permitted, its reserve and its monthly "
    "report. The GENIUS Act takes effect on 2027-01-18 at the latest."
)
# true of every screen: nothing of this is assessed here
ALWAYS: tuple[Statement, ...] = (
    Statement(
        "mica.not_assessed", "Always", lambda f, decision: True, _fixed_text(MICA_NOT_ASSESSED)
    ),
    Statement(
        "genius.not_assessed", "Always", lambda f, decision: True, _fixed_text(GENIUS_NOT_ASSESSED)
    ),
)
TABLES = (R16_ROWS, CHECKED, COMPATIBLE, ALWAYS)


def is_compatible(facts: ScreenFacts, decision: Decision) -> bool:
    """Return whether every required check ran and none is against the payment."""
    return _select_compatibility(facts, decision).code == "mica.compatible"


def _select_compatibility(facts: ScreenFacts, decision: Decision) -> Statement:
    return next(row for row in COMPATIBLE if row.when(facts, decision))


def mica_note(facts: ScreenFacts, decision: Decision) -> str:
    """State the checks that ran, compatibility with MiCA, and what was not assessed."""
    says = _select_compatibility(facts, decision).says(facts)
    return f"{list_checks_run(facts, decision)} {MICA_NOT_ASSESSED} {says}"


def genius_note(facts: ScreenFacts, decision: Decision) -> str:
    """State the checks that ran, and what of the GENIUS Act was not assessed."""
    return f"{list_checks_run(facts, decision)} {GENIUS_NOT_ASSESSED}"

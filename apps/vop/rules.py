"""Which tier a payee check ends in. Pure. Document 1 section 2.2, DESIGN.md section 4, 2.2."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Result = Literal[
    "LEI_MATCH",
    "VERIFIED",
    "PROCEED_HIGH_CONFIDENCE",
    "PROCEED_FLAGGED",
    "PROCEED_UNVERIFIED",
    "NOT_REGISTERED",
    "LEI_INACTIVE",
    "BLOCKED",
]
LeiStatus = Literal["ACTIVE", "LAPSED", "RETIRED", "NONE", "UNVERIFIED"]
# what became of an LEI that was submitted
LeiCheck = Literal["MATCHED", "ANOTHER_LEI", "UNDER_REVIEW", "NONE_ON_RECORD", "NOT_GIVEN"]

# Raised whenever a rule, a number or a sentence below changes; part of every record.
VERSION = "2026-11.3"
COMPLIANT_FROM = 75  # FATF R.16 is met by the LEI, or by a name that agrees this well


@dataclass(frozen=True, slots=True)
class Facts:
    """What a check rests on.

    `score` is how far the submitted name agrees with the best of legal name and aliases, in
    whole percents. `status` is that of the LEI on record, as it stands now; UNVERIFIED when
    nobody could be asked. `waits`: a registration that does not count yet is none, and is told.
    """

    registered: bool = True
    waits: bool = False
    lei: LeiCheck = "NOT_GIVEN"
    status: LeiStatus = "NONE"
    score: int = 0
    by_alias: bool = False
    under_review: bool = False
    lei_waits: bool = False  # GLEIF has another name for the LEI on record
    unread: bool = False  # the names are in scripts that cannot be read together


@dataclass(frozen=True, slots=True)
class Tier:
    """One row of the table; the first that holds decides. `code` never changes."""

    code: str
    ref: str
    result: Result
    title: str
    message: str
    when: Callable[[Facts], bool]
    gray: bool = False  # an opinion is asked for


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a check answers, and the row that decided."""

    tier: Tier
    score: int
    resolved_by: str
    compliant: bool
    message: str
    note: str

    @property
    def proceeds(self) -> bool:
        """Whether the payment may go on: BLOCKED is the only hard stop."""
        return self.tier.result != "BLOCKED"


def _from(least: int) -> Callable[[Facts], bool]:
    return lambda facts: facts.score >= least


def _untold(facts: Facts) -> bool:
    return facts.lei == "MATCHED" and facts.status == "UNVERIFIED"


def _lapsed(facts: Facts) -> bool:
    return facts.lei == "MATCHED" and facts.status in ("LAPSED", "RETIRED")


TIERS: tuple[Tier, ...] = (
    Tier(
        "VOP-9",
        "D §4 2.3 earlier entity",
        "NOT_REGISTERED",
        "The wallet stands under another entity than before, which does not count yet.",
        "This wallet is being registered for another entity: until that is reviewed there is no "
        "identity to compare the name with.",
        lambda facts: facts.waits,
    ),
    Tier(
        "VOP-1",
        "1 §2.2 NOT_REGISTERED",
        "NOT_REGISTERED",
        "The wallet is in no active registration.",
        "This wallet is not registered: there is no identity to compare the name with.",
        lambda facts: not facts.registered,
    ),
    Tier(
        "VOP-2",
        "1 §2.2 LEI_INACTIVE",
        "LEI_INACTIVE",
        "The LEI is the one on record, and it has lapsed or been retired.",
        "The LEI matches the record, but it is no longer active: ask the payee about it.",
        _lapsed,
    ),
    Tier(
        "VOP-10",
        "D §4 fail closed, LEI",
        "LEI_INACTIVE",
        "The LEI is the one on record, and nobody could say whether it is in force.",
        "The LEI matches the record, but whether it is active could not be checked: ask the payee "
        "about it.",
        _untold,
    ),
    Tier(
        "VOP-3",
        "1 §2.2 LEI_MATCH",
        "LEI_MATCH",
        "The LEI is the one on record; names are not compared.",
        "The LEI matches the record exactly.",
        lambda facts: facts.lei == "MATCHED",
    ),
    Tier(
        "VOP-4",
        "1 §2.2 VERIFIED",
        "VERIFIED",
        "The name agrees by 90 or more.",
        "The name matches the record.",
        _from(90),
    ),
    Tier(
        "VOP-5",
        "1 §2.2 PROCEED_HIGH_CONFIDENCE",
        "PROCEED_HIGH_CONFIDENCE",
        "The name agrees by 75 to 89.",
        "The name matches the record but for a minor difference.",
        _from(75),
    ),
    Tier(
        "VOP-6",
        "1 §2.2 PROCEED_FLAGGED",
        "PROCEED_FLAGGED",
        "The name agrees by 55 to 74.",
        "The name agrees with the record in part: compare them before you pay.",
        _from(55),
        gray=True,
    ),
    Tier(
        "VOP-7",
        "1 §2.2 PROCEED_UNVERIFIED",
        "PROCEED_UNVERIFIED",
        "The name agrees by 35 to 54.",
        "The name agrees with the record in little: the payee is not verified.",
        _from(35),
        gray=True,
    ),
    Tier(
        "VOP-8",
        "1 §2.2 BLOCKED",
        "BLOCKED",
        "The name agrees by less than 35.",
        "The name is not that of the wallet's owner: the payment is likely misdirected.",
        lambda facts: True,
    ),
)

RESULTS: tuple[Result, ...] = tuple(dict.fromkeys(tier.result for tier in TIERS))

# what the message says besides, of an LEI that did not decide
FELL_BACK: dict[LeiCheck, str] = {
    "ANOTHER_LEI": " The LEI submitted is not the one on record, so names were compared.",
    "UNDER_REVIEW": " The LEI on record is under review: GLEIF has another name for it, so names "
    "were compared.",
    "NONE_ON_RECORD": " The record holds no LEI, so names were compared.",
}
UNREAD = " The names are in scripts that cannot be read together: they were not compared."
LEI_NOTES: dict[LeiStatus, str] = {
    "LAPSED": " The LEI on record has lapsed.",
    "RETIRED": " The LEI on record was retired.",
    "UNVERIFIED": " Whether the LEI on record is still active could not be checked.",
}
WAITS_NOTE = " GLEIF has another name for the LEI on record: the LEI proves nothing yet."
REVIEW_NOTE = " The registration is under review by a compliance officer."


def judge(facts: Facts) -> Judgement:
    """Return the tier of a check with its score, its sentences and how it was resolved."""
    tier = next(tier for tier in TIERS if tier.when(facts))
    by_lei = tier.result in ("LEI_MATCH", "LEI_INACTIVE")
    named = facts.registered and not by_lei
    score = 100 if by_lei else facts.score if named else 0
    compliant = (by_lei and not _untold(facts)) or (named and score >= COMPLIANT_FROM)
    return Judgement(
        tier=tier,
        score=score,
        resolved_by=_resolved_by(facts, by_lei),
        compliant=compliant,
        message=tier.message + (_besides(facts) if named else ""),
        note=_note(facts, by_lei, compliant),
    )


def _besides(facts: Facts) -> str:
    """Return what the message of a compared name says besides."""
    return FELL_BACK.get(facts.lei, "") + (UNREAD if facts.unread else "")


def _resolved_by(facts: Facts, by_lei: bool) -> str:
    if not facts.registered:
        return "NOT_REGISTERED"
    if by_lei:
        return "LEI_EXACT_MATCH"
    return "ALIAS_MATCH" if facts.by_alias else "NAME_MATCH"


def _note(facts: Facts, by_lei: bool, compliant: bool) -> str:
    """Return what an examiner reads: what FATF R.16 rests on, and what it does not."""
    if not facts.registered:
        return "FATF R.16: not satisfied; the beneficiary of this wallet is not known here."
    if compliant:
        basis = "the beneficiary's LEI" if by_lei else f"a name that agrees by {facts.score} %"
        said = f"FATF R.16: beneficiary information verified by {basis}."
    elif by_lei:
        said = "FATF R.16: not satisfied; the beneficiary's LEI is the one on record."
    else:
        said = f"FATF R.16: not satisfied; the name agrees by {facts.score} % only."
    review = REVIEW_NOTE if facts.under_review else ""
    waits = WAITS_NOTE if facts.lei_waits else ""
    return said + LEI_NOTES.get(facts.status, "") + waits + review

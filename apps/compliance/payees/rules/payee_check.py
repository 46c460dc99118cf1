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
VERSION = "2026-11.5"
COMPLIANT_FROM = 75  # FATF R.16 is met by the LEI, or by a name that agrees this well
# from which agreement of the names a tier begins
VERIFIED_FROM, CONFIDENT_FROM, FLAGGED_FROM, UNVERIFIED_FROM = 90, 75, 55, 35


@dataclass(frozen=True, slots=True)
class PayeeCheckFacts:
    """The inputs of a check.

    `score` is how well the submitted name agrees with the best of legal name and aliases, in whole
    percents. `status` is the current status of the LEI on record; UNVERIFIED if it could not be
    looked up. `waits`: the wallet has a registration that does not count yet.
    """

    registered: bool = True
    waits: bool = False
    lei: LeiCheck = "NOT_GIVEN"
    status: LeiStatus = "NONE"
    score: int = 0
    by_alias: bool = False
    under_review: bool = False
    lei_waits: bool = False  # GLEIF has another name for the LEI on record
    unread: str = ""  # the rule by which the names were not compared (`UNREAD`)


@dataclass(frozen=True, slots=True)
class Tier:
    """One row of the table; the first that holds decides. `code` never changes."""

    code: str
    ref: str
    result: Result
    title: str
    message: str
    when: Callable[[PayeeCheckFacts], bool]
    gray: bool = False  # a model's opinion is requested


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


def _scores_at_least(least: int) -> Callable[[PayeeCheckFacts], bool]:
    return lambda facts: facts.score >= least


def _is_lei_unverified(facts: PayeeCheckFacts) -> bool:
    return facts.lei == "MATCHED" and facts.status == "UNVERIFIED"


def _is_lei_lapsed(facts: PayeeCheckFacts) -> bool:
    return facts.lei == "MATCHED" and facts.status in ("LAPSED", "RETIRED")


TIERS: tuple[Tier, ...] = (
    Tier(
        "VOP-9",
        "D §4 2.3 earlier entity",
        "NOT_REGISTERED",
        "A registration of the wallet to a different entity waits for confirmation.",
        "This wallet is being registered for a different entity: until that is reviewed, there is "
        "no identity to compare the name with.",
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
        "The LEI matches the record, and has lapsed or been retired.",
        "The LEI matches the record, but is no longer active: check with the payee.",
        _is_lei_lapsed,
    ),
    Tier(
        "VOP-10",
        "D §4 fail closed, LEI",
        "LEI_INACTIVE",
        "The LEI matches the record, and its status could not be checked.",
        "The LEI matches the record, but whether it is active could not be checked: check with the "
        "payee.",
        _is_lei_unverified,
    ),
    Tier(
        "VOP-3",
        "1 §2.2 LEI_MATCH",
        "LEI_MATCH",
        "The LEI matches the record; names are not compared.",
        "The LEI matches the record exactly.",
        lambda facts: facts.lei == "MATCHED",
    ),
    Tier(
        "VOP-4",
        "1 §2.2 VERIFIED",
        "VERIFIED",
        f"The name scores {VERIFIED_FROM} or more.",
        "The name matches the record.",
        _scores_at_least(VERIFIED_FROM),
    ),
    Tier(
        "VOP-5",
        "1 §2.2 PROCEED_HIGH_CONFIDENCE",
        "PROCEED_HIGH_CONFIDENCE",
        f"The name scores {CONFIDENT_FROM} to {VERIFIED_FROM - 1}.",
        "The name matches the record apart from a minor difference.",
        _scores_at_least(CONFIDENT_FROM),
    ),
    Tier(
        "VOP-6",
        "1 §2.2 PROCEED_FLAGGED",
        "PROCEED_FLAGGED",
        f"The name scores {FLAGGED_FROM} to {CONFIDENT_FROM - 1}.",
        "The name matches the record in part: compare the two before you pay.",
        _scores_at_least(FLAGGED_FROM),
        gray=True,
    ),
    Tier(
        "VOP-11",
        "D §4 fail closed, names",
        "PROCEED_UNVERIFIED",
        "The names could not be compared.",
        "The names could not be compared: the payee is not verified.",
        lambda facts: bool(facts.unread),
        gray=True,
    ),
    Tier(
        "VOP-7",
        "1 §2.2 PROCEED_UNVERIFIED",
        "PROCEED_UNVERIFIED",
        f"The name scores {UNVERIFIED_FROM} to {FLAGGED_FROM - 1}.",
        "The name hardly matches the record: the payee is not verified.",
        _scores_at_least(UNVERIFIED_FROM),
        gray=True,
    ),
    Tier(
        "VOP-8",
        "1 §2.2 BLOCKED",
        "BLOCKED",
        f"The name scores less than {UNVERIFIED_FROM}.",
        "The name is not that of the wallet's owner: the payment is likely misdirected.",
        lambda facts: True,
    ),
)

# each result once: two rows may have the same one
RESULTS: tuple[Result, ...] = tuple(dict.fromkeys(tier.result for tier in TIERS))

# added to the message where the LEI did not decide
FELL_BACK: dict[LeiCheck, str] = {
    "ANOTHER_LEI": " The submitted LEI is not the one on record",
    "UNDER_REVIEW": " The LEI on record is under review: GLEIF has another name for it",
    "NONE_ON_RECORD": " The record holds no LEI",
}
COMPARED = ", so names were compared."
# why names were not compared, by the rule of apps/reference/names/payee/rules/fields.py
UNREAD = {
    "P.59": " The names are in scripts that cannot be read together: they were not compared.",
    "P.67": " The names take too long to compare: they were not compared.",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the note, included `when` its condition holds. `code` never changes."""

    code: str
    when: Callable[[PayeeCheckFacts, Tier], bool]
    says: str


def is_by_lei(tier: Tier) -> bool:
    """Return whether a tier rests on the LEI."""
    return tier.result in ("LEI_MATCH", "LEI_INACTIVE")


def is_compliant(facts: PayeeCheckFacts, tier: Tier) -> bool:
    """Return whether FATF R.16 is met: by the LEI, or by a name that scores high enough."""
    if is_by_lei(tier):
        return not _is_lei_unverified(facts)
    # a score without a comparison is 0, but the reason must be the missing comparison
    return facts.registered and not facts.unread and facts.score >= COMPLIANT_FROM


# the basis of FATF R.16, or why it is not satisfied; the first that holds
BASES: tuple[Sentence, ...] = (
    Sentence(
        "note.not_registered",
        lambda facts, tier: not facts.registered,
        "FATF R.16: not satisfied; the beneficiary of this wallet is unknown.",
    ),
    Sentence(
        "note.lei",
        lambda facts, tier: is_by_lei(tier) and is_compliant(facts, tier),
        "FATF R.16: beneficiary information verified by the beneficiary's LEI.",
    ),
    Sentence(
        "note.lei_not_checked",
        lambda facts, tier: is_by_lei(tier),
        "FATF R.16: not satisfied; the LEI matches the record but could not be checked.",
    ),
    Sentence(
        "note.name",
        is_compliant,
        "FATF R.16: beneficiary information verified by the name, which scores {score} %.",
    ),
    Sentence(
        "note.not_compared",
        lambda facts, tier: bool(facts.unread),
        "FATF R.16: not satisfied; the names could not be compared.",
    ),
    Sentence(
        "note.other_name",
        lambda facts, tier: True,
        "FATF R.16: not satisfied; the name scores only {score} %.",
    ),
)
# further information for examiners; all that hold, for a registered wallet
NOTE_ADDITIONS: tuple[Sentence, ...] = (
    Sentence(
        "note.another_lei",
        lambda facts, tier: facts.lei == "ANOTHER_LEI",
        "The submitted LEI is not the one on record.",
    ),
    Sentence(
        "note.lapsed",
        lambda facts, tier: facts.status == "LAPSED",
        "The LEI on record has lapsed.",
    ),
    Sentence(
        "note.retired",
        lambda facts, tier: facts.status == "RETIRED",
        "The LEI on record was retired.",
    ),
    Sentence(
        "note.unverified",
        lambda facts, tier: facts.status == "UNVERIFIED",
        "Whether the LEI on record is still active could not be checked.",
    ),
    Sentence(
        "note.lei_waits",
        lambda facts, tier: facts.lei_waits,
        "GLEIF has another name for the LEI on record: the LEI proves nothing yet.",
    ),
    Sentence(
        "note.under_review",
        lambda facts, tier: facts.under_review,
        "The registration is under review by a compliance officer.",
    ),
)


def judge_payee_check(facts: PayeeCheckFacts) -> Judgement:
    """Return the tier of a check with its score, its sentences and how it was resolved."""
    tier = next(tier for tier in TIERS if tier.when(facts))
    # a tier by the LEI scores 100: names were not compared (document 1 section 2.2)
    by_lei = is_by_lei(tier)
    named = facts.registered and not by_lei
    if not facts.registered:
        resolved_by = "NOT_REGISTERED"
    elif by_lei:
        resolved_by = "LEI_EXACT_MATCH"
    else:
        resolved_by = "ALIAS_MATCH" if facts.by_alias else "NAME_MATCH"
    basis = next(base for base in BASES if base.when(facts, tier))
    besides = NOTE_ADDITIONS if facts.registered else ()
    # one basis, and everything an examiner should know beside it
    sentences = [basis, *(beside for beside in besides if beside.when(facts, tier))]
    return Judgement(
        tier=tier,
        score=100 if by_lei else facts.score if named else 0,
        resolved_by=resolved_by,
        compliant=is_compliant(facts, tier),
        message=tier.message + (_message_suffix(facts) if named else ""),
        note=" ".join(sentence.says for sentence in sentences).format(score=facts.score),
    )


def _message_suffix(facts: PayeeCheckFacts) -> str:
    """Return the end of the message of a name comparison."""
    fell_back = FELL_BACK.get(facts.lei, "")
    ends = ("." if facts.unread else COMPARED) if fell_back else ""
    return fell_back + ends + UNREAD.get(facts.unread, "")

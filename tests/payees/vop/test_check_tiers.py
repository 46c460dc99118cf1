"""The tiers of a payee check, on both sides of every bound."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apps.compliance.payees.rules.payee_check import (
    BASES,
    FELL_BACK,
    NOTE_ADDITIONS,
    TIERS,
    UNREAD,
    PayeeCheckFacts,
    judge_payee_check,
)
from apps.reference.names.payee import compare_payee_names

ORDER = [
    "BLOCKED",
    "PROCEED_UNVERIFIED",
    "PROCEED_FLAGGED",
    "PROCEED_HIGH_CONFIDENCE",
    "VERIFIED",
]


@pytest.mark.parametrize(
    ("score", "result", "compliant"),
    [
        (0, "BLOCKED", False),
        (34, "BLOCKED", False),
        (35, "PROCEED_UNVERIFIED", False),
        (54, "PROCEED_UNVERIFIED", False),
        (55, "PROCEED_FLAGGED", False),
        (74, "PROCEED_FLAGGED", False),
        (75, "PROCEED_HIGH_CONFIDENCE", True),
        (89, "PROCEED_HIGH_CONFIDENCE", True),
        (90, "VERIFIED", True),
        (100, "VERIFIED", True),
    ],
)
def test_the_score_of_a_name_decides_the_tier(score: int, result: str, compliant: bool) -> None:
    judgement = judge_payee_check(PayeeCheckFacts(score=score))
    assert (judgement.tier.result, judgement.compliant, judgement.score) == (
        result,
        compliant,
        score,
    )
    assert judgement.proceeds is (result != "BLOCKED")
    assert judgement.tier.gray is (result in ("PROCEED_FLAGGED", "PROCEED_UNVERIFIED"))
    assert judgement.resolved_by == "NAME_MATCH"


@pytest.mark.parametrize(
    ("status", "result", "note"),
    [
        ("ACTIVE", "LEI_MATCH", ""),
        ("UNVERIFIED", "LEI_INACTIVE", "could not be checked"),
        ("LAPSED", "LEI_INACTIVE", "has lapsed"),
        ("RETIRED", "LEI_INACTIVE", "was retired"),
    ],
)
def test_an_lei_that_matches_scores_100_and_its_state_is_told(
    status: str, result: str, note: str
) -> None:
    judgement = judge_payee_check(PayeeCheckFacts(lei="MATCHED", status=status, score=3))  # type: ignore[arg-type]
    assert (judgement.tier.result, judgement.score, judgement.resolved_by) == (
        result,
        100,
        "LEI_EXACT_MATCH",
    )
    assert judgement.proceeds and note in judgement.note
    assert judgement.compliant is (status != "UNVERIFIED")


@pytest.mark.parametrize(
    ("lei", "said"),
    [
        ("ANOTHER_LEI", "not the one on record"),
        ("NONE_ON_RECORD", "holds no LEI"),
        ("UNDER_REVIEW", "GLEIF has another name"),
    ],
)
def test_an_lei_that_does_not_match_leaves_it_to_the_name_and_says_so(lei: str, said: str) -> None:
    judgement = judge_payee_check(PayeeCheckFacts(lei=lei, status="ACTIVE", score=20))  # type: ignore[arg-type]
    assert (judgement.tier.result, judgement.score) == ("BLOCKED", 20)
    assert said in judgement.message
    assert ("not the one on record" in judgement.note) is (lei == "ANOTHER_LEI")
    assert said not in judge_payee_check(PayeeCheckFacts(status="ACTIVE", score=20)).message


def test_a_wallet_that_is_not_registered_proceeds_with_nothing_verified() -> None:
    judgement = judge_payee_check(
        PayeeCheckFacts(registered=False, lei="MATCHED", status="ACTIVE", score=100)
    )
    assert (judgement.tier.result, judgement.score, judgement.compliant) == (
        "NOT_REGISTERED",
        0,
        False,
    )
    assert judgement.proceeds and judgement.resolved_by == "NOT_REGISTERED"


def test_a_wallet_whose_entity_does_not_count_yet_has_no_identity_to_verify() -> None:
    judgement = judge_payee_check(PayeeCheckFacts(registered=False, waits=True, under_review=True))
    assert (judgement.tier.code, judgement.tier.result, judgement.compliant) == (
        "VOP-9",
        "NOT_REGISTERED",
        False,
    )
    assert judgement.proceeds and "being registered" in judgement.message


def test_a_name_that_is_an_alias_says_so() -> None:
    assert judge_payee_check(PayeeCheckFacts(score=95, by_alias=True)).resolved_by == "ALIAS_MATCH"


def test_a_registration_under_review_is_told_in_the_note() -> None:
    assert "under review" in judge_payee_check(PayeeCheckFacts(score=95, under_review=True)).note
    assert "under review" not in judge_payee_check(PayeeCheckFacts(score=95)).note


@given(low=st.integers(0, 100), high=st.integers(0, 100))
def test_a_higher_score_never_ends_in_a_lower_tier(low: int, high: int) -> None:
    low, high = sorted((low, high))
    found = [
        ORDER.index(judge_payee_check(PayeeCheckFacts(score=score)).tier.result)
        for score in (low, high)
    ]
    assert found == sorted(found)


def test_every_tier_is_reached_and_codes_are_single() -> None:
    assert len({tier.code for tier in TIERS}) == len(TIERS) == 11
    assert len({tier.result for tier in TIERS}) == 8


# facts, then the one row of the table that they end in
REACHED = [
    ("VOP-9", PayeeCheckFacts(registered=False, waits=True)),
    ("VOP-1", PayeeCheckFacts(registered=False)),
    ("VOP-2", PayeeCheckFacts(lei="MATCHED", status="LAPSED")),
    ("VOP-10", PayeeCheckFacts(lei="MATCHED", status="UNVERIFIED")),
    ("VOP-3", PayeeCheckFacts(lei="MATCHED", status="ACTIVE")),
    ("VOP-4", PayeeCheckFacts(score=90)),
    ("VOP-5", PayeeCheckFacts(score=89)),
    ("VOP-6", PayeeCheckFacts(score=74)),
    ("VOP-11", PayeeCheckFacts(score=35, unread="P.59")),
    ("VOP-7", PayeeCheckFacts(score=54)),
    ("VOP-8", PayeeCheckFacts(score=34)),
]


@pytest.mark.parametrize(("code", "facts"), REACHED)
def test_each_row_decides_what_it_is_for(code: str, facts: PayeeCheckFacts) -> None:
    assert judge_payee_check(facts).tier.code == code


def test_no_row_is_out_of_reach() -> None:
    assert [code for code, _facts in REACHED] == [tier.code for tier in TIERS]


UNREGISTERED = PayeeCheckFacts(registered=False, status="LAPSED", lei_waits=True, under_review=True)
# each sentence of the note: facts that it is said of, and facts that it must not be said of
SENTENCES: dict[str, tuple[list[PayeeCheckFacts], list[PayeeCheckFacts]]] = {
    "note.not_registered": ([UNREGISTERED], [PayeeCheckFacts(), PayeeCheckFacts(score=90)]),
    "note.lei": (
        [
            PayeeCheckFacts(lei="MATCHED", status="ACTIVE"),
            PayeeCheckFacts(lei="MATCHED", status="LAPSED"),
        ],
        [
            PayeeCheckFacts(lei="MATCHED", status="UNVERIFIED"),
            PayeeCheckFacts(score=100, lei="ANOTHER_LEI"),
        ],
    ),
    "note.lei_not_checked": (
        [PayeeCheckFacts(lei="MATCHED", status="UNVERIFIED")],
        [
            PayeeCheckFacts(lei="MATCHED", status="ACTIVE"),
            PayeeCheckFacts(score=74, status="UNVERIFIED"),
        ],
    ),
    "note.name": (
        [PayeeCheckFacts(score=75), PayeeCheckFacts(score=100, lei="ANOTHER_LEI")],
        [
            PayeeCheckFacts(score=74),
            PayeeCheckFacts(lei="MATCHED", score=100),
            PayeeCheckFacts(score=75, unread="P.59"),
        ],
    ),
    "note.not_compared": (
        [PayeeCheckFacts(score=35, unread="P.59"), PayeeCheckFacts(score=35, unread="P.67")],
        [PayeeCheckFacts(score=35), PayeeCheckFacts(lei="MATCHED", unread="P.59")],
    ),
    "note.other_name": (
        [PayeeCheckFacts(score=74), PayeeCheckFacts(score=0)],
        [PayeeCheckFacts(score=75), PayeeCheckFacts(score=35, unread="P.59"), UNREGISTERED],
    ),
    "note.another_lei": (
        [PayeeCheckFacts(lei="ANOTHER_LEI")],
        [PayeeCheckFacts(lei="UNDER_REVIEW"), PayeeCheckFacts()],
    ),
    "note.lapsed": (
        [PayeeCheckFacts(status="LAPSED")],
        [PayeeCheckFacts(status="ACTIVE"), UNREGISTERED],
    ),
    "note.retired": ([PayeeCheckFacts(status="RETIRED")], [PayeeCheckFacts(status="LAPSED")]),
    "note.unverified": ([PayeeCheckFacts(status="UNVERIFIED")], [PayeeCheckFacts(status="NONE")]),
    "note.lei_waits": ([PayeeCheckFacts(lei_waits=True)], [PayeeCheckFacts(), UNREGISTERED]),
    "note.under_review": ([PayeeCheckFacts(under_review=True)], [PayeeCheckFacts(), UNREGISTERED]),
}


def test_each_sentence_of_the_note_is_said_of_what_it_is_true_of_and_of_nothing_else() -> None:
    rows = {base.code: base for base in (*BASES, *NOTE_ADDITIONS)}
    assert rows.keys() == SENTENCES.keys()
    for code, (said, unsaid) in SENTENCES.items():
        for facts in said:
            assert rows[code].says.format(score=facts.score) in judge_payee_check(facts).note, (
                code,
                facts,
            )
        for facts in unsaid:
            assert rows[code].says.format(score=facts.score) not in judge_payee_check(facts).note, (
                code,
                facts,
            )


@pytest.mark.parametrize("unread", UNREAD)
@pytest.mark.parametrize("lei", [*FELL_BACK, "NOT_GIVEN"])
def test_of_names_that_were_not_compared_nothing_is_said_of_how_they_agree(
    unread: str, lei: Any
) -> None:
    judgement = judge_payee_check(PayeeCheckFacts(score=35, unread=unread, lei=lei))
    assert (judgement.tier.result, judgement.score, judgement.compliant) == (
        "PROCEED_UNVERIFIED",
        35,
        False,
    )
    said = judgement.message + judgement.note
    assert "matches" not in said and "scores" not in said
    assert "were compared" not in judgement.message and UNREAD[unread] in judgement.message
    compared = judge_payee_check(PayeeCheckFacts(score=35, lei=lei))
    assert "matches" in compared.message and "not compared" not in compared.message
    assert ("so names were compared" in compared.message) is (lei in FELL_BACK)


statuses = st.sampled_from(["ACTIVE", "LAPSED", "RETIRED", "NONE", "UNVERIFIED"])
checks = st.sampled_from(["MATCHED", "ANOTHER_LEI", "UNDER_REVIEW", "NONE_ON_RECORD", "NOT_GIVEN"])
any_facts = st.builds(
    PayeeCheckFacts,
    registered=st.booleans(),
    lei=checks,
    status=statuses,
    score=st.integers(0, 100),
    by_alias=st.booleans(),
    under_review=st.booleans(),
)


@given(any_facts)
def test_whatever_is_known_ends_in_one_row_that_holds_together(facts: PayeeCheckFacts) -> None:
    judgement = judge_payee_check(facts)
    assert judgement.proceeds is (judgement.tier.result != "BLOCKED")
    good = ("LEI_MATCH", "LEI_INACTIVE", "VERIFIED", "PROCEED_HIGH_CONFIDENCE")
    assert judgement.compliant is (
        judgement.tier.result in good and judgement.tier.code != "VOP-10"
    )
    assert judgement.tier.gray is (
        judgement.tier.result in ("PROCEED_FLAGGED", "PROCEED_UNVERIFIED")
    )
    assert (judgement.score == 100) if facts.lei == "MATCHED" and facts.registered else True


@given(any_facts)
def test_which_name_agreed_and_a_review_change_no_tier(facts: PayeeCheckFacts) -> None:
    other = replace(facts, by_alias=not facts.by_alias, under_review=not facts.under_review)
    assert judge_payee_check(other).tier is judge_payee_check(facts).tier
    assert judge_payee_check(other).score == judge_payee_check(facts).score


@given(any_facts, statuses)
def test_the_state_of_an_lei_that_did_not_match_changes_no_tier(
    facts: PayeeCheckFacts, status: str
) -> None:
    assume(facts.lei != "MATCHED")
    other = replace(facts, status=status)  # type: ignore[arg-type]
    assert judge_payee_check(other).tier is judge_payee_check(facts).tier


_WORDS = "quillmont tessaro textiles trading ltd gmbh gernot wiesner dr g 3 iv t/a ref 4411"
names = st.lists(st.sampled_from(_WORDS.split()), min_size=1, max_size=5).map(" ".join)


@settings(deadline=None)
@given(names, names, st.lists(names, max_size=3), names)
def test_a_further_alias_never_ends_in_a_lower_tier(
    one: str, other: str, aliases: list[str], more: str
) -> None:
    comparison = [
        compare_payee_names(submitted=one, registered=other, aliases=listed)
        for listed in (aliases, [*aliases, more], [more, *aliases])
    ]
    tiers = [
        ORDER.index(judge_payee_check(PayeeCheckFacts(score=each.score)).tier.result)
        for each in comparison
    ]
    assert min(tiers[1:]) >= tiers[0] and tiers[1] == tiers[2]


@settings(deadline=None)
@given(names, names)
def test_whoever_is_verified_one_way_is_not_blocked_the_other_way(one: str, other: str) -> None:
    there, back = (
        judge_payee_check(
            PayeeCheckFacts(score=compare_payee_names(submitted=a, registered=b).score)
        ).tier.result
        for a, b in ((one, other), (other, one))
    )
    if there == "VERIFIED":
        assert back != "BLOCKED"

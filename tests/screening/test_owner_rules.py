"""When listed owners control a party, at each boundary (D §4 Owners; OFAC's 50 percent rule)."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.compliance.screening.rules.owners import (
    describe_holdings,
    is_controlled_by_listed,
    missing_shares,
    worst_country_label,
)
from apps.reference.lei.values import OwnershipTie


def tie(text: str) -> OwnershipTie:
    """Read `S>D 60`: D holds 60 % of S directly; `S>>U`: U is the ultimate parent of S."""
    names, _, share = text.partition(" ")
    kind = "ULTIMATE" if ">>" in names else "DIRECT"
    child, parent = names.replace(">>", ">").split(">")
    return OwnershipTie(child, parent, kind, Decimal(share) if share else None)


CASES = [
    # who owns whom, who is listed, whether they control
    (["S>D"], "D", True),  # a share that is not said is control
    (["S>>U"], "U", True),
    (["S>D 50"], "D", True),
    (["S>D 49.99"], "D", False),
    (["S>D 60"], "", False),
    (["S>D 60"], "X", False),
    # of two shares that records give of the same owner the larger counts
    (["S>D 60", "S>D 30"], "D", True),
    (["S>D 30", "S>D 60"], "D", True),
    # in the aggregate
    (["S>D 30", "S>E 20"], "DE", True),
    (["S>D 30", "S>E 19.99"], "DE", False),
    (["S>D 30", "S>E"], "DE", True),
    # through every level: no multiplying
    (["S>D 50", "D>U 50"], "U", True),
    (["S>D 50", "D>U 49"], "U", False),
    (["S>D 49", "D>U 100"], "U", False),
    (["S>D 30", "S>E 25", "D>U 80", "E>U 60"], "U", True),
    (["S>D 30", "S>E 25", "D>U 80", "E>V 60"], "UV", True),
    (["S>D 30", "S>E 25", "D>U 80", "E>V 40"], "UV", False),
    (["S>D", "D>U"], "U", True),
    (["S>D", "D>U 10"], "U", False),
    # the statement of the ultimate parent says nothing where the way to it is known
    (["S>D 30", "D>U 100", "S>>U"], "U", False),
    (["S>D 30", "D>U", "S>>U"], "U", True),
    (["S>D 30", "S>>U"], "U", True),
    (["S>D 30", "S>>D"], "D", False),
    (["S>>U 30"], "U", False),
    # circles end
    (["S>D 60", "D>S 60"], "D", True),
    (["S>D 60", "D>S 60"], "S", False),
    (["S>S"], "S", False),
]


@pytest.mark.parametrize(("ties", "listed", "controls"), CASES)
def test_listed_owners_of_half_or_more_control(ties, listed, controls) -> None:
    found = is_controlled_by_listed(
        subject="S", listed=set(listed), ties=[tie(one) for one in ties]
    )
    assert found is controls


MISSING = [
    # who owns whom, of whom a share is missing and what the known ones make
    ([], {}),
    (["S>D"], {}),  # control is stated, no share
    (["S>D 100"], {}),
    (["S>D 99.99"], {"S": "99.99"}),
    (["S>D 30"], {"S": "30"}),
    (["S>D 30", "S>E 70"], {}),
    (["S>D 30", "S>E 69"], {"S": "99"}),
    (["S>D 30", "S>E"], {}),
    (["S>D 60", "S>D 100"], {}),
    (["S>D 100", "D>U 60"], {"D": "60"}),
    # who stands above a direct parent holds through it
    (["S>D 60", "S>>U 60", "D>U 100"], {"S": "60"}),
    (["S>D 30", "S>>U", "D>U"], {"S": "30"}),
    (["S>D 30", "S>>D 30"], {"S": "30"}),
    (["S>D 60", "S>>U 40"], {}),
    (["S>D 30", "S>>U"], {}),
    (["S>>U 30"], {"S": "30"}),
    (["S>S 30"], {}),
    (["S>D 60", "D>S 100"], {"S": "60"}),
]


@pytest.mark.parametrize(("ties", "missing"), MISSING)
def test_shares_below_the_whole_leave_an_owner_missing(ties, missing) -> None:
    found = missing_shares([tie(one) for one in ties])
    assert found == {lei: Decimal(share) for lei, share in missing.items()}


def test_what_an_owner_holds_is_said_of_whom() -> None:
    ties = [tie(one) for one in ("S>D 30.00", "S>E", "D>U 100", "S>>U")]
    assert describe_holdings(ties=ties, names={"S": "Acme"}) == {
        "D": ("holds 30 % of Acme",),
        "E": ("consolidates Acme (no share on record)",),
        "U": ("holds 100 % of D",),
    }


names = st.sampled_from("SABCD")
shares = st.one_of(st.none(), st.integers(1, 100).map(Decimal))
any_ties = st.lists(
    st.builds(OwnershipTie, names, names, st.sampled_from(["DIRECT", "ULTIMATE"]), shares)
)


@given(any_ties, st.sets(names), names)
def test_another_listed_owner_never_frees_a_party(ties, listed, more) -> None:
    if is_controlled_by_listed(subject="S", listed=listed, ties=ties):
        assert is_controlled_by_listed(subject="S", listed=listed | {more}, ties=ties)


@pytest.mark.parametrize(
    ("labels", "one"),
    [
        ([], "NOT_PROVIDED"),
        (["STANDARD"], "STANDARD"),
        (["STANDARD", "NOT_PROVIDED"], "NOT_PROVIDED"),
        (["STANDARD", "EU_HIGH_RISK"], "EU_HIGH_RISK"),
        (["EU_HIGH_RISK", "INCREASED_MONITORING"], "INCREASED_MONITORING"),
        (["INCREASED_MONITORING", "EMBARGO"], "EMBARGO"),
        (["EMBARGO", "CALL_FOR_ACTION"], "CALL_FOR_ACTION"),
    ],
)
def test_the_gravest_country_counts(labels, one) -> None:
    assert worst_country_label(labels) == one

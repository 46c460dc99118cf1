"""How a chain of owners is put together, and who owns whom."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.lei.rules import owner_chain
from apps.reference.lei.rules.owner_chain import (
    OwnerStatement,
    build_owner_chain,
    collect_ownership_ties,
    newest_statements,
)
from apps.reference.lei.values import Entity, HeldEntity, OwnerGap, OwnershipTie

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
THEN = datetime(2026, 11, 1, tzinfo=UTC)


def entity(lei="S", name="Acme Limited", **fields):
    fields = {"registration_status": "ISSUED", "entity_status": "ACTIVE"} | fields
    return Entity(lei=lei, legal_name=name, **fields)


def direct(child, parent="", reason=""):
    return OwnerStatement(child, "DIRECT", parent, reason, THEN)


def ultimate(child, parent="", reason=""):
    return OwnerStatement(child, "ULTIMATE", parent, reason, THEN)


def chain(*said, levels=3, deep=False, unheld=()):
    leis = {one.lei for one in said} | {one.parent for one in said if one.parent} | {"S"}
    held = {
        lei: HeldEntity(entity(lei, f"{lei} Ltd"), "GLEIF_API", THEN, THEN)
        for lei in leis - set(unheld)
    }
    return build_owner_chain(
        subject="S", owner_statements=said, held_entities=held, now=NOON, levels=levels, deep=deep
    )


def shape(found):
    return [(node.role, node.lei) for node in found.nodes]


FULL = (direct("S", "D"), ultimate("S", "U"), direct("D", "I"), direct("I", "U"))


@pytest.mark.parametrize(
    ("levels", "deep", "expected"),
    [
        (2, False, [("SUBJECT", "S"), ("ULTIMATE_PARENT", "U")]),
        (3, False, [("SUBJECT", "S"), ("DIRECT_PARENT", "D"), ("ULTIMATE_PARENT", "U")]),
        (
            3,
            True,
            [
                ("SUBJECT", "S"),
                ("DIRECT_PARENT", "D"),
                ("INTERMEDIATE", "I"),
                ("ULTIMATE_PARENT", "U"),
            ],
        ),
    ],
)
def test_levels_and_depth(levels, deep, expected):
    found = chain(*FULL, levels=levels, deep=deep)
    assert shape(found) == expected
    assert found.gaps == ()
    assert found.as_of == THEN


def test_one_that_is_direct_and_ultimate_parent_appears_once():
    found = chain(direct("S", "U"), ultimate("S", "U"))
    assert shape(found) == [("SUBJECT", "S"), ("ULTIMATE_PARENT", "U")]


def test_without_owners_by_exception_the_chain_ends_at_the_subject():
    found = chain(direct("S", reason="NATURAL_PERSONS"), ultimate("S", reason="NON_CONSOLIDATING"))
    assert shape(found) == [("SUBJECT", "S")]
    assert found.gaps == (
        OwnerGap("DIRECT_PARENT", "NATURAL_PERSONS"),
        OwnerGap("ULTIMATE_PARENT", "NON_CONSOLIDATING"),
    )


def test_a_subject_that_says_nothing_leaves_both_owners_open():
    assert chain().gaps == (
        OwnerGap("DIRECT_PARENT", "NOT_REPORTED"),
        OwnerGap("ULTIMATE_PARENT", "NOT_REPORTED"),
    )
    assert chain(levels=2).gaps == (OwnerGap("ULTIMATE_PARENT", "NOT_REPORTED"),)


@pytest.mark.parametrize(
    ("top_says", "last", "gap"),
    [
        ("NO_KNOWN_PERSON", ("ULTIMATE_PARENT", "T"), None),
        ("NON_PUBLIC", ("DIRECT_PARENT", "T"), OwnerGap("ULTIMATE_PARENT", "NON_PUBLIC")),
        (None, ("DIRECT_PARENT", "T"), OwnerGap("ULTIMATE_PARENT", "NOT_REPORTED")),
    ],
)
@pytest.mark.parametrize("levels", [2, 3])
def test_the_top_of_the_direct_parents_is_ultimate_only_if_it_says_so(levels, top_says, last, gap):
    said = [direct("S", "T")]
    if top_says:
        said += [direct("T", reason=top_says), ultimate("T", reason=top_says)]
    found = chain(*said, levels=levels)
    assert shape(found) == [("SUBJECT", "S"), last]
    assert found.gaps == ((gap,) if gap else ())


def test_two_levels_show_the_highest_known_owner_when_the_ultimate_is_not_known():
    found = chain(direct("S", "D"), direct("D", "I"), levels=2)
    assert shape(found) == [("SUBJECT", "S"), ("INTERMEDIATE", "I")]


def test_an_ultimate_parent_told_by_a_direct_parent_is_taken():
    found = chain(direct("S", "D"), ultimate("D", "U"))
    assert shape(found)[-1] == ("ULTIMATE_PARENT", "U")


def test_a_hidden_direct_parent_below_a_known_ultimate_is_a_gap():
    found = chain(direct("S", reason="NON_PUBLIC"), ultimate("S", "U"))
    assert shape(found) == [("SUBJECT", "S"), ("ULTIMATE_PARENT", "U")]
    assert found.gaps == (OwnerGap("DIRECT_PARENT", "NON_PUBLIC"),)


@pytest.mark.parametrize(
    ("said", "gap"),
    [
        ([direct("S", "S")], OwnerGap("ULTIMATE_PARENT", "CYCLE")),
        ([direct("S", "D"), direct("D", "S")], OwnerGap("ULTIMATE_PARENT", "CYCLE")),
        ([direct("S", "D"), ultimate("D", "S")], OwnerGap("ULTIMATE_PARENT", "CYCLE")),
        (
            [direct("S", "D"), ultimate("S", "D"), direct("D", "S"), ultimate("D", "S")],
            OwnerGap("ULTIMATE_PARENT", "CYCLE"),
        ),
        (
            [direct("S", "D"), ultimate("S", "U"), direct("D", "U"), ultimate("U", "S")],
            OwnerGap("ULTIMATE_PARENT", "CYCLE"),
        ),
        (
            [direct("S", "A"), direct("A", "B"), direct("B", "A")],
            OwnerGap("ULTIMATE_PARENT", "CYCLE"),
        ),
    ],
)
@pytest.mark.parametrize("deep", [True, False])
def test_circles_end_and_are_told(said, gap, deep):
    found = chain(*said, deep=deep)
    assert gap in found.gaps
    assert len({node.lei for node in found.nodes}) == len(found.nodes)


def test_a_broken_way_to_the_ultimate_parent_shows_only_when_it_was_asked_for():
    said = (direct("S", "D"), ultimate("S", "U"), direct("D", reason="NON_PUBLIC"))
    assert chain(*said).gaps == ()
    assert chain(*said, deep=True).untraced == (OwnerGap("INTERMEDIATE", "NON_PUBLIC"),)
    assert chain(*said, deep=True).gaps == chain(*said).gaps == ()


def test_an_owner_whose_record_is_not_held_is_shown_by_its_lei_and_is_not_checked():
    found = chain(direct("S", "U"), ultimate("S", "U"), unheld=("U",))
    assert (found.nodes[1].name, found.nodes[1].known) == ("U", False)
    assert found.gaps == (OwnerGap("ULTIMATE_PARENT", "NOT_CHECKED"),)


def test_a_subject_that_is_not_held_is_not_checked():
    assert OwnerGap("SUBJECT", "NOT_CHECKED") in chain(unheld=("S",)).gaps


@pytest.mark.parametrize(
    ("length", "cut"), [(owner_chain.MAX_DEPTH, False), (owner_chain.MAX_DEPTH + 1, True)]
)
def test_a_chain_is_followed_to_its_bound(length, cut):
    said = [direct("S" if n == 0 else f"N{n}", f"N{n + 1}") for n in range(length)]
    said.append(direct(f"N{length}", reason="NO_KNOWN_PERSON"))
    found = chain(*said, deep=True)
    assert (OwnerGap("ULTIMATE_PARENT", "TOO_LONG") in found.gaps) is cut
    assert OwnerGap("ULTIMATE_PARENT", "CYCLE") not in found.gaps


def test_the_newest_statement_rules_and_real_data_outrank_the_sample():
    later = THEN + timedelta(days=1)
    old = OwnerStatement("S", "DIRECT", "OLD", "", THEN)
    new = OwnerStatement("S", "DIRECT", "", "NON_PUBLIC", later)
    sample = OwnerStatement("S", "DIRECT", "SAMPLE", "", later + timedelta(days=1), sample=True)
    same = OwnerStatement("S", "DIRECT", "OWNER", "", later)
    assert newest_statements([old, new])["S", "DIRECT"] == new
    assert newest_statements([new, old])["S", "DIRECT"] == new
    assert newest_statements([sample, old])["S", "DIRECT"] == old
    assert newest_statements([new, same])["S", "DIRECT"] == same


def test_a_chain_on_sample_data_says_so():
    held = {"S": HeldEntity(entity(), "SAMPLE", THEN, THEN)}
    assert build_owner_chain(subject="S", owner_statements=(), held_entities=held, now=NOON).sample
    assert not chain(*FULL).sample


leis = st.sampled_from("SABCD")
statements = st.builds(
    lambda lei, kind, parent, reason: OwnerStatement(
        lei, kind, parent, "" if parent else reason, THEN
    ),
    leis,
    st.sampled_from(["DIRECT", "ULTIMATE"]),
    st.sampled_from(["", *"SABCD"]),
    st.sampled_from(["NON_PUBLIC", "NO_KNOWN_PERSON"]),
)


@given(st.lists(statements), st.sampled_from([2, 3]), st.booleans())
def test_any_records_make_a_chain_without_repetitions(said, levels, deep):
    found = chain(*said, levels=levels, deep=deep)
    names = [node.lei for node in found.nodes]
    assert names[0] == "S"
    assert len(names) == len(set(names))
    assert deep or len(names) <= levels
    closed = found.nodes[-1].role == "ULTIMATE_PARENT" or any(
        gap.role == "ULTIMATE_PARENT" for gap in found.gaps
    )
    # an entity that calls itself its ultimate parent has none above it
    assert closed or newest_statements(said)["S", "ULTIMATE"].parent == "S"


# --- every owner, shown or not ------------------------------------------------------


@pytest.mark.parametrize("deep", [True, False])
@pytest.mark.parametrize("levels", [2, 3])
def test_every_owner_on_record_is_in_the_chain_whatever_is_shown(levels, deep):
    found = chain(*FULL, levels=levels, deep=deep)
    assert {node.lei for node in found.everybody} == {"S", "D", "I", "U"}
    roles = {node.lei: node.role for node in found.everybody}
    assert (roles["D"], roles["I"]) == ("DIRECT_PARENT", "INTERMEDIATE")


def test_several_parents_at_the_same_time_are_all_owners():
    found = chain(direct("S", "D"), direct("S", "E"), ultimate("S", "U"))
    assert {node.lei for node in found.everybody} == {"S", "D", "E", "U"}
    assert [node.role for node in found.further] == ["DIRECT_PARENT"]


def test_a_parent_of_before_is_no_owner():
    later = THEN + timedelta(days=1)
    old, new = direct("S", "OLD"), OwnerStatement("S", "DIRECT", "NEW", "", later)
    assert {node.lei for node in chain(old, new).everybody} == {"S", "NEW"}


def test_owners_above_the_ultimate_parent_that_is_stated_are_owners_too():
    found = chain(direct("S", "D"), ultimate("S", "U"), direct("U", "X"), ultimate("D", "Y"))
    assert {node.lei for node in found.further} == {"X", "Y"} | {
        node.lei for node in found.further if node.lei == "D"
    }


def test_an_owner_that_is_not_shown_and_not_held_is_not_checked():
    found = chain(*FULL, unheld=("I",))
    assert OwnerGap("INTERMEDIATE", "NOT_CHECKED") in found.gaps


def test_ties_carry_their_shares_from_the_subject_upwards():
    said = [
        OwnerStatement("S", "DIRECT", "D", "", THEN, share=Decimal(60)),
        OwnerStatement("D", "DIRECT", "U", "", THEN),
        OwnerStatement("X", "DIRECT", "Y", "", THEN),
    ]
    assert collect_ownership_ties("S", said) == (
        OwnershipTie("S", "D", "DIRECT", Decimal(60)),
        OwnershipTie("D", "U", "DIRECT"),
    )


def test_the_status_of_an_owner_is_that_of_today():
    lapsed = entity("S", next_renewal=NOON.date() - timedelta(days=1))
    held = {"S": HeldEntity(lapsed, "GLEIF_API", THEN, THEN)}
    (node,) = build_owner_chain(
        subject="S", owner_statements=(), held_entities=held, now=NOON
    ).nodes
    assert node.status == "LAPSED"


def test_the_countries_of_an_owner_are_those_of_law_address_and_headquarters():
    one = entity("S", jurisdiction="US-DE", country="CY", headquarters="RU")
    held = {"S": HeldEntity(one, "GLEIF_API", THEN, THEN)}
    (node,) = build_owner_chain(
        subject="S", owner_statements=(), held_entities=held, now=NOON
    ).nodes
    assert node.places == (
        ("jurisdiction", "US"),
        ("legal address in", "CY"),
        ("headquarters in", "RU"),
    )

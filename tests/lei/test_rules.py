"""When an LEI counts, and how a chain of owners is put together."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.lei import rules
from apps.lei.rules import Statement, build_chain, newest
from apps.lei.values import Entity, Gap, Held, Lookup

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
THEN = datetime(2026, 11, 1, tzinfo=UTC)


def entity(lei="S", name="Acme Limited", **fields):
    fields = {"registration_status": "ISSUED", "entity_status": "ACTIVE"} | fields
    return Entity(lei=lei, legal_name=name, **fields)


def known(one):
    return Lookup(one.lei, "KNOWN", Held(one, "GLEIF_API", THEN, THEN), THEN)


@pytest.mark.parametrize(
    ("renewal", "status"),
    [
        (None, "ISSUED"),
        (date(2026, 11, 21), "ISSUED"),
        (date(2026, 11, 20), "ISSUED"),
        (date(2026, 11, 19), "LAPSED"),
    ],
)
def test_issued_holds_until_the_renewal_date(renewal, status):
    assert rules.status_at(entity(next_renewal=renewal), NOON) == status


def test_other_statuses_stay_what_they_are():
    retired = entity(registration_status="RETIRED", next_renewal=date(2020, 1, 1))
    assert rules.status_at(retired, NOON) == "RETIRED"


COUNTS = [
    ("D4.lei.1", Lookup("S", "NOT_CHECKED"), "Acme Ltd", "LEI S not checked"),
    ("D4.lei.2", Lookup("S", "UNKNOWN"), "Acme Ltd", "LEI S is not registered"),
    (
        "D4.lei.3",
        known(entity(registration_status="LAPSED")),
        "Acme Ltd",
        "LEI S is LAPSED, not ISSUED",
    ),
    (
        "D4.lei.3",
        known(entity(next_renewal=date(2026, 11, 19))),
        "Acme Ltd",
        "LEI S is LAPSED, not ISSUED",
    ),
    (
        "D4.lei.4",
        known(entity(entity_status="INACTIVE")),
        "Acme Ltd",
        "the entity of LEI S is INACTIVE",
    ),
    (
        "D4.lei.5",
        known(entity()),
        "Ajax Ltd",
        "LEI S belongs to Acme Limited, another legal name",
    ),
    ("D4.lei.6", known(entity(next_renewal=date(2026, 11, 20))), "Acme Ltd", ""),
]


@pytest.mark.parametrize(("ref", "found", "name", "reason"), COUNTS)
def test_an_lei_counts_only_when_known_issued_and_of_that_name(ref, found, name, reason):
    assert rules.counts(found, name, NOON) == (ref == "D4.lei.6", reason)


def test_every_rule_of_counting_is_reached():
    assert {row[0] for row in COUNTS} == {rule.ref for rule in rules.COUNT_RULES}


@pytest.mark.parametrize(
    ("reason", "hidden"),
    [
        ("NATURAL_PERSONS", False),
        ("NO_KNOWN_PERSON", False),
        ("NON_CONSOLIDATING", False),
        ("NON_PUBLIC", True),
        ("BINDING_LEGAL_COMMITMENTS", True),
        ("LEGAL_OBSTACLES", True),
        ("CONSENT_NOT_OBTAINED", True),
        ("DISCLOSURE_DETRIMENTAL", True),
        ("DETRIMENT_NOT_EXCLUDED", True),
        ("NO_LEI", True),
        ("SOMETHING_NEW", True),
    ],
)
def test_only_reasons_that_say_there_is_no_owner_hide_none(reason, hidden):
    assert rules.hides_owner(reason) is hidden


# --- chains -------------------------------------------------------------------------


def direct(child, parent="", reason=""):
    return Statement(child, "DIRECT", parent, reason, THEN)


def ultimate(child, parent="", reason=""):
    return Statement(child, "ULTIMATE", parent, reason, THEN)


def chain(*said, levels=3, deep=False, unheld=()):
    leis = {one.lei for one in said} | {one.parent for one in said if one.parent} | {"S"}
    held = {
        lei: Held(entity(lei, f"{lei} Ltd"), "GLEIF_API", THEN, THEN) for lei in leis - set(unheld)
    }
    return build_chain(subject="S", statements=newest(said), held=held, levels=levels, deep=deep)


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
        Gap("DIRECT_PARENT", "NATURAL_PERSONS"),
        Gap("ULTIMATE_PARENT", "NON_CONSOLIDATING"),
    )


def test_a_subject_that_says_nothing_leaves_both_owners_open():
    assert chain().gaps == (
        Gap("DIRECT_PARENT", "NOT_REPORTED"),
        Gap("ULTIMATE_PARENT", "NOT_REPORTED"),
    )
    assert chain(levels=2).gaps == (Gap("ULTIMATE_PARENT", "NOT_REPORTED"),)


@pytest.mark.parametrize(
    ("top_says", "last", "gap"),
    [
        ("NO_KNOWN_PERSON", ("ULTIMATE_PARENT", "T"), None),
        ("NON_PUBLIC", ("DIRECT_PARENT", "T"), Gap("ULTIMATE_PARENT", "NON_PUBLIC")),
        (None, ("DIRECT_PARENT", "T"), Gap("ULTIMATE_PARENT", "NOT_REPORTED")),
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
    assert found.gaps == (Gap("DIRECT_PARENT", "NON_PUBLIC"),)


@pytest.mark.parametrize(
    ("said", "gap"),
    [
        ([direct("S", "S")], Gap("ULTIMATE_PARENT", "CYCLE")),
        ([direct("S", "D"), direct("D", "S")], Gap("ULTIMATE_PARENT", "CYCLE")),
        ([direct("S", "D"), ultimate("D", "S")], Gap("ULTIMATE_PARENT", "CYCLE")),
        (
            [direct("S", "A"), direct("A", "B"), direct("B", "A")],
            Gap("ULTIMATE_PARENT", "CYCLE"),
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
    assert chain(*said, deep=True).gaps == (Gap("INTERMEDIATE", "NON_PUBLIC"),)


def test_an_owner_whose_record_is_not_held_is_shown_by_its_lei_and_is_not_checked():
    found = chain(direct("S", "U"), ultimate("S", "U"), unheld=("U",))
    assert (found.nodes[1].name, found.nodes[1].known) == ("U", False)
    assert found.gaps == (Gap("ULTIMATE_PARENT", "NOT_CHECKED"),)


def test_a_subject_that_is_not_held_is_not_checked():
    assert Gap("SUBJECT", "NOT_CHECKED") in chain(unheld=("S",)).gaps


@pytest.mark.parametrize(("length", "cut"), [(rules.MAX_DEPTH, False), (rules.MAX_DEPTH + 1, True)])
def test_a_chain_is_followed_to_its_bound(length, cut):
    said = [direct("S" if n == 0 else f"N{n}", f"N{n + 1}") for n in range(length)]
    said.append(direct(f"N{length}", reason="NO_KNOWN_PERSON"))
    found = chain(*said, deep=True)
    assert (Gap("ULTIMATE_PARENT", "CYCLE") in found.gaps) is cut


def test_the_newest_statement_rules_and_real_data_outrank_the_sample():
    later = THEN + timedelta(days=1)
    old = Statement("S", "DIRECT", "OLD", "", THEN)
    new = Statement("S", "DIRECT", "", "NON_PUBLIC", later)
    sample = Statement("S", "DIRECT", "SAMPLE", "", later + timedelta(days=1), sample=True)
    same = Statement("S", "DIRECT", "OWNER", "", later)
    assert newest([old, new])["S", "DIRECT"] == new
    assert newest([new, old])["S", "DIRECT"] == new
    assert newest([sample, old])["S", "DIRECT"] == old
    assert newest([new, same])["S", "DIRECT"] == same


def test_a_chain_on_sample_data_says_so():
    held = {"S": Held(entity(), "SAMPLE", THEN, THEN)}
    assert build_chain(subject="S", statements={}, held=held).sample
    assert not chain(*FULL).sample


leis = st.sampled_from("SABCD")
statements = st.builds(
    lambda lei, kind, parent, reason: Statement(lei, kind, parent, "" if parent else reason, THEN),
    leis,
    st.sampled_from(["DIRECT", "ULTIMATE"]),
    st.sampled_from(["", *"SABCD"]),
    st.sampled_from(["NON_PUBLIC", "NO_KNOWN_PERSON"]),
)


@settings(max_examples=500)
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
    assert closed or newest(said)["S", "ULTIMATE"].parent == "S"

"""Every sentence that a screen attests is said of what it is true of, and of nothing else.

`SAID` and `UNSAID` have each row of the tables: what it is said of, and what is so near to that
that it must not be said. A row without both fails, and so does a sentence beside the tables.
"""

import ast
import dataclasses
import inspect
from decimal import Decimal
from typing import Any

import pytest

from apps.compliance.screening.combined import response
from apps.compliance.screening.rules import statements
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.owners import NodeFact
from apps.compliance.screening.rules.statements import Statement

PLAIN = ScreenFacts(source="US", source_label="STANDARD")
SUBJECT = NodeFact("SUBJECT", "549300WE6TAF5EEWQS81", "Northwind SE", 0)
PARENT = NodeFact("DIRECT_PARENT", "529900T8BM49AURSDO55", "Northwind Holding SE", 0)
ALONE: dict[str, Any] = {"nodes": (SUBJECT,), "exceptions": ("NATURAL_PERSONS",)}
OWNED: dict[str, Any] = {"nodes": (SUBJECT, PARENT)}
CENT = Decimal("0.01")
LIMIT = Decimal(1_000)
UNSEEN = {"chain_note": "direct parent: no record of this entity is available."}
PART = {"shares_missing": ("Northwind SE: the owners on record hold 30 %",)}
ROWS = {row.code: row for table in statements.TABLES for row in table}
A, F, B = "APPROVED", "FLAGGED", "BLOCKED"

Case = tuple[dict[str, Any], str]
SAID: dict[str, list[Case]] = {
    "r16.lei": [({"lei_counts": True}, A), ({"lei_counts": True, "amount_usd": LIMIT}, F)],
    "r16.below": [({"amount_usd": LIMIT - CENT}, A)],
    "r16.below_not_clear": [({"amount_usd": LIMIT - CENT}, F), ({"amount_usd": CENT}, B)],
    "r16.name_only": [({"amount_usd": LIMIT}, A), ({}, A), ({"lei_given": True}, F)],
    "checked.sanctions": [({}, A), ({"sources_missing": ("One is old.",)}, F)],
    "checked.countries": [({}, A), ({"destination": "FR"}, F)],
    "checked.amount": [({"amount_given": True, "amount_usd": CENT}, A)],
    "checked.office_holders": [({"pep_asked": True, "pep_score": 0}, A)],
    "checked.owners_in_part": [(OWNED | PART, A), (OWNED | PART, B)],
    "checked.owners_to_highest": [(OWNED | {"exceptions": ("NO_KNOWN_PERSON",)}, A)],
    "checked.owners": [(OWNED, A), (OWNED, B)],
    "checked.no_owner": [(ALONE, A)],
    "mica.compatible": [({}, A)],
    "mica.not_compatible": [({}, F), ({}, B)],
    "mica.not_assessed": [({}, A), ({}, B)],
    "genius.not_assessed": [({}, A), ({}, B)],
}
UNSAID: dict[str, list[Case]] = {
    "r16.lei": [({"lei_given": True}, A), ({"lei_given": True, "amount_usd": CENT}, A)],
    "r16.below": [
        ({"amount_usd": LIMIT}, A),
        ({"amount_usd": LIMIT - CENT}, F),
        ({"amount_usd": LIMIT - CENT}, B),
        ({"amount_given": True}, A),
        ({"amount_usd": CENT, "lei_counts": True}, A),
    ],
    "r16.below_not_clear": [({"amount_usd": LIMIT - CENT}, A), ({"amount_usd": LIMIT}, F)],
    "r16.name_only": [({"amount_usd": LIMIT - CENT}, A), ({"lei_counts": True}, A)],
    "checked.amount": [({}, A), ({"amount_given": True}, F)],
    "checked.office_holders": [({}, A), ({"pep_asked": True}, F)],
    "checked.owners_in_part": [(OWNED, A), (OWNED | PART | UNSEEN, F)],
    "checked.owners_to_highest": [(OWNED, A), (ALONE, A), (OWNED | UNSEEN, F)],
    "checked.owners": [
        ({}, A),
        (ALONE, A),
        (OWNED | UNSEEN, F),
        (OWNED | PART, A),
        (OWNED | {"exceptions": ("NO_KNOWN_PERSON",)}, A),
    ],
    "checked.no_owner": [({}, A), (OWNED, A), (ALONE | UNSEEN, F)],
    "mica.compatible": [({}, F), ({}, B)],
    "mica.not_compatible": [({}, A)],
}
# true of every screen: a note is wrong without it
ALWAYS = {"checked.sanctions", "checked.countries", "mica.not_assessed", "genius.not_assessed"}


def notes(change: dict[str, Any], decision: Any) -> tuple[ScreenFacts, dict[str, str]]:
    """Return facts with what their screen attests, by attestation."""
    facts = dataclasses.replace(PLAIN, **change)
    return facts, {
        "r16": statements.select_r16_statement(facts, decision).says(facts),
        "mica": statements.mica_note(facts, decision),
        "genius": statements.genius_note(facts, decision),
    }


def in_notes(row: Statement, change: dict[str, Any], decision: str) -> bool:
    facts, said = notes(change, decision)
    return any(row.says(facts) in note for note in said.values())


def test_each_sentence_has_what_it_is_said_of_and_what_not() -> None:
    assert SAID.keys() == ROWS.keys() == UNSAID.keys() | ALWAYS
    assert all(SAID.values()) and all(UNSAID.values())


@pytest.mark.parametrize(
    ("code", "change", "decision"),
    [(code, *case) for code, cases in SAID.items() for case in cases],
)
def test_it_is_said_where_it_is_true(code: str, change: dict[str, Any], decision: str) -> None:
    assert in_notes(ROWS[code], change, decision)


@pytest.mark.parametrize(
    ("code", "change", "decision"),
    [(code, *case) for code, cases in UNSAID.items() for case in cases],
)
def test_it_is_not_said_where_it_is_not(code: str, change: dict[str, Any], decision: str) -> None:
    row = ROWS[code]
    if row in statements.R16_ROWS:  # one of them is said, and what it begins with may be alike
        facts = dataclasses.replace(PLAIN, **change)
        assert statements.select_r16_statement(facts, decision) != row  # type: ignore[arg-type]
    else:
        assert not in_notes(row, change, decision)


def test_the_answer_has_no_sentence_beside_the_tables() -> None:
    tree = ast.parse(inspect.getsource(response))
    docs = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if _documented(node)}
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    sentences = [
        text for text in texts if isinstance(text, str) and " " in text and text not in docs
    ]
    assert sentences == []


def _documented(node: ast.AST) -> bool:
    return isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)


@pytest.mark.parametrize(
    ("change", "decision", "satisfied"),
    [
        ({"amount_usd": LIMIT - CENT}, A, True),
        ({"amount_usd": LIMIT - CENT}, F, False),
        ({"amount_usd": LIMIT - CENT}, B, False),
        ({"amount_usd": LIMIT}, A, False),
        ({"lei_counts": True}, F, True),
        ({}, A, False),
    ],
)
def test_r16_is_satisfied_only_where_nothing_has_to_be_verified_yet(
    change: dict[str, Any], decision: Any, satisfied: bool
) -> None:
    row = statements.select_r16_statement(dataclasses.replace(PLAIN, **change), decision)
    assert row.satisfied is satisfied
    assert satisfied is not ("verify them" in row.says(PLAIN) or row.basis == "NAME_ONLY")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "(source US; destination not given)"),
        ({"source_taken": True}, "(source US, assumed; destination not given)"),
        ({"destination": "FR"}, "(source US; destination FR)"),
        ({"source": "DE", "destination": "FR"}, "(source DE; destination FR)"),
        ({"unread": ("Cut.",)}, "sanctions lists (name not checked in full)"),
        ({"sources_missing": ("Old.",)}, "the sanctions lists available"),
        ({"sources_missing": ("Old.",), "pep_score": 0}, "persons (on the lists available)"),
        (OWNED | {"lei_of": "Acme SE"}, "ownership of Acme SE, the holder of the LEI, to"),
        (ALONE | {"lei_of": "Acme SE"}, "(Acme SE, another company), which reports no owner"),
        (ALONE, "which reports no owner (NATURAL_PERSONS)"),
    ],
)
def test_a_check_is_told_with_its_bounds(change: dict[str, Any], words: str) -> None:
    _, said = notes(change, "FLAGGED")
    assert words in said["mica"] and words in said["genius"]
    bounds = ("default", "destination FR", "whole name", "that are held", "another company", "Acme")
    _, plain = notes({}, "APPROVED")
    assert not [bound for bound in bounds if bound in plain["mica"]]


# --- through the public surface ---------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "decision", "satisfied"),
    [({}, "APPROVED", True), ({"country": "HT"}, "FLAGGED", False)],
)
def test_a_flagged_screen_below_the_threshold_does_not_satisfy_r16(
    screen: Any, fields: dict[str, Any], decision: str, satisfied: bool
) -> None:
    body = screen(name="Blue Heron Stationery Limited", amount=999.99, **fields)
    r16 = body["attestations"]["fatfR16"]
    found = (body["decision"], r16["satisfied"], r16["basis"])
    assert found == (decision, satisfied, "BELOW_THRESHOLD")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"country": None}, "(source US, assumed; destination not given)"),
        ({"country": None, "sourceCountry": "US"}, "(source US; destination not given)"),
        ({"country": "FR", "sourceCountry": "DE"}, "(source DE; destination FR)"),
    ],
)
def test_countries_that_nobody_named_are_told_as_such(
    screen: Any, fields: dict[str, Any], words: str
) -> None:
    attestations = screen(name="Blue Heron Stationery Limited", **fields)["attestations"]
    assert words in attestations["micaArt72"]["note"] and words in attestations["geniusAct"]["note"]

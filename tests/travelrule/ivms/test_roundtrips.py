"""Any canonical message, written in a dialect and read again, is the same."""

import copy
import unicodedata
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.payments.travelrule.ivms import DIALECTS, codes, model, read_message, write_message
from apps.payments.travelrule.ivms.model import Component, Field
from tests.travelrule.ivms.messages import steps

LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "M", "Zs"))
TEXTS = st.text(LETTERS, min_size=1, max_size=12).map(lambda one: unicodedata.normalize("NFC", one))
calm = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


def values(one: Field) -> st.SearchStrategy[Any]:
    if one.of is not None:
        return components(one.of)
    kinds = {
        "code": lambda: st.sampled_from(sorted(one.codes)),
        "country": lambda: st.sampled_from(sorted(codes.COUNTRIES)),
        "number": lambda: st.integers(0, 10**18 - 1),
        "version": lambda: st.just("101"),
    }
    return kinds.get(one.kind, lambda: TEXTS)()


def elements(one: Field) -> st.SearchStrategy[Any]:
    return st.lists(values(one), min_size=1, max_size=2) if one.many else values(one)


def components(of: Component) -> st.SearchStrategy[dict[str, Any]]:
    """Return what a component may hold: what it needs and some of the rest, in its order."""
    kinds = {name: elements(one) for name, one in of.fields.items()}
    must = {name for name, one in of.fields.items() if one.needed}
    rest = {name: kind for name, kind in kinds.items() if name not in must}
    found = st.fixed_dictionaries({name: kinds[name] for name in must}, optional=rest)
    full = found.filter(bool) if not must else found
    if of is model.PERSON:
        full = full.filter(lambda one: "naturalPerson" in one or "legalPerson" in one)
    return full.map(lambda one: {name: one[name] for name in of.fields if name in one})


def without(message: dict[str, Any], places: tuple[str, ...]) -> dict[str, Any]:
    found = copy.deepcopy(message)
    for where in places:
        *way, last = steps(where)
        place: Any = found
        for part in way:
            place = place[part]
        del place[last]
    return {name: one for name, one in found.items() if one}


@pytest.mark.parametrize("dialect", DIALECTS)
@calm
@given(message=components(model.MESSAGE))
def test_any_message_comes_back_from_a_dialect(dialect: str, message: dict[str, Any]) -> None:
    written = write_message(message, dialect)
    reading = read_message(written.message)
    assert reading.message == without(message, written.left_out)
    assert "S7b" not in {change.rule for change in reading.changes}


@calm
@given(message=components(model.MESSAGE), first=st.sampled_from(sorted(DIALECTS)),
       second=st.sampled_from(sorted(DIALECTS)))  # fmt: skip
def test_the_way_over_two_dialects_loses_what_each_has_no_place_for(
    message: dict[str, Any], first: str, second: str
) -> None:
    one = read_message(write_message(message, first).message).message
    two = write_message(one, second)
    assert read_message(two.message).message == without(one, two.left_out)


@calm
@given(message=components(model.MESSAGE))
def test_what_is_canonical_is_read_as_it_is(message: dict[str, Any]) -> None:
    reading = read_message(message)
    assert (reading.message, reading.changes) == (message, ())

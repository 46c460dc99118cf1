"""Whatever is sent, nothing is raised but the one error that is documented."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.payments.travelrule.ivms import (
    DIALECTS,
    MessageLimits,
    MessageRefused,
    model,
    parse_message,
    read_message,
    validate_message,
    write_message,
)
from tests.travelrule.ivms.messages import TODAY, message, resolve_pointer

KEYS = sorted(
    {key for one in (model.MESSAGE, model.NATURAL, model.LEGAL, model.ADDRESS, model.PERSON,
                     model.IDENTIFICATION, model.BIRTH, model.PATH, model.STEP, model.AMOUNT)
     for key in one.fields}
    | {"vasp", "originatorVASP", "nameIdentifier", "legalPersonName", "Originator", "originator_",
       "nameIdentifierType", "payloadVersion", "originatorPerson", "dob", "country"}
)  # fmt: skip
ATOMS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["LEGL", "LEIX", "US", "2000-01-01", "RA000001", "101.2023", "\u202e", "0"])
)  # fmt: skip
ANY = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=6)
    ),
    max_leaves=40,
)
calm = settings(deadline=None, suppress_health_check=list(HealthCheck))


def places(value: Any, here: str = "") -> list[str]:
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    found = [f"{here}/{key}" for key, _ in inside]
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            found += places(inner, f"{here}/{key}")
    return found


def judged(what: Any) -> None:
    reading = read_message(what)
    for profile in ("out", "in"):
        validate_message(what, profile=profile, today=TODAY)  # type: ignore[arg-type]
    for dialect in DIALECTS:
        write_message(reading.message, dialect)
    again = read_message(reading.message)
    assert again.message == reading.message


@calm
@given(ANY)
def test_any_json_value_is_judged(what: Any) -> None:
    judged(what)


@calm
@given(st.data())
def test_a_message_with_anything_anywhere_is_judged(data: st.DataObject) -> None:
    what: Any = message()
    for where in data.draw(st.lists(st.sampled_from(places(what)), max_size=4, unique=True)):
        parent, _, key = where.rpartition("/")
        with suppress(KeyError):  # an earlier change may have taken the place away
            place = resolve_pointer(what, parent)
            if isinstance(place, dict):
                place[key] = data.draw(ANY)
    judged(what)


@calm
@given(st.binary(max_size=60) | ANY.map(lambda one: json.dumps(one).encode()))
def test_any_body_is_json_or_refused(raw: bytes) -> None:
    try:
        parse_message(raw)
    except MessageRefused as refused:
        assert str(refused).endswith(".")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 1, "a": 2}',
        b"[" * 33 + b"]" * 33,
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b"9" * 5_000,
        b'"' + b"a" * 1_000_001 + b'"',
    ],
)
def test_a_body_that_is_none_or_ambiguous_or_too_much_is_refused(raw: bytes) -> None:
    with pytest.raises(MessageRefused):
        parse_message(raw)


def nested(depth: int) -> Any:
    found: Any = "x"
    for _ in range(depth):
        found = {"originator": found}
    return found


@pytest.mark.parametrize(
    ("what", "limits"),
    [
        (nested(31), MessageLimits()),
        ([0] * 200, MessageLimits()),
        ({"a" * 128: 0}, MessageLimits()),
        ({"a": "b" * 9}, MessageLimits(texts=10)),
        ([[0, 0], [0, 0]], MessageLimits(nodes=7)),
        ("b" * 10, MessageLimits(texts=10)),
    ],
)
def test_what_is_at_a_bound_is_looked_at_and_what_is_beyond_is_not(
    what: Any, limits: MessageLimits
) -> None:
    read_message(what, limits=limits)
    more: Any = {"a" * 129: 0} if isinstance(what, dict) and "a" * 128 in what else None
    if more is None and isinstance(what, str):
        more = what + "b"
    elif more is None:
        more = [*what, 0] if isinstance(what, list) else {"x": what, "yy": ""}
    with pytest.raises(MessageRefused):
        read_message(more, limits=limits)
    for profile in ("out", "in"):
        findings = validate_message(more, profile=profile, today=TODAY, limits=limits)  # type: ignore[arg-type]
        assert [(finding.rule, finding.severity, finding.pointer) for finding in findings] == [
            ("L1", "E", "")
        ]


def test_a_thousand_findings_are_told_and_then_how_many_there_are() -> None:
    what = message() | {f"k{number}": 0 for number in range(2_000)}
    findings = validate_message(what, profile="in", today=TODAY)
    assert len(findings) == 1_001
    assert findings[-1].rule == "L1" and "200" in findings[-1].message


def test_marks_that_would_be_ordered_for_hours_are_refused_for_their_length() -> None:
    what = message()
    what["originator"]["originatorPersons"][0]["naturalPerson"]["customerIdentification"] = (
        "a" + "\u0315\u0300" * 200_000
    )
    assert "D1" in {finding.rule for finding in validate_message(what, profile="in", today=TODAY)}


def test_a_key_that_is_no_text_is_refused() -> None:
    with pytest.raises(MessageRefused):
        read_message({1: 2})

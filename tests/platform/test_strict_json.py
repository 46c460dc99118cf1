"""Strict JSON: any bytes become a value or MalformedJson, nothing else."""

import json
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.platform.common.strict_json import MAX_DEPTH, MalformedJson, parse_json, parse_number

TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 10**39, 10**39) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)
JSONISH = st.lists(st.sampled_from([*'{}[]",:\\ 0123456789.eE+-tfn', "true", "null", '"a"']))


def nested(depth: int, opening: str = "[", closing: str = "]") -> bytes:
    return (opening * depth + "1" + closing * depth).encode()


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_malformed(raw: bytes) -> None:
    try:
        parse_json(raw)
    except MalformedJson as error:
        assert error.status == 400 and error.code == "malformed_json"


@given(JSONISH)
def test_almost_json_is_a_value_or_malformed(parts: list[str]) -> None:
    with suppress(MalformedJson):
        parse_json("".join(parts).encode())


@given(VALUES)
def test_what_json_writes_is_read_back(value: Any) -> None:
    assert parse_json(json.dumps(value).encode()) == value
    assert parse_json(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" ",
        b"{",
        b"nope",
        b'{"a":1,}',
        b"{'a':1}",
        b'{"a":1} {"b":2}',
        b'{"a":1,"a":2}',
        b'{"x":{"a":1,"b":2,"a":1}}',
        b'{"a":1,"\\u0061":2}',
        b"NaN",
        b"[Infinity]",
        b'{"a":-Infinity}',
        b"01",
        b"1.",
        b".5",
        b"+1",
        b"0x10",
        b'"a\nb"',
        b'"\xff"',
        b"\xef\xbb\xbf{}",
        b'"\\ud800"',
        b'{"\\udfff":1}',
        b'[["a",{"b":"\\uDC00x"}]]',
        b'"unfinished',
        b'"\\',
        "١٢".encode(),
    ],
)
def test_what_is_not_plain_json_is_refused(raw: bytes) -> None:
    with pytest.raises(MalformedJson):
        parse_json(raw)


def test_a_surrogate_pair_is_one_character() -> None:
    assert parse_json(b'"\\ud83d\\ude00"') == "😀"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_nesting_is_taken_to_32_levels_and_not_to_33(opening: str, closing: str) -> None:
    parse_json(nested(MAX_DEPTH, opening, closing))
    with pytest.raises(MalformedJson, match="deeper than 32"):
        parse_json(nested(MAX_DEPTH + 1, opening, closing))


def test_nesting_of_5000_levels_is_refused_and_not_a_crash() -> None:
    for depth in (5_000, 100_000):
        with pytest.raises(MalformedJson, match="deeper"):
            parse_json(nested(depth))
    with pytest.raises(MalformedJson):
        parse_json(b"[" * 100_000)


def test_what_is_too_deep_does_not_reach_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Python's limit of recursion is raised, as py_ecc raises it, the parser would crash."""
    reached: list[Any] = []
    monkeypatch.setattr(
        "apps.platform.common.strict_json.json.loads", lambda *_, **__: reached.append(1)
    )
    for depth in (MAX_DEPTH + 1, 100_000):
        with pytest.raises(MalformedJson, match="deeper"):
            parse_json(nested(depth))
    assert not reached


def test_depth_is_counted_to_32_levels_also_beside_other_brackets() -> None:
    """With more brackets than levels the text itself is looked through."""
    parse_json(b"[[]," + nested(MAX_DEPTH - 1) + b"]")
    with pytest.raises(MalformedJson, match="deeper than 32"):
        parse_json(b"[[]," + nested(MAX_DEPTH) + b"]")


def test_brackets_in_texts_and_side_by_side_are_no_depth() -> None:
    assert parse_json(json.dumps(["[" * 50, '\\"[{' * 50]).encode()) == ["[" * 50, '\\"[{' * 50]
    assert len(parse_json(b"[" + b",".join([b"[[]]"] * 500) + b"]")) == 500


@pytest.mark.timeout(60)  # steps in the square of the length would take far longer
def test_hostile_quotes_cost_linear_time() -> None:
    with pytest.raises(MalformedJson):
        parse_json(b"[" * 33 + b'"' + b'\\"' * 500_000)


@pytest.mark.parametrize("number", ["9" * 40, "-" + "9" * 39, "0." + "1" * 38, "1e40", "1e-40"])
def test_numbers_of_40_characters_are_taken(number: str) -> None:
    assert parse_json(number.encode()) == Decimal(number)


@pytest.mark.parametrize(
    "number",
    ["9" * 41, "-" + "9" * 40, "0." + "1" * 39, "1e41", "1e-41", "0e999999999", "1E+99999"],
)
def test_longer_numbers_are_refused(number: str) -> None:
    with pytest.raises(MalformedJson, match="number"):
        parse_json(number.encode())


def test_numbers_with_a_fraction_are_exact_decimals() -> None:
    assert parse_json(b"[0.1, 1, 1.10, 1e2]") == [
        Decimal("0.1"),
        1,
        Decimal("1.10"),
        Decimal("1E+2"),
    ]
    assert [type(n) for n in parse_json(b"[0.1, 1]")] == [Decimal, int]


def test_the_reason_does_not_repeat_the_body() -> None:
    with pytest.raises(MalformedJson) as refused:
        parse_json(b'{"name": "secret\xff"}')
    assert "secret" not in refused.value.detail and len(refused.value.detail) < 220


def _by_body(text: str) -> Any:
    """Return the number that a body of these characters is, or None."""
    try:
        value = parse_json(text.encode())
    except MalformedJson:
        return None
    return value if type(value) in (int, Decimal) and text == text.strip(" \t\r\n") else None


@given(
    st.text("0123456789.eE+- _\t\n\u0664\uff11xN", max_size=45) | st.from_regex(r"[+-]?\d+\.?\d*")
)
@example("+1")
@example(" 1")
@example("1e3")
@example("1e-06")
@example("1\n")
@example("01")
@example(".5")
@example("1_000")
@example("9" * 41)
@example("1e41")
@example("-0")
def test_a_number_in_an_address_is_one_that_a_body_takes(text: str) -> None:
    try:
        number: Any = parse_number(text)
    except ValueError:
        number = None
    expected = _by_body(text)
    assert (type(number), number) == (type(expected), expected)


@pytest.mark.parametrize("text", ["", "NaN", "Infinity", "-", "true", "null", '"1"', "[1]", "1 2"])
def test_what_is_no_number_is_none_in_an_address(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        parse_number(text)

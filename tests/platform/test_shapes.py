"""Shapes: strict on the way in, camelCase on the wire, exact both ways."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from apps.platform.api.shapes import (
    Country,
    Currency,
    EpochSeconds,
    Flag,
    Lei,
    ListOf,
    Number,
    OneOf,
    Shape,
    Text,
    Whole,
    to_camel_case,
)
from apps.platform.common.clock import format_utc
from apps.platform.common.hidden_characters import has_hidden_characters
from apps.platform.common.lei import is_valid_lei as lei_is_valid

APPLE = "HWUPKR0MPOU8FGXBT394"


class InnerIn(Shape):
    line_item = Text(required=False)


class PartyIn(Shape):
    legal_name = Text(max_length=20, required=False)
    is_active = Flag(required=False)
    item_count = Whole(required=False, min_value=0)
    total_amount = Number(required=False)
    entity_kind = OneOf(choices=["PERSON", "COMPANY"], required=False)
    country = Country(required=False)
    currency = Currency(required=False)
    owner_lei = Lei(required=False)
    created_at = EpochSeconds(required=False)
    first_line = InnerIn(required=False)
    all_lines = InnerIn(many=True, required=False)
    alias = Text(source="legal_alias", required=False)


def taken(body: Any) -> dict[str, Any]:
    party_in = PartyIn(data=body)
    party_in.is_valid(raise_exception=True)
    return dict(party_in.validated_data)


def refused(body: Any) -> Any:
    with pytest.raises(ValidationError) as error:
        taken(body)
    return error.value.detail


def test_a_text_is_as_long_as_it_reads_with_its_signs_written_out() -> None:
    """U+FDFA stands for eighteen letters, U+3300 for four, U+FB01 for two."""
    assert taken({"legalName": "\ufdfa" + "ab"})["legal_name"] == "\ufdfaab"
    assert taken({"legalName": "\ufb01" * 10}) == {"legal_name": "\ufb01" * 10}
    for one in ("\ufdfa" + "abc", "\ufb01" * 11, "\ufdfa" * 20):
        assert "more than 20 characters" in refused({"legalName": one})["legalName"][0]
    assert taken({"legalName": "e\u0301" * 10})  # what is composed grows no longer


@pytest.mark.parametrize(
    ("name", "wire"),
    [
        ("legal_name", "legalName"),
        ("a", "a"),
        ("line_2_text", "line2Text"),
        ("_action", "_action"),
        ("_next_step", "_nextStep"),
    ],
)
def test_names_are_camel_case_on_the_wire(name: str, wire: str) -> None:
    assert to_camel_case(name) == wire


def test_wire_names_become_declared_ones_and_back() -> None:
    values = taken(
        {
            "legalName": "Acme",
            "isActive": True,
            "createdAt": 0,
            "firstLine": {"lineItem": "x"},
            "allLines": [{"lineItem": "y"}, {}],
            "alias": "A",
        }
    )
    assert values == {
        "legal_name": "Acme",
        "is_active": True,
        "created_at": datetime(1970, 1, 1, tzinfo=UTC),
        "first_line": {"line_item": "x"},
        "all_lines": [{"line_item": "y"}, {}],
        "legal_alias": "A",
    }
    data = PartyIn(values | {"total_amount": Decimal("1.5"), "item_count": 3}).data
    assert data["legalName"] == "Acme" and data["createdAt"] == 0 and data["alias"] == "A"
    assert data["firstLine"] == {"lineItem": "x"} and data["totalAmount"] == 1.5


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ({"unknown": 1}, "unknown"),
        ({"legal_name": "snake"}, "legal_name"),
        ({"LegalName": "x"}, "LegalName"),
        ({"": 1}, ""),
    ],
)
def test_unknown_keys_are_refused_by_name(body: Any, key: str) -> None:
    assert refused(body) == {key: ["This field is unknown."]}


def test_unknown_keys_inside_are_refused_too() -> None:
    assert refused({"firstLine": {"x": 1}}) == {"firstLine": {"x": ["This field is unknown."]}}
    assert refused({"allLines": [{}, {"x": 1}]})["allLines"][1] == {"x": ["This field is unknown."]}


def test_a_flood_of_unknown_keys_is_not_repeated() -> None:
    detail = refused({f"k{n}" + "x" * 10_000: 1 for n in range(100)})
    assert len(detail) == 10 and all(len(key) <= 80 for key in detail)


@pytest.mark.parametrize("body", [None, [], "text", 5, True, [{}], 0, "", False])
def test_a_body_that_is_no_object_is_refused(body: Any) -> None:
    assert refused(body)


@pytest.mark.parametrize(
    "text", ["Acme", "Ärzte GmbH", "株式会社", "شركة", "علی\u200cرضا", "A" * 20]
)
def test_texts_of_all_scripts_are_taken(text: str) -> None:
    assert taken({"legalName": text})["legal_name"] == text


@pytest.mark.parametrize(
    "text",
    [
        "a\x00b",
        "a\nb",
        "a\tb",
        "a\x7fb",
        "a\x85b",
        "a\u202eb",
        "a\u2066b",
        "a\u2069b",
        "a\u200fb",
        "a\u061cb",
        "a\u2028b",
        "a\u2029b",
        "a\ud800b",
        "A" * 21,
        "",
        "   ",
        5,
        True,
        ["a"],
        {"a": 1},
    ],
)
def test_hidden_characters_and_other_types_are_no_texts(text: Any) -> None:
    assert "legalName" in refused({"legalName": text})


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("isActive", [True, False], [1, 0, "true", "", "yes", []]),
        ("itemCount", [0, 5, 2**53 - 1], [True, "5", 5.0, Decimal("5"), -1, 2**53, 10**39]),
        (
            "totalAmount",
            [0, 5, -5, Decimal("0.000001"), Decimal("999999999.999999"), Decimal("1E+11")],
            [
                True,
                "5",
                Decimal("0.0000001"),
                10**12,
                Decimal("123456789012.1234"),
                Decimal("1E+12"),
                Decimal("1E-40"),
                1.5,
            ],
        ),
        ("entityKind", ["PERSON"], ["person", "", "X" * 5000, 1, True, ["PERSON"]]),
        ("country", ["DE", "de", " gb "], ["XX", "DEU", "D", "UK", "ıt", 5, True, "Ⓓⓔ"]),
        ("currency", ["EUR", "usd"], ["EU", "XYZ", "€", 978, "ſEK"]),
        ("createdAt", [0, 1, 253402300799], [-1, 253402300800, 2**40 - 1, "0", True, 1.5]),
    ],
)
def test_each_field_takes_its_own_and_nothing_in_disguise(
    field: str, good: list[Any], bad: list[Any]
) -> None:
    for value in good:
        taken({field: value})
    for value in bad:
        assert field in refused({field: value}), value


def test_null_in_an_optional_field_is_as_if_it_were_absent() -> None:
    names = ("legalName", "isActive", "itemCount", "totalAmount", "country", "createdAt")
    assert taken(dict.fromkeys(names)) == taken({})


def test_codes_are_stored_in_upper_case() -> None:
    values = taken({"country": "de", "currency": "eur", "ownerLei": APPLE.lower()})
    assert values == {"country": "DE", "currency": "EUR", "owner_lei": APPLE}


@pytest.mark.parametrize("lei", [APPLE, "213800LBQA1Y9L22JB70", "5493001KJTIIGC8Y1R12"])
def test_check_digits_that_agree_are_taken(lei: str) -> None:
    assert lei_is_valid(lei)


@pytest.mark.parametrize("at", range(20))
def test_one_wrong_character_anywhere_is_found(at: int) -> None:
    wrong = "1" if APPLE[at] != "1" else "2"
    assert not lei_is_valid(APPLE[:at] + wrong + APPLE[at + 1 :])
    assert "ownerLei" in refused({"ownerLei": APPLE[:at] + wrong + APPLE[at + 1 :]})


@pytest.mark.parametrize("lei", ["", APPLE[:19], APPLE + "0", APPLE.lower(), "０" * 20, "A" * 20])
def test_what_has_not_the_form_of_an_lei_is_none(lei: str) -> None:
    assert not lei_is_valid(lei)


def test_two_swapped_characters_are_found() -> None:
    swapped = [APPLE[:i] + APPLE[i + 1] + APPLE[i] + APPLE[i + 2 :] for i in range(19)]
    assert not any(lei_is_valid(lei) for lei in swapped if lei != APPLE)


def test_choices_are_named_and_the_input_is_not_repeated() -> None:
    assert refused({"entityKind": "X" * 9000}) == {
        "entityKind": ["This must be one of: PERSON, COMPANY."]
    }


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Decimal("5.00"), 5),
        (Decimal("0.10"), 0.1),
        (Decimal("999999999.999999"), 999999999.999999),
        (7, 7),
    ],
)
def test_amounts_go_out_as_the_numbers_they_are(value: Any, shown: Any) -> None:
    found = Number().to_representation(value)
    assert found == shown and Decimal(str(found)) == value


def test_moments_are_utc_with_milliseconds() -> None:
    assert (
        format_utc(datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC))
        == "2026-11-20T12:00:00.123Z"
    )


@pytest.mark.parametrize(
    "code",
    [
        *(0x07, 0x7F, 0xAD, 0x034F, 0x061C, 0x115F, 0x180E, 0x200B, 0x200C, 0x200D, 0x200F, 0x202E),
        *(0x2060, 0x2064, 0x2069, 0x206F, 0x2800, 0x3164, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9),
        *(0xD800, 0xE0041, 0xE0100, 0x1D173),
    ],
)
def test_what_nobody_sees_is_refused(code: int) -> None:
    assert has_hidden_characters(f"Blue{chr(code)}Heron")


@pytest.mark.parametrize(
    "text",
    ["Blue Heron", "Zoë Müller", "علی\u200cرضا", "क्\u200dष", "葛飾", "김정은", "Æ–…“”№\u2009a"],
)
def test_what_people_write_is_taken(text: str) -> None:
    assert not has_hidden_characters(text)


class Read(serializers.CharField):
    """Counts what is read."""

    seen = 0

    def to_internal_value(self, data: Any) -> Any:
        Read.seen += 1
        return super().to_internal_value(data)


@pytest.mark.parametrize(("length", "read"), [(3, 3), (4, 0), (50_000, 0)])
def test_a_list_that_is_too_long_is_refused_before_anything_in_it_is_read(
    length: int, read: int
) -> None:
    Read.seen = 0
    field = ListOf(child=Read(), max_length=3)
    if read:
        assert field.run_validation(["x"] * length) == ["x"] * length
    else:
        with pytest.raises(ValidationError, match="no more than 3"):
            field.run_validation(["x"] * length)
    assert Read.seen == read

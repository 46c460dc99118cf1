"""What POST /compliance/screen refuses, and how it says so."""

import pytest

from tests.screening.conftest import CLEAN, PATH

BAD = [
    ({"name": None}, "name"),
    ({"name": ""}, "name"),
    ({"name": "--- ..."}, "name"),
    ({"name": 7}, "name"),
    ({"name": "x" * 301}, "name"),
    ({"name": "\ufdfa" * 17}, "name"),  # 306 letters: one sign stands for eighteen
    ({"aliases": ["\ufdfa" * 17]}, "aliases"),
    ({"name": "Blue\u0007 Heron"}, "name"),
    ({"name": "Blue \u202enoreH"}, "name"),
    ({"name": "B\u00adl\u00adu\u00ade Heron"}, "name"),
    ({"name": "B\u200blue Heron"}, "name"),
    ({"aliases": ["Blue\u2060Heron"]}, "aliases"),
    ({"country": "ZZ"}, "country"),
    ({"country": "Germany"}, "country"),
    ({"sourceCountry": "ZZ"}, "sourceCountry"),
    ({"lei": "INR2EJN1ERAN0W5ZP900"}, "lei"),
    ({"lei": "SHORT"}, "lei"),
    ({"paymentType": "gift"}, "paymentType"),
    ({"amount": -0.01}, "amount"),
    ({"amount": "many"}, "amount"),
    ({"amount": "12"}, "amount"),
    ({"amount": True}, "amount"),
    ({"amount": 0.0000001}, "amount"),
    ({"currency": "ZZZ"}, "currency"),
    ({"individual": "true"}, "individual"),
    ({"individual": 1}, "individual"),
    ({"reference": "x" * 201}, "reference"),
    ({"surprise": 1}, "surprise"),
    ({"entityType": "Person"}, "entityType"),
    ({"entityType": "trust"}, "entityType"),
    ({"birthDate": "02.03.1964"}, "birthDate"),
    ({"birthDate": "1964-13"}, "birthDate"),
    ({"birthDate": "1964-02-30"}, "birthDate"),
    ({"birthDate": "1964-00-00"}, "birthDate"),
    ({"birthDate": "1849"}, "birthDate"),
    ({"birthDate": "2999-01-01"}, "birthDate"),
    ({"birthDate": 1964}, "birthDate"),
    ({"nationality": "Iranian"}, "nationality"),
    ({"walletAddress": "0x12"}, "walletAddress"),
    ({"walletAddress": "0x098B716B 8Aaf2151"}, "walletAddress"),
    ({"address": "x" * 501}, "address"),
    ({"address": ["Main Street"]}, "address"),
    ({"aliases": "Hidden Cobra"}, "aliases"),
    ({"aliases": ["---"]}, "aliases"),
    ({"aliases": [None]}, "aliases"),
    ({"aliases": ["Acme"] * 11}, "aliases"),
    ({"identifiers": {"type": "passport", "value": "AB1234567"}}, "identifiers"),
    ({"identifiers": [{"type": "passport"}]}, "identifiers.0.value"),
    ({"identifiers": [{"type": "ssn", "value": "123456789"}]}, "identifiers.0.type"),
    ({"identifiers": [{"type": "passport", "value": "A-1"}]}, "identifiers.0.value"),
    ({"identifiers": [{"type": "imo", "value": "9074720"}]}, "identifiers.0.value"),
    ({"identifiers": [{"type": "lei", "value": "INR2EJN1ERAN0W5ZP900"}]}, "identifiers.0.value"),
    ({"identifiers": [{"type": "bic", "value": "COBA"}]}, "identifiers.0.value"),
    ({"identifiers": [{"type": "wallet", "value": "0x12"}]}, "identifiers.0.value"),
    (
        {"identifiers": [{"type": "passport", "value": "AB1234567", "country": "ZZ"}]},
        "identifiers.0.country",
    ),
    (
        {"identifiers": [{"type": "passport", "value": "AB1234567", "expires": "2030"}]},
        "identifiers.0.expires",
    ),
    ({"identifiers": [{"type": "other", "value": "AB12345"}] * 21}, "identifiers"),
]


@pytest.mark.parametrize(("change", "field"), BAD)
def test_a_bad_field_is_a_400_that_names_it(alice, change, field) -> None:
    body = {"name": CLEAN, "country": "DE"} | change
    body = {name: value for name, value in body.items() if value is not None}
    response = alice.post(PATH, body, format="json")
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    named = [row["field"] for row in response.json()["errors"]]
    assert any(f"{one}.".startswith(f"{field}.") for one in named), named


@pytest.mark.parametrize(
    "change",
    [
        {"name": "x" * 300},
        {"name": "株式会社三菱"},
        {"amount": 0},
        {"amount": 0.000001},
        {"reference": ""},
        {"reference": "x" * 200},
        {"lei": "inr2ejn1eran0w5zp974"},
        {"entityType": "company"},
        {"birthDate": "1850"},
        {"birthDate": "1964-02-29"},
        {"birthDate": "1964-03"},
        {"nationality": "ir"},
        {"walletAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"},
        {"address": "x" * 500},
        {"aliases": []},
        {"aliases": ["Acme"] * 10},
        {"identifiers": []},
        {"identifiers": [{"type": "passport", "value": "AB1", "country": None}]},
        {"identifiers": [{"type": "imo", "value": "IMO 9074729"}]},
        {"identifiers": [{"type": "other", "value": "AB12345", "country": "DE"}] * 20},
    ],
)
def test_what_is_just_inside_the_limits_is_taken(alice, change) -> None:
    response = alice.post(PATH, {"name": CLEAN, "country": "DE"} | change, format="json")
    assert response.status_code == 200, response.content


OPTIONAL = (
    *("lei", "country", "sourceCountry", "amount", "currency", "paymentType", "individual"),
    *("reference", "entityType", "birthDate", "nationality", "identifiers", "walletAddress"),
    *("address", "aliases"),
)


def test_null_in_an_optional_field_is_as_if_it_were_absent(alice) -> None:
    given = {"name": CLEAN} | dict.fromkeys(OPTIONAL)
    answers = [alice.post(PATH, body, format="json").json() for body in (given, {"name": CLEAN})]
    same = ("decision", "riskScore", "reasons", "checks", "attestations", "reference")
    assert [answers[0][name] for name in same] == [answers[1][name] for name in same]


@pytest.mark.parametrize("body", [[1, 2], "text", 7, None])
def test_json_that_is_no_object_is_a_400(alice, body) -> None:
    response = alice.post(PATH, body, format="json")
    assert response.status_code == 400


def test_who_has_no_key_is_asked_for_a_payment_once_the_request_is_valid(api) -> None:
    assert api.post(PATH, {"surprise": 1}, format="json").status_code == 400
    assert api.post(PATH, {"name": CLEAN}, format="json").status_code == 402

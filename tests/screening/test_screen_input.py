"""What POST /compliance/screen refuses, and how it says so."""

import pytest

from tests.screening.conftest import CLEAN, PATH

BAD = [
    ({"name": None}, "name"),
    ({"name": ""}, "name"),
    ({"name": "--- ..."}, "name"),
    ({"name": 7}, "name"),
    ({"name": "x" * 301}, "name"),
    ({"name": "Blue\u0007 Heron"}, "name"),
    ({"name": "Blue \u202enoreH"}, "name"),
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
]


@pytest.mark.parametrize(("change", "field"), BAD)
def test_a_bad_field_is_a_400_that_names_it(alice, change, field) -> None:
    body = {"name": CLEAN, "country": "DE"} | change
    body = {name: value for name, value in body.items() if value is not None}
    response = alice.post(PATH, body, format="json")
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    assert field in [row["field"] for row in response.json()["errors"]]


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
    ],
)
def test_what_is_just_inside_the_limits_is_taken(alice, change) -> None:
    response = alice.post(PATH, {"name": CLEAN, "country": "DE"} | change, format="json")
    assert response.status_code == 200, response.content


@pytest.mark.parametrize("body", [[1, 2], "text", 7, None])
def test_json_that_is_no_object_is_a_400(alice, body) -> None:
    response = alice.post(PATH, body, format="json")
    assert response.status_code == 400


def test_without_a_key_it_is_a_401_even_for_bad_input(api) -> None:
    assert api.post(PATH, {"surprise": 1}, format="json").status_code == 401

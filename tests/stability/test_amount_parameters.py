"""Amounts in an address and in a body: GET and POST take the same numbers, and no others."""

from typing import Any

import pytest
from django.test import Client
from hypothesis import example, given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from apps.platform.api.request_values import validate_request_values
from apps.platform.api.routers import operations_of_service
from apps.platform.common.strict_json import MalformedJson, parse_json

PARTS = st.lists(
    st.sampled_from(["0", "1", "7", "25", ".", "e", "E", "+", "-", " ", "_", "00", "e3", "e-06"]),
    min_size=1,
    max_size=6,
).map("".join)


ROWS = {one.name: one for one in operations_of_service("stability")}


def read(name: str, sent: Any) -> Any:
    """Return the amount that an endpoint reads, or None where it refuses."""
    try:
        return validate_request_values(operation=ROWS[name], sent=sent(), path={})["amount_usd"]
    except (ValidationError, MalformedJson):
        return None


@given(text=PARTS)
@example(text="1e3")
@example(text="1e-06")
@example(text="1.0000000000000000000000000")
@example(text="999999999.999999")
@example(text="1000000000")
def test_get_and_post_agree_on_what_an_amount_is(text: str) -> None:
    by_get = read("quote", lambda: {"amountUsd": text})
    by_post = read("quote-post", lambda: parse_json(f'{{"amountUsd": {text}}}'.encode()))
    # white space around a value of JSON is none of it
    assert by_get == (by_post if text == text.strip() else None)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/stability/quote", "/stability/verify-fees", "/esg/quote"])
@pytest.mark.parametrize(
    "text",
    ["+1", " 1", "1 ", "1.", ".5", "01", "1_000", "1,5", "0x10", "NaN", "Infinity", "\u0661"],
)
def test_what_is_no_number_in_a_body_is_none_in_an_address(path: str, text: str) -> None:
    query = {"amountUsd": text, "esgScore": "50"}
    answer = Client().get(path, query)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["amountUsd"]

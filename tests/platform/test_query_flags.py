"""True and false in an address, as JSON and as Python's clients write them."""

import pytest
from rest_framework.exceptions import ValidationError

from apps.platform.api.request_values import validate_request_values
from apps.platform.api.routers import operations_of_service

QUOTE = next(row for row in operations_of_service("stability") if row.name == "quote")


def has_fx(text: str) -> object:
    return validate_request_values(
        operation=QUOTE, sent={"amountUsd": "1000", "hasFx": text}, path={}
    )["has_fx"]


@pytest.mark.parametrize(
    ("text", "read"), [("true", True), ("True", True), ("false", False), ("False", False)]
)
def test_both_spellings_are_read(text: str, read: bool) -> None:
    assert has_fx(text) is read


@pytest.mark.parametrize("text", ["", "TRUE", "yes", "1", "0", "tRue", " True", "None"])
def test_others_are_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        has_fx(text)

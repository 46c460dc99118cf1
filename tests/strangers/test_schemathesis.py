"""Schemathesis calls every operation with what its document allows, and with what it does not.

Its checks find a server error, an undocumented status, header or content type, an answer that
is not as documented, a valid request that is refused and an invalid one that is taken. The seed
is fixed, so that a run can be repeated.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from apps.access.gates import HEADERS
from apps.core.openapi import document
from apps.core.shapes import COUNTRIES, CURRENCIES, has_hidden_characters
from tests.api.walking import ROWS, Walk, client_for, title

pytestmark = pytest.mark.django_db
EXAMPLES = 80
NOBODYS = "00000000-0000-4000-8000-000000000000"

# what no pattern can say: registers of codes, check digits, a letter or digit of any script
LEIS = ("5493001KJTIIGC8Y1R12", "INR2EJN1ERAN0W5ZP974", "5299001ERX0K10IZUL40")
_ANY = st.text(st.characters(categories=("L", "N", "P", "Zs")), max_size=60)
FORMATS = {
    "iso-3166-1-alpha-2": st.sampled_from(sorted(COUNTRIES)),
    "iso-4217": st.sampled_from(sorted(CURRENCIES)),
    "lei": st.sampled_from(LEIS),
    "party-name": st.tuples(st.characters(categories=("Lu", "Ll", "Lo", "Nd")), _ANY).map("".join),
}
for name, strategy in FORMATS.items():
    schemathesis.openapi.format(name, strategy)


@contextmanager
def one_connection() -> Iterator[None]:
    """Let the tests' transaction outlive a request, as Django's own test client does."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture(autouse=True)
def _unlimited(settings: Any) -> None:
    settings.RATES = dict.fromkeys(settings.RATES, 10_000_000)
    settings.FREE_RATE_PER_MINUTE = 10_000_000


def operation(row: Any) -> Any:
    schema = schemathesis.openapi.from_dict(document(row.service, f"/{row.service}"))
    schema.app = get_wsgi_application()
    path = "/" + row.path.replace("<str:", "{").replace(">", "}")
    return schema[path][row.method]


REGISTERS = {
    "country": sorted(COUNTRIES),
    "sourceCountry": sorted(COUNTRIES),
    "nationality": sorted(COUNTRIES),
    "birthDate": ("1964-03-02", "1964-03", "1964"),
    "currency": sorted(CURRENCIES),
    "lei": LEIS,
}


def listed(name: str, value: Any) -> Any:
    """Return a code that its register has, for one that has only the form of one."""
    register = REGISTERS.get(name)
    if register is None or not isinstance(value, str) or value.upper() in register:
        return exact(value)
    return register[sum(map(ord, value)) % len(register)]


NUMBERS = {
    "lei": LEIS[0],
    "imo": "9074729",
    "bic": "DEUTDEFF",
    "wallet": "0x098B716B8Aaf21512996dC57EB0615e2383E2f96",
}


def numbered(value: dict[str, Any]) -> dict[str, Any]:
    """Return an identifier with a number as its type writes it."""
    return value | {"value": NUMBERS.get(str(value["type"]), "AB1234567")}


def exact(value: Any) -> Any:
    """Return a body with amounts of at most 6 decimals and 15 digits: no schema can say that.

    Nor where a joiner belongs, or what is invisible beyond the first 65,536 characters.
    """
    if isinstance(value, str) and has_hidden_characters(value):
        return "".join(one for one in value if one.isascii()).strip() or "Anna"
    if isinstance(value, float):
        return float(round(Decimal(str(value % 10**9)), 6))
    if isinstance(value, int) and not isinstance(value, bool):
        return value % 10**9
    if isinstance(value, dict):
        value = numbered(value) if {"type", "value"} <= set(value) else value
        return {name: listed(name, inner) for name, inner in value.items()}
    return [exact(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
@pytest.mark.parametrize("row", ROWS, ids=title)
def test_a_stranger_finds_nothing(loaded: Any, row: Any, mode: GenerationMode) -> None:
    if mode is GenerationMode.NEGATIVE and not (row.asks or row.ids):
        pytest.skip("it asks for nothing that could be wrong")
    found = operation(row)
    walk = Walk()
    ids = {name: walk._id(row, name, one) for name, one in row.ids.items()}
    headers = {
        HEADERS[kind]: client_for(row)._credentials[
            f"HTTP_{HEADERS[kind].upper().replace('-', '_')}"
        ]
        for kind in row.access.keys[:1]
    }

    @seed(20261121)
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=found.as_strategy(generation_mode=mode))
    def call(case: Any) -> None:
        # a key that was used before is another matter: the walk has it
        case.headers.pop("Idempotency-Key", None)
        if mode is GenerationMode.POSITIVE:
            case.body = exact(case.body)
            case.query = exact(case.query) if case.query else case.query
            (case.query or {}).pop("cursor", None)  # only an earlier answer has one
            case.path_parameters = case.path_parameters and dict(ids)
        case.call_and_validate(headers=headers)

    with one_connection():
        call()

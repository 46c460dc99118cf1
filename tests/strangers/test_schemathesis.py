"""Schemathesis calls every operation with what its document allows, and with what it does not.

Its checks find a server error, an undocumented status, header or content type, an answer that
is not as documented, a valid request that is refused and an invalid one that is taken, and a
credential that is not asked for. The seed is fixed and nothing else counts, so that a run can be
repeated: hypothesis and schemathesis would also draw from the constants of whatever modules other
tests happened to load before.
"""

import copy
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, assume, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import ignored_auth

from apps.insight.esg.rules.measures import MEASURES_BY_KEY
from apps.insight.forecast.rules.markets import SYMBOLS
from apps.platform.api.schema import openapi_document
from apps.platform.api.shapes import COUNTRIES
from apps.platform.common.amounts import MONEY
from apps.platform.common.hidden_characters import has_hidden_characters
from tests.api.endpoint_walk import ROWS, Walk, bank_proof, proof, title
from tests.paywall.payer import v1

pytestmark = pytest.mark.django_db
# the nightly run tries ten times as many
EXAMPLES = 200 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 20
SEED = 20261121
NOBODYS = "00000000-0000-4000-8000-000000000000"

# what no pattern can say: registers of codes, check digits, a letter or digit of any script
LEIS = ("5493001KJTIIGC8Y1R12", "INR2EJN1ERAN0W5ZP974", "5299001ERX0K10IZUL40")
_ANY = st.text(st.characters(categories=("L", "N", "P", "Zs")), max_size=60)
FORMATS = {
    "iso-3166-1-alpha-2": st.sampled_from(sorted(COUNTRIES)),
    "iso-4217": st.sampled_from(sorted(MONEY)),
    "lei": st.sampled_from(LEIS),
    "wallet-address": st.from_regex("0x[1-9a-f][0-9a-f]{39}", fullmatch=True),
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
    settings.FREE_RATE_PER_MINUTE = settings.PAID_RATE_PER_MINUTE = 10_000_000
    settings.FEED_RATE_PER_MINUTE = 10_000_000
    settings.REFUSED_RATE_PER_MINUTE = 10_000_000


@pytest.fixture(autouse=True)
def _seed_alone(monkeypatch: Any) -> Iterator[None]:
    """Let what is tried depend on the seed, and on no module that was loaded before."""
    monkeypatch.setattr(providers, "_get_local_constants", Constants)
    providers.CONSTANTS_CACHE.cache.clear()
    yield
    providers.CONSTANTS_CACHE.cache.clear()


SIGN = "to be signed"
SIGNERS = {"HTTP_X_SVC_SIGNATURE": proof, "HTTP_BANK_SIGNATURE": bank_proof}


def signing(app: Any) -> Any:
    """Return an application that signs what says so: only the bytes that are sent can be."""

    def signed(environ: dict[str, Any], start: Any) -> Any:
        for name, by in SIGNERS.items():
            if environ.get(name) == SIGN:
                body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
                environ["wsgi.input"] = BytesIO(body)
                environ[name] = by(body)
        return app(environ, start)

    return signed


def operation(row: Any) -> Any:
    described = copy.deepcopy(openapi_document(row.service, f"/{row.service}"))
    for path in described["paths"].values():
        content = path.get("post", {}).get("requestBody", {}).get("content", {})
        for kind in content.keys() - {"application/json"}:  # no schema says what XML is
            del content[kind]
    schema = schemathesis.openapi.from_dict(described)
    schema.config.analysis.constants.enabled = False
    schema.app = signing(get_wsgi_application())
    path = "/" + row.path.replace("<str:", "{").replace(">", "}")
    return schema[path][row.method]


REGISTERS = {
    "country": sorted(COUNTRIES),
    "sourceCountry": sorted(COUNTRIES),
    "nationality": sorted(COUNTRIES),
    "birthDate": ("1964-03-02", "1964-03", "1964"),
    "currency": sorted(MONEY),
    "lei": LEIS,
    "amount": ("250.00", "0.01"),
    "callbackUrl": ("https://hooks.example.com/payments",),
    "url": ("https://hooks.example.com/payments",),
    "amountUsdc": ("0.01", "1.00", "10000"),
    "ownerLei": LEIS,
    "counterpartyWhitelist": LEIS,
    "ownerEmail": ("owner@alice.example",),
    "revokedFrom": ("2026-11-20T12:00:00Z",),
}


def listed(name: str, value: Any) -> Any:
    """Return a code that its register has, for one that has only the form of one."""
    if isinstance(value, list) and name in REGISTERS:
        return [listed(name, one) for one in value]
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


LARGE = 10**9  # with six decimals it has 15 digits


def exact(value: Any) -> Any:
    """Return a body with amounts of at most 6 decimals and 15 digits: no schema can say that.

    Nor where a joiner belongs, or what is invisible beyond the first 65,536 characters.
    """
    if isinstance(value, str) and has_hidden_characters(value):
        return "".join(one for one in value if one.isascii()).strip() or "Anna"
    if isinstance(value, float):
        return (
            float(round(Decimal(str(value)), 6)) if abs(value) < LARGE else float(f"{value:.12g}")
        )
    if isinstance(value, dict):
        value = numbered(value) if {"type", "value"} <= set(value) else value
        return {name: listed(name, inner) for name, inner in value.items()}
    return [exact(inner) for inner in value] if isinstance(value, list) else value


# of two that name somebody one has to be there, or one alone; a month has to have begun
REPORTS: dict[str, Any] = {
    "esg-report": lambda query: {"lei": query.get("lei", LEIS[1])},
    "compliance-report": lambda query: query or {"name": "Anna Ltd"},
    "treasury-report": lambda query: query and {"period": "2025-" + query["period"][-2:]},
}
KINDS = {"lei": "entity", "country": "country", "property": "property", "other": ""}


def told_of(kind: str, inputs: Any) -> list[dict[str, Any]]:
    """Return inputs that a kind of holding has, each once and within the bounds of its measure."""
    known = [input_ for input_ in inputs or [] if MEASURES_BY_KEY[input_["name"]].of == kind]
    once = {one["name"]: one for one in known}
    return [one | {"value": int(MEASURES_BY_KEY[name].most > 0)} for name, one in once.items()]


def holdings(held: Any) -> list[dict[str, Any]]:
    """Return holdings that each name one thing, no thing with two figures of one input."""
    seen: set[tuple[str, str]] = set()
    for one in held or []:
        one["currency"] = "EUR"  # not every currency has a rate
        named = [name for name in KINDS if one.get(name) is not None]
        for name in named[1:]:
            del one[name]
        kind = named[0] if named else "lei"
        if not named:
            one["lei"] = LEIS[0]
        inputs = told_of(KINDS[kind], one.get("inputs"))
        key = (kind, str(one[kind]).upper())
        one["inputs"] = [] if key in seen else inputs
        seen.add(key)
    return held or []


ENDS = ("2025-03-31", "2025-06-30", "2025-09-30", "2025-12-31")


def portfolio(body: dict[str, Any]) -> dict[str, Any]:
    """Return a portfolio that holds something, each thing named once and each LEI valued."""
    quarters = body.pop("quarters", None) or []
    held = holdings(body.get("holdings"))
    if quarters and not held:
        held = holdings(quarters[0]["holdings"])
    valued = {one["lei"].upper() for one in held if one.get("lei")}
    leis = sorted(valued) if held else sorted({*(body.get("leis") or LEIS[:1])})
    made = body | {"leis": leis, "currency": "EUR"}
    if not (quarters and held):
        return made
    made.pop("holdings", None)
    return made | {"quarters": [{"quarterEnd": end, "holdings": held} for end in ENDS]}


def screened(body: dict[str, Any]) -> dict[str, Any]:
    """Return a screen of an entity under its own name, of which something is known."""
    inputs = told_of("entity", body.get("inputs"))
    named = {"lei": LEIS[1], "name": "Microsoft Corporation"}
    return body | named | {"inputs": inputs}


def _paid(case: Any) -> dict[str, str]:
    """Return a payment for what a case asks, where it can be paid for."""
    answer = case.call()
    return v1(answer.json()["accepts"][0]) if answer.status_code == 402 else {}


def unasked(found: Any) -> list[Any]:
    """Return the checks that cannot judge an operation.

    `ignored_auth` knows no 402, and takes one of several ways in away at a time: where there are
    several the walk of tests/api takes away them all.
    """
    return [] if len(ways(found)) == 1 else [ignored_auth]


def wrong_places(case: Any) -> set[ParameterLocation]:
    """Return where a case is not as documented, its headers aside: what they say is replaced."""
    places = set(ParameterLocation) - {ParameterLocation.HEADER}
    return {place for place in places if case.meta.is_negative_at(place)}


def all_sent(query: Any) -> bool:
    """Tell whether all of a query is sent: of an empty list, or of none, nothing is."""
    return not any(value in (None, [], {}) for value in (query or {}).values())


def ways(found: Any) -> list[dict[str, Any]]:
    """Return the ways in that an operation documents; an open one has one that asks for nothing."""
    return list(found.definition.raw["security"])


def judged_alone(body: Any) -> bool:
    """Tell whether a body is a batch: what is wrong with an item of it is no 400."""
    items = body.get("payments") if isinstance(body, dict) else None
    return isinstance(items, list) and 1 <= len(items) <= 50 and set(body) == {"payments"}


@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
@pytest.mark.parametrize("row", ROWS, ids=title)
def test_a_stranger_finds_nothing(loaded: Any, row: Any, mode: GenerationMode) -> None:
    if mode is GenerationMode.NEGATIVE and not (row.request or row.path_parameters):
        pytest.skip("it asks for nothing that could be wrong")
    found = operation(row)
    walk = Walk()
    ids = {name: walk._id(row, name, one) for name, one in row.path_parameters.items()}
    bought = row.access.pays and not row.access.keys
    headers = {} if bought else walk.headers(row)
    headers |= {row.access.signature: SIGN} if row.access.signature else {}

    @seed(SEED)
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=found.as_strategy(generation_mode=mode))
    def call(case: Any) -> None:
        if mode is GenerationMode.NEGATIVE:
            assume(wrong_places(case) and all_sent(case.query))
            assume(row.name != "payment-batch" or not judged_alone(case.body))
        # a key that was used before is another matter: the walk has it; so are payments
        for name in ("Idempotency-Key", "X-PAYMENT", "PAYMENT-SIGNATURE", "X-Stream-Session"):
            case.headers.pop(name, None)
        if mode is GenerationMode.POSITIVE:
            _as_no_schema_says(row, case, ids)
        paid = _paid(case) if bought else {}
        case.call_and_validate(headers=headers | paid, excluded_checks=unasked(found))

    with one_connection():
        call()


def _as_no_schema_says(row: Any, case: Any, ids: dict[str, str]) -> None:
    """Make a case right where its document cannot say what is."""
    case.body = exact(case.body)
    case.query = exact(case.query) if case.query else case.query
    (case.query or {}).pop("cursor", None)  # only an earlier answer has one
    if row.name == "travel-rule-proof":  # and so has a size of the tree
        (case.query or {}).pop("since", None)
    case.path_parameters = case.path_parameters and dict(ids)
    if row.name == "sfdr-pai-report":
        case.body = portfolio(case.body)
    if row.name == "sfdr-screen":
        case.body = screened(case.body)
    if row.service == "forecast" and isinstance(case.body, dict):  # cents, of one of eleven markets
        for position in case.body["positions"]:
            position["notionalUsd"] = round(position["notionalUsd"], 2)
            position["symbol"] = SYMBOLS[len(position["symbol"])]
    if row.name == "payment-initiate":  # three currencies of a register, two assets
        case.body |= {"currency": "EUR", "settlementAsset": "EURC"}
        for party in (case.body["creditor"], case.body["debtor"]):
            if party.get("address"):  # one of three fields has to be there
                party["address"] |= {"streetName": "Gannet Lane"}
    if row.name == "travel-rule-receive":  # what a message is, no schema says: its rules do
        case.body = row.example
    if row.name == "payment-batch":  # an item that is wrong is told in the answer, as its problem
        case.body = row.example
    if row.name == "aml-screen":  # nobody pays themselves; not every currency has a rate
        other = "0x00000000000000000000000000000000000000a1"
        case.body |= {"counterparty": other, "currency": "EUR"}
    if row.name == "esg-score":  # its entity is not registered
        case.query = {**(case.query or {}), "name": "Anna Ltd"}
    if row.name in REPORTS:
        case.query = REPORTS[row.name](case.query or {})
    if row.name in OF_TABLES:
        _as_tables_say(row, case)
    if row.name == "agent-verify":  # no schema makes proofs that hold
        case.body = {}
    if row.name == "agent-mandate" and not isinstance(case.body, dict):
        case.body = {}  # no body is read as one that states nothing
    if row.name == "bank-transactions" and {"since", "until"} <= set(case.query or {}):
        days = case.query["since"], case.query["until"]  # the first of two days comes first
        case.query |= {"since": min(days), "until": max(days)}
    if row.name == "stream-tick":  # of the session's unit, and no more than it holds
        case.body |= {"unit": "call", "count": 1}


OF_TABLES: dict[str, dict[str, Any]] = {
    # of what currencies there are pairs, how many decimals an amount has, which fields go together,
    # and what check digits are right
    "flow-check": {"amount": "100.25", "from": "USD", "to": "EUR"},
    "settle": {"amount": 100.25, "sourceCurrency": "USD", "destinationCurrency": "EUR"},
    "settlement-transaction": {"txHash": "0x" + "1" * 64},
    "payment-transaction": {"txHash": "0x" + "1" * 64},
    "bank-webhook": {"operationType": "create", "resourceType": "transaction"},
    "bank-recipients": {},
    "bank-send": {"amount": 12.5, "paymentMethod": "ach", "purpose": None, "additionalInfo": None},
    "bank-ach-authorize": {"amount": 12.5},
    # how many decimals a shock has, and how long ago it may be
    "aftershock": {"magnitude": 12.5},
    "butterfly": {"magnitude": 12.5},
    "contagion": {"lossShare": 0.5},
}


def _as_tables_say(row: Any, case: Any) -> None:
    """Make a case right where a table of rules says what is."""
    told = OF_TABLES[row.name]
    if row.method == "GET":
        case.query = {**(case.query or {}), **told}
        return
    if row.name in ("bank-recipients", "bank-webhook", "contagion"):
        case.body = dict(row.example)
    if row.name == "bank-ach-authorize":
        told = {**told, **{one: row.example[one] for one in ("routingNumber", "accountNumber")}}
    if row.name == "aftershock":
        told = {**told, "date": row.example["date"]}
    if row.name == "settle":
        told = {**told, "sandbox": True}
        for name in ("quoteId", "settlementWallet"):
            case.body.pop(name, None)
    case.body |= told


# --- the test itself ------------------------------------------------------------------


def named(name: str) -> Any:
    return next(row for row in ROWS if row.name == name)


@pytest.mark.parametrize(
    ("name", "several"),
    [("usage", False), ("agent-register", False), ("register", False), ("screen", True)],
)
def test_a_row_with_one_way_in_is_checked_for_asking_for_it(name: str, several: bool) -> None:
    assert (len(ways(operation(named(name)))) > 1) is several


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ({"other": []}, False), ({"limit": "5", "other": {}}, False), ({"other": None}, False),
        ({"other": [""]}, True), ({"other": ""}, True), ({"offset": 0}, True), (None, True),
    ],
)  # fmt: skip
def test_what_is_not_sent_is_not_wrong(query: Any, sent: bool) -> None:
    assert all_sent(query) is sent


def drawn(row: Any) -> list[Any]:
    """Return what is tried of a row."""
    found: list[Any] = []

    @seed(SEED)
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation(row).as_strategy(generation_mode=GenerationMode.POSITIVE))
    def draw(case: Any) -> None:
        found.append(case.body)

    draw()
    return found


def test_what_is_tried_depends_on_the_seed_alone(tmp_path: Path, monkeypatch: Any) -> None:
    before = drawn(named("agent-register"))
    source = tmp_path / "loaded_meanwhile.py"
    source.write_text("\n".join(f"N{n} = 'constant number {n}'" for n in range(200)))
    module = ModuleType("loaded_meanwhile")
    module.__file__ = str(source)
    monkeypatch.setitem(sys.modules, "loaded_meanwhile", module)
    assert drawn(named("agent-register")) == before


@pytest.mark.parametrize("amount", [10**9, 3 * 10**9, 10**12 - 1, 1e9 + 0.001, 0.01, 0.010001])
def test_an_amount_within_its_bounds_stays_there(amount: float) -> None:
    """A multiple of 1,000,000,000 once became nothing, which is below what is taken."""
    assert 0.01 <= exact(amount) <= 10**12 - 1
    assert exact({"maxNotionalUsd": amount})["maxNotionalUsd"] == pytest.approx(amount)

"""Every row of every service: its example works, is documented, is billed, and is nobody else's."""

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.access.keys import metering
from apps.access.keys.models import KeyKind
from apps.platform.api.operations import Operation
from apps.platform.common.clock import now
from config.services import SERVICES
from tests.api.endpoint_walk import (
    METHODS,
    PAGES,
    ROWS,
    Walk,
    client_for,
    key_client,
    patterns,
    title,
)
from tests.for_each import for_each
from tests.openapi import check_answer
from tests.operations import replaced

pytestmark = pytest.mark.django_db
each = for_each("row", ROWS, ids=title)
# a query that reads, one over a common table too, so long as it changes nothing
READS = re.compile(r"\s*(?:SELECT|WITH)\b(?!.*\b(?:INSERT|UPDATE|DELETE)\b)", re.DOTALL)
with_keys = for_each("row", [r for r in ROWS if r.access.keys], ids=title)
replayed = for_each("row", [r for r in ROWS if r.takes_idempotency_key], ids=title)
owned = for_each(
    "row",
    [
        r
        for r in ROWS
        if any(
            path_parameter.made_by[0] and path_parameter.owned
            for path_parameter in r.path_parameters.values()
        )
    ],
    ids=title,
)


def test_generated_clients_can_call_every_row_by_its_name() -> None:
    assert [row.operation_id for row in ROWS if not row.operation_id.isidentifier()] == []


def test_every_address_is_a_row_or_a_page_that_is_known() -> None:
    for service in SERVICES:
        addresses = {path for path, _ in patterns(service)}
        assert addresses - PAGES == {row.path for row in ROWS if row.service == service}


def test_every_list_with_cursors_takes_the_cursor_that_its_pages_name() -> None:
    paged = [row for row in ROWS if {"next", "previous"} <= row.response().fields.keys()]
    for row in paged:
        assert row.request is not None, row.name
        assert {"cursor", "limit"} <= row.request().fields.keys(), row.name
    assert len(paged) >= 6


@each
def test_the_example_works_and_the_answer_is_as_documented(loaded: Any, row: Operation) -> None:
    answer = Walk().call(row)
    assert answer.status_code in row.statuses, answer.content
    documented = "/" + row.path.replace("<str:", "{").replace(">", "}")
    check_answer(row.service, row.method, documented, answer.json(), answer.status_code)
    for name in row.response_headers:
        assert name in answer


@each
def test_a_method_that_no_row_has_is_405_whoever_asks(loaded: Any, row: Operation) -> None:
    walk = Walk()
    path = walk.path(row)
    at_path = {r.method for r in ROWS if (r.service, r.path) == (row.service, row.path)}
    may = sorted({*at_path, *(["HEAD"] if "GET" in at_path else [])})
    clients = (APIClient(), client_for(row))
    for method in set(METHODS) - set(may):
        for client in clients:
            answer = client.generic(method, path)
            assert answer.status_code == 405 and answer["Allow"] == ", ".join(may)
    if "HEAD" in may:
        status_code = client_for(row).head(path, row.example).status_code
        assert status_code in ((402,) if row.access.pays else (*row.statuses, 404))


@for_each("row", [r for r in ROWS if not r.access.signature], ids=title)
def test_what_the_row_does_not_ask_for_is_400(loaded: Any, row: Operation) -> None:
    walk = Walk()
    path = walk.path(row)
    answer = walk.call(row, path=path, given={**row.example, "strange": "x"})
    assert answer.status_code == 400 and answer.json()["errors"][0]["field"] == "strange"


@with_keys
def test_without_a_good_key_of_the_right_kind_nobody_gets_in(loaded: Any, row: Operation) -> None:
    walk = Walk()
    path = walk.path(row)
    nobody = walk.call(row, APIClient(), path=path)
    wanted = (402, "payment_required") if row.access.pays else (401, "missing_key")
    assert (nobody.status_code, nobody.json()["code"]) == wanted
    assert nobody["WWW-Authenticate"]
    if row.has_body and not row.access.pays:  # asked for a key before anything of it is read
        unread = APIClient().generic(row.method, path, "{", "application/json")
        assert (unread.status_code, unread.json()["code"]) == wanted
    good = client_for(row)
    [(header, value)] = good._credentials.items()
    bad = APIClient(**{header: value[:-1] + ("a" if value[-1] != "a" else "b")})
    refused = walk.call(row, bad, path=path)
    assert (refused.status_code, refused.json()["code"]) == (401, "unknown_key")
    for kind in set(KeyKind) - set(row.access.keys):
        other = key_client("Alice Ltd", kind)
        # a header in which this row looks for no key is as if there were none
        none = (401, 402) if row.access.pays else (401,)
        assert walk.call(row, other, path=path).status_code in (*none, 403), kind


@owned
def test_what_one_tenant_made_answers_another_as_if_it_were_not_there(
    loaded: Any, row: Operation
) -> None:
    alice, bob = Walk("Alice Ltd"), client_for(row, "Bob SA")
    path = alice.path(row)
    nowhere = f"/{row.service}/" + row.path
    while "<" in nowhere:
        start, end = nowhere.index("<"), nowhere.index(">")
        nowhere = f"{nowhere[:start]}00000000-0000-4000-8000-000000000000{nowhere[end + 1 :]}"
    for method in METHODS:
        theirs, none = bob.generic(method, path), bob.generic(method, nowhere)
        assert theirs.status_code == none.status_code != 200
        assert theirs.content == none.content
    assert alice.call(row, path=path).status_code in row.statuses


@replayed
def test_a_replay_is_the_same_answer_and_goes_to_its_owner_alone(
    loaded: Any, row: Operation
) -> None:
    walk, alice, bob = Walk(), client_for(row), client_for(row, "Bob SA")
    key = {"headers": {"Idempotency-Key": "2f0c2a7e-5b1d-4c7e-9a52-3f8f6f0f7d13"}}
    first, again = walk.call(row, alice, **key), walk.call(row, alice, **key)
    assert again.content == first.content and again["Idempotent-Replayed"] == "true"
    if row.access.signature:  # whoever proves a message by one key is one counterparty
        return
    theirs = walk.call(row, bob, **key)
    assert theirs.status_code in row.statuses and "Idempotent-Replayed" not in theirs
    repeated = walk.call(row, bob, **key)  # who has a call of their own under the key, too
    assert repeated.content == theirs.content and repeated["Idempotent-Replayed"] == "true"
    for changed in _others(row):
        other = walk.call(row, alice, given={**row.example, **changed}, **key)
        assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    # what stands in the query would not be read: a check asked for there would not run
    asked = walk.call(row, alice, path=f"{walk.path(row)}?individual=true")
    assert asked.status_code == 400 and asked.json()["errors"][0]["field"] == "individual"


@with_keys
def test_a_call_is_billed_once_in_the_unit_of_its_row_and_in_no_other(
    loaded: Any, row: Operation
) -> None:
    walk, alice = Walk(), client_for(row)
    path = walk.path(row)
    key = {"headers": {"Idempotency-Key": "bill"}} if row.takes_idempotency_key else {}

    def used() -> dict[str, int]:
        month = metering.get_month(now())
        return metering.count_calls_by_unit(account_id=alice.account.pk, month=month)  # type: ignore[attr-defined]

    before = used()
    for _ in range(2):
        walk.call(row, alice, path=path, **key)
    walk.call(row, alice, path=path, given={**row.example, "strange": 1})
    grown = {unit: n - before[unit] for unit, n in used().items() if n != before[unit]}
    calls = 1 if row.takes_idempotency_key else 2
    assert grown == ({row.access.price.name: calls} if row.access.price else {})


@each
def test_gathering_writes_nothing(loaded: Any, row: Operation) -> None:
    walk = Walk()
    path, client = walk.path(row), client_for(row)
    walk.call(row, client, path=path)  # what reference data notes once a day has been noted
    written: list[str] = []

    def gather(real: Any, **given: Any) -> Any:
        with CaptureQueriesContext(connection) as queries:
            found = real(**given) if real else None
        written.extend(q["sql"] for q in queries if not READS.match(q["sql"]))
        return found

    with replaced(row.name, gather=gather):
        walk.call(row, client, path=path, given=_unseen(row))
    assert not written


def _others(row: Operation) -> list[dict[str, Any]]:
    """Return what makes another question of the example, where the row asks for any of it."""
    known = {"name": "Somebody Else Ltd", "deep": True, "reference": "another"}
    fields = row.request().fields if row.request else {}
    return [{name: value} for name, value in known.items() if name in fields]


def _unseen(row: Operation) -> dict[str, Any]:
    """Return an example that no cache has: another name, where there is one."""
    document = json.loads(json.dumps(row.example))
    return document | ({"name": "Never Seen Before Ltd"} if "name" in document else {})


def test_a_call_is_the_same_below_its_service_and_on_its_own_host(
    loaded: Any, settings: Any
) -> None:
    settings.SERVICE_HOSTS = {"compliance": "oracle.example"}
    settings.ALLOWED_HOSTS = ["*"]
    alice = key_client("Alice Ltd", KeyKind.SUBSCRIPTION)
    asked = {"name": "Keir Starmer", "country": "GB"}
    key = {"HTTP_IDEMPOTENCY_KEY": "a5b3c0d2-8f0e-4c1c-9a7e-0f3d1b2c4e5f"}
    path = "/compliance/pep-screen"
    below = alice.post(f"/compliance{path}", asked, format="json", **key)
    alone = alice.post(path, asked, format="json", HTTP_HOST="oracle.example", **key)
    assert below.status_code == 200
    assert alone.content == below.content and alone["Idempotent-Replayed"] == "true"


def test_a_condition_that_does_not_hold_is_a_problem_as_all_are(loaded: Any) -> None:
    path = "/intelligence/v1/oracle-feed/co2-ppm"
    now_ = APIClient().get(path)
    refused = APIClient().get(path, headers={"If-Match": '"another"'})
    assert (refused.status_code, refused.json()["code"]) == (412, "precondition_failed")
    assert refused["Content-Type"] == "application/problem+json"
    assert APIClient().get(path, headers={"If-None-Match": now_["ETag"]}).status_code == 304

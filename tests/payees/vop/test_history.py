"""GET /vop/history/:wallet: the last checks of a wallet, for anybody, without names."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.vop.history import HISTORY_LENGTH
from tests.conftest import NOON
from tests.payees.registration.conftest import MICROSOFT, NORTHWIND, wallet
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]


def checks(api: APIClient, number: int = 1) -> list[dict[str, Any]]:
    answer = api.get(f"/compliance/vop/history/{wallet(number)}")
    assert answer.status_code == 200
    return list(answer.json()["checks"])


def test_the_newest_check_stands_first_with_its_result(
    api: APIClient, register: Call, verify: Call
) -> None:
    register(1)
    first, second = verify(1, NORTHWIND["legalName"]), verify(1, "Harbour Lights Catering")
    found = checks(api)
    assert [one["requestId"] for one in found] == [second["requestId"], first["requestId"]]
    assert [one["result"] for one in found] == ["BLOCKED", "VERIFIED"]
    assert "Harbour" not in json.dumps(found)


def test_checks_of_a_wallet_that_was_deactivated_stay(
    api: APIClient, register: Call, verify: Call, rita: APIClient
) -> None:
    register(1)
    verify(1, NORTHWIND["legalName"])
    rita.delete(f"/compliance/register/{wallet(1)}")
    assert [check["result"] for check in checks(api)] == ["VERIFIED"]


def test_a_wallet_that_was_never_checked_has_none(api: APIClient) -> None:
    assert checks(api, 9) == []


def test_fifty_checks_are_told_and_no_more(api: APIClient) -> None:
    for number in range(HISTORY_LENGTH + 1):
        VopCheck.write(
            payload={}, now=NOON, request_id=f"{number:032x}", owner="payer:0x1", wallet=wallet(1),
            result="VERIFIED", score=100, resolved_by="NAME_MATCH", rules_version="1",
        )  # fmt: skip
    found = checks(api)
    assert len(found) == HISTORY_LENGTH == 50 and found[0]["requestId"].endswith("32")


def test_a_check_that_was_altered_is_not_told(api: APIClient, register: Call, verify: Call) -> None:
    register(1)
    verify(1, "Harbour Lights Catering")
    with without_triggers():
        sql("UPDATE vop_vopcheck SET result = 'VERIFIED'")
    assert checks(api) == []


def test_each_check_says_whose_the_wallet_was(
    api: APIClient, register: Call, verify: Call, rita: APIClient
) -> None:
    verify(1, "Anybody")
    register(1)
    verify(1, NORTHWIND["legalName"])
    rita.delete(f"/compliance/register/{wallet(1)}")
    register(1, **MICROSOFT)
    verify(1, "Microsoft")  # another entity, which does not count yet
    waits, first, nobody = checks(api)
    assert "registeredName" not in nobody and "registeredName" not in waits
    assert (first["registeredName"], first["presentEntity"]) == (NORTHWIND["legalName"], False)


def test_a_check_of_who_is_registered_now_says_so(
    api: APIClient, register: Call, verify: Call
) -> None:
    made = register(1, **MICROSOFT)
    verify(1, "Microsoft Corporation")
    [told] = checks(api)
    assert told["presentEntity"] and told["registeredLei"] == MICROSOFT["lei"]
    assert told["registeredAt"] == made["registeredAt"]

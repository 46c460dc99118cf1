"""GET /vop/lookup/:wallet and GET /lei/:lei: free, as it stands now, page by page."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.compliance.payees.models import Registration
from apps.platform.common.clock import now
from apps.reference.lei.models import LeiRecord, LeiUse
from tests.lei.changed_entities import restate
from tests.payees.registration.conftest import MICROSOFT, wallet

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
LEI = MICROSOFT["lei"]


def test_a_wallet_that_nobody_registered_is_404(sample: Any, api: APIClient) -> None:
    answer = api.get(f"/compliance/vop/lookup/{wallet(9)}")
    assert (answer.status_code, answer.json()["code"]) == (404, "wallet_not_registered")
    assert api.get("/compliance/vop/lookup/0x12345").status_code == 400


def test_an_lei_that_lapsed_since_is_told_as_lapsed(register: Call, lookup: Call) -> None:
    register(**MICROSOFT)
    yesterday = (now() - timedelta(days=1)).date()
    restate(LeiRecord.objects.filter(lei=LEI), next_renewal=yesterday)
    assert lookup(1)["leiStatus"] == "LAPSED"
    restate(LeiRecord.objects.filter(lei=LEI), entity_status="INACTIVE")
    assert lookup(1)["leiStatus"] == "RETIRED"


def test_an_lei_of_which_no_record_is_held_any_more_keeps_its_last_state(
    register: Call, lookup: Call
) -> None:
    register(**MICROSOFT)
    LeiRecord.objects.filter(lei=LEI).delete()
    assert lookup(1)["leiStatus"] == "ACTIVE"


def test_an_lei_tells_its_entity_and_the_wallets_under_it(register: Call, api: APIClient) -> None:
    for number in (3, 1, 2):
        register(number, **MICROSOFT)
    Registration.objects.filter(wallet=wallet(2)).update(active=False, ended_at=now())
    body = api.get(f"/compliance/lei/{LEI.lower()}").json()
    assert "microsoft" in body["legalName"].lower() and body["leiStatus"] == "ACTIVE"
    assert [one["walletAddress"] for one in body["wallets"]] == [wallet(1), wallet(3)]
    assert (body["walletsTotal"], body["next"]) == (2, None)


def test_many_wallets_come_page_by_page_each_once(register: Call, api: APIClient) -> None:
    for number in range(1, 6):
        register(number, **MICROSOFT)
    seen, after = [], ""
    while True:
        asked = {"limit": 2} | ({"after": after} if after else {})
        page = api.get(f"/compliance/lei/{LEI}", asked).json()
        seen += [one["walletAddress"] for one in page["wallets"]]
        assert len(page["wallets"]) <= 2 and page["walletsTotal"] == 5
        if not (after := page["next"]):
            break
    assert seen == sorted(wallet(number) for number in range(1, 6))


@pytest.mark.parametrize("lei", ["SHORT", LEI[:-2] + "00"])
def test_what_is_no_lei_is_400(sample: Any, api: APIClient, lei: str) -> None:
    assert api.get(f"/compliance/lei/{lei}").status_code == 400


def test_who_only_looks_at_an_lei_does_not_make_it_one_in_use(sample: Any, api: APIClient) -> None:
    assert api.get(f"/compliance/lei/{LEI}").status_code == 200
    assert not LeiUse.objects.filter(lei=LEI).exists()


@pytest.mark.parametrize("limit", ["0", "201", "x"])
def test_a_page_has_its_bounds(sample: Any, api: APIClient, limit: str) -> None:
    assert api.get(f"/compliance/lei/{LEI}", {"limit": limit}).status_code == 400

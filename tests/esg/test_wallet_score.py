"""GET /esg/score/wallet/:wallet: the score of the entity that a wallet is registered to."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.payees.registration.conftest import MICROSOFT, wallet
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db


def ask(api: APIClient, number: int, **query: str) -> Any:
    return api.get(f"/compliance/esg/score/wallet/{wallet(number)}", query)


def test_a_registered_wallet_has_the_score_of_its_entity(
    api: APIClient, register: Callable[..., Any]
) -> None:
    register(1, **MICROSOFT)
    by_wallet = ask(api, 1).json()
    by_lei = api.get(f"/compliance/esg/score/{MICROSOFT['lei']}").json()
    assert by_wallet == by_lei | {"fromCache": False}


def test_a_wallet_that_nobody_registered_has_none(api: APIClient, sample: Any) -> None:
    answer = ask(api, 9)
    assert (answer.status_code, answer.json()["code"]) == (404, "wallet_not_registered")


def test_a_wallet_without_an_lei_has_none(api: APIClient, register: Callable[..., Any]) -> None:
    register(2)
    answer = ask(api, 2)
    assert (answer.status_code, answer.json()["code"]) == (404, "wallet_without_lei")


def test_a_wallet_that_was_deactivated_has_none(
    api: APIClient, register: Callable[..., Any], rita: APIClient
) -> None:
    register(1, **MICROSOFT)
    rita.delete(f"/compliance/register/{wallet(1)}")
    assert ask(api, 1).status_code == 404


def test_a_registration_that_was_altered_is_not_relied_on(
    api: APIClient, register: Callable[..., Any]
) -> None:
    register(1, **MICROSOFT)
    with without_triggers():
        sql("UPDATE registry_registration SET lei = 'HWUPKR0MPOU8FGXBT394'")
    answer = ask(api, 1)
    assert (answer.status_code, answer.json()["code"]) == (503, "registration_unproved")

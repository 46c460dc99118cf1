"""What the benchmark of a payee check measures beside it answers, and looks nothing up."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

from apps.access.paywall.models import Receipt
from apps.compliance.payees.models.payee_checks import VopCheck
from tests.api.endpoint_walk import payer
from tests.payees.registration.conftest import NORTHWIND, wallet

BODY = {"walletAddress": wallet(1), "submittedName": NORTHWIND["legalName"]}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "result", "paid"), [("/ceiling", "NOT_REGISTERED", 1), ("/bare", "VERIFIED", 0)]
)
def test_what_a_check_is_measured_against_answers(
    register: Callable[..., Any], address: str, result: str, paid: int
) -> None:
    register(1)
    with override_settings(ROOT_URLCONF="benchmarks.vop_urls"):
        answer = payer("Alice Ltd").post(address, BODY, format="json")
    assert (answer.status_code, answer.json()["result"]) == (200, result)
    assert (VopCheck.objects.get().result, Receipt.objects.count()) == (result, paid)


def test_the_names_of_a_benchmark_are_of_every_kind() -> None:
    import random

    from apps.reference.names.payee import compare_payee_names
    from benchmarks.vop import bodies, payee, submitted, wallet

    pick = random.Random(1)
    bands = [
        compare_payee_names(submitted=submitted(n, pick), registered=payee(n)).band
        for n in range(200)
    ]
    assert set(bands) == {"MATCH", "CLOSE", "NO"}
    assert len({payee(n) for n in range(300)}) == len({wallet(n) for n in range(300)}) == 300
    assert bodies(20, 7, wallets=300) == bodies(20, 7, wallets=300) != bodies(20, 8, wallets=300)

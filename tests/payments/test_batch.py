"""Batches: each instruction judged alone, in order, and 51 refused whole."""

from typing import Any

import pytest

from apps.payments.payments.models import Payment
from tests.payments.conftest import instruction

pytestmark = pytest.mark.django_db
BATCH = "/integration/payments/batch"


def batch(bank: Any, *items: Any, status: int = 202) -> dict[str, Any]:
    answer = bank.post(BATCH, {"payments": list(items)}, format="json")
    assert answer.status_code == status, answer.content
    return dict(answer.json())


def test_one_bad_instruction_loses_no_good_one(bank: Any) -> None:
    good, bad = instruction(), instruction(tmsReference="INV-2", amount="not a number")
    told = batch(bank, good, bad, instruction(tmsReference="INV-3"), "nonsense", None)
    assert [item["outcome"] for item in told["items"]] == ["TAKEN", "REFUSED"] + ["TAKEN"] + [
        "REFUSED"
    ] * 2
    assert [item["index"] for item in told["items"]] == [0, 1, 2, 3, 4]
    problem = told["items"][1]["problem"]
    assert problem["code"] == "invalid_request"
    assert problem["errors"][0]["field"] == "amount"
    assert (told["taken"], told["found"], told["refused"]) == (2, 0, 3)
    assert list(Payment.objects.order_by("pk").values_list("reference", flat=True)) == [
        "INV-1",
        "INV-3",
    ]


def test_a_repeat_within_a_batch_is_the_same_payment_and_another_is_refused(bank: Any) -> None:
    told = batch(bank, instruction(), instruction(), instruction(amount="251.00"))
    assert [item["outcome"] for item in told["items"]] == ["TAKEN", "FOUND", "REFUSED"]
    first, second = (item["payment"]["svcPaymentId"] for item in told["items"][:2])
    assert first == second and told["items"][2]["problem"]["code"] == "reference_taken"


def test_a_batch_again_finds_its_payments(bank: Any) -> None:
    batch(bank, instruction())
    assert batch(bank, instruction(), status=200)["found"] == 1


@pytest.mark.parametrize(("count", "status"), [(0, 400), (50, 202), (51, 400)])
def test_a_batch_has_one_to_fifty_instructions(bank: Any, count: int, status: int) -> None:
    items = [instruction(tmsReference=f"INV-{number}") for number in range(count)]
    batch(bank, *items, status=status)
    assert Payment.objects.count() == (count if status == 202 else 0)

"""A creditor whose name takes too long to compare: the payment waits for an officer."""

from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.payments.payments.models import Payment
from tests.payments.conftest import work

pytestmark = pytest.mark.django_db


def test_a_payment_whose_names_take_too_long_is_held_with_a_case(send: Any, settings: Any) -> None:
    settings.SCREEN_CPU_MILLISECONDS = 0
    send()
    work()
    assert Payment.objects.get().state == "HELD"
    case = Case.objects.get()
    assert "name.not_checked" in {rule["code"] for rule in case.rules}
    assert "takes too long" in " ".join(rule["sentence"] for rule in case.rules)

"""The payee of wages is looked for among office holders (document 1 section 2.7, rule 4)."""

from decimal import Decimal
from typing import Any

import pytest

from apps.compliance.screening.models import Screen
from apps.payments.payments.instructions import Instruction, Party
from apps.payments.payments.models import Payment
from apps.payments.payments.rules.payroll_purposes import payment_type
from apps.payments.payments.services.accept_payment import accept_payment
from apps.platform.api.callers import Caller
from apps.platform.common.clock import now
from tests.payments.conftest import wallet, work

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("purpose", "state"), [("SALA", "HELD"), ("ODPY", "HELD"), ("SUPP", "SETTLED"), ("", "SETTLED")]
)
def test_wages_of_an_office_holder_are_held(sample: Any, purpose: str, state: str) -> None:
    instruction = Instruction(
        reference="P-1",
        amount=Decimal("2500"),
        currency="USD",
        asset="USDC",
        creditor=Party(name="Keir Starmer", wallet=wallet(61)),
        debtor=Party(name="Microsoft Corporation", wallet=wallet(62)),
        purpose=purpose,
    )
    accept_payment(instruction=instruction, caller=Caller("account:1", "INSTITUTION"), now=now())
    work()
    payment = Payment.objects.get()
    assert payment.state == state, payment.found
    asked = [
        (row["side"], Screen.objects.get(screen_id=row["screenId"]).data["request"]["paymentType"])
        for row in payment.found["screens"]
    ]
    assert asked == [("creditor", payment_type(purpose)), ("debtor", None)]

"""Takes payments in and carries them on in processes that are killed at a point; prints what stood.

Run as a process with a folder of its own (VAR_DIR). Each act is a child that is killed (SIGKILL);
then what stands is told, the act is done again to its end, and what stands is told anew, as JSON.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from rest_framework.test import APIClient  # noqa: E402

from apps.payments.callbacks.models import Event  # noqa: E402
from apps.payments.payments import payment_checks, record_transition  # noqa: E402
from apps.payments.payments.integrity import verify_payments  # noqa: E402
from apps.payments.payments.models import HandOver, Payment, PaymentEvent  # noqa: E402
from apps.payments.payments.rails import orders  # noqa: E402
from apps.payments.payments.services import (  # noqa: E402
    accept_payment,
    advance_payment,
    pricing,
    travel_rule_handovers,
)
from apps.platform.common.clock import now  # noqa: E402
from apps.platform.jobs.models import Job  # noqa: E402
from tests.aml.kill_drive import killed  # noqa: E402
from tests.api.endpoint_walk import key_client  # noqa: E402
from tests.payments.conftest import INITIATE, instruction, wallet  # noqa: E402

Point = tuple[Any, str, bool]
# what a point is called: the module, the function, and whether the kill comes after it
TAKEN: dict[str, Point] = {
    "row written": (accept_payment, "insert_if_absent", True),
    "event written": (accept_payment, "write_transition_event", True),
    "answered": (None, "", True),
}
CARRIED: dict[str, Point] = {
    "checks gathered": (payment_checks, "gather_check_inputs", True),
    "checks written": (payment_checks, "record_check_results", True),
    "verified": (advance_payment, "price_payment", False),
    "priced": (advance_payment, "settle_on_rail", False),
    "price written": (pricing, "store_quote", True),
    "rail asked": (orders, "build_rail_order", True),
    "settlement written": (record_transition, "write_transition_event", True),
    "handed over": (travel_rule_handovers, "hand_over_to_travel_rule", True),
    "settled": (None, "", True),
}


def sent(number: int) -> dict[str, Any]:
    """Return an instruction of its own parties."""
    creditor = {"name": "Blue Heron Stationery Limited", "walletAddress": wallet(200 + number)}
    debtor = {"name": "Microsoft Corporation", "walletAddress": wallet(300 + number)}
    return instruction(tmsReference=f"K-{number}", creditor=creditor, debtor=debtor)


def stands(number: int) -> dict[str, Any]:
    """Tell what stands of a payment."""
    payments = Payment.objects.filter(reference=f"K-{number}")
    payment = payments.first()
    pk = payment.pk if payment else 0
    return {
        "payments": payments.count(),
        "state": payment.state if payment else "",
        "events": PaymentEvent.objects.filter(payment_id=pk).count(),
        "jobs": Job.objects.filter(name="payments.advance", key=str(pk)).count(),
        "handed": HandOver.objects.filter(payment_id=pk).count(),
        "told": Event.objects.filter(subject=payment.payment_id).count() if payment else 0,
        "faults": list(verify_payments(lambda _: None)),
    }


def send(client: APIClient, number: int) -> None:
    """Send an instruction."""
    answer = client.post(INITIATE, sent(number), format="json")
    if answer.status_code not in (200, 202):
        raise SystemExit(f"{answer.status_code}: {answer.content!r}")


def carry(number: int) -> None:
    """Carry a payment on, as a worker does."""
    key = Payment.objects.values_list("pk", flat=True).get(reference=f"K-{number}")
    advance_payment.advance_payment(str(key), now())


def named(state: str) -> Callable[..., Any]:
    """Return a step by its name, so that it is found as it is killed at."""
    name = advance_payment.STEPS[state].__name__  # type: ignore[index]
    return lambda *given: getattr(advance_payment, name)(*given)


def main() -> None:
    """Do it all and print it."""
    call_command("migrate", verbosity=0)
    call_command("setup_sandbox", quiet=True, verbosity=0)
    call_command("build_index", verbosity=0)
    client = key_client("Alder Bank", "INSTITUTION")
    advance_payment.STEPS = {state: named(state) for state in advance_payment.STEPS}  # type: ignore[misc]
    found: dict[str, Any] = {"taken": {}, "carried": {}}
    for number, (name, point) in enumerate(TAKEN.items()):
        killed(partial(send, client, number), point)
        left = stands(number)
        send(client, number)
        found["taken"][name] = {"left": left, "then": stands(number)}
    for number, (name, point) in enumerate(CARRIED.items(), start=len(TAKEN)):
        send(client, number)
        killed(partial(carry, number), point)
        left = stands(number)
        carry(number)
        found["carried"][name] = {"left": left, "then": stands(number)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()

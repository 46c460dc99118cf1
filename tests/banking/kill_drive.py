"""Sends money in processes that are killed at a point, and prints what stood, as JSON.

Run as a process with a folder of its own (VAR_DIR). Each act is a child that is killed (SIGKILL)
at its point; then what stands is told, here and at the bank, and the act is done again to its end.
"""

import json
from datetime import timedelta
from functools import partial
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402

from apps.payments.banking import account_access, record_transition  # noqa: E402
from apps.payments.banking.clients import bank_api  # noqa: E402
from apps.payments.banking.integrity import verify_bank_rows  # noqa: E402
from apps.payments.banking.models import Send  # noqa: E402
from apps.payments.banking.services import submit_send  # noqa: E402
from apps.platform.common.clock import now  # noqa: E402
from apps.platform.jobs.models import Job  # noqa: E402
from tests.aml.kill_drive import killed  # noqa: E402
from tests.api.endpoint_walk import key_client  # noqa: E402
from tests.banking.banks import TOKEN, Payer, simulated  # noqa: E402

Point = tuple[Any, str, bool]
TAKEN: dict[str, Point] = {
    "row written": (record_transition, "_write_event", True),
    "answered": (None, "", True),
}
SENT: dict[str, Point] = {
    "claimed": (submit_send, "_recheck_and_submit", False),
    "bank about to be asked": (bank_api, "send_payment", False),
    "bank answered": (bank_api, "send_payment", True),
    "note written": (submit_send, "record_transition", True),
    "noted": (None, "", True),
}


def take(payer: Payer, recipient: str, key: str) -> None:
    """Ask for a payment."""
    payer.client.post(
        "/settlement/bank/send",
        {
            "accountId": str(account_access.SANDBOX_ACCOUNT),
            "recipientId": recipient,
            "amount": 12.5,
            "paymentMethod": "ach",
            "note": key,
            "idempotencyKey": key,
        },
        format="json",
    )


def carry(key: str, later: timedelta = timedelta()) -> None:
    """Send a payment, as a worker does."""
    row = Send.objects.get(key=key)
    submit_send.submit_send(str(row.pk), now() + later)


def stands(bank: Any, key: str) -> dict[str, Any]:
    """Tell what stands of a payment."""
    row = Send.objects.filter(key=key).first()
    paid = [one for rows in bank.paid.values() for one in rows if one.get("note") == key]
    return {
        "state": row.state if row else "",
        "jobs": Job.objects.filter(name="banking.send", key=str(row.pk if row else 0)).count(),
        "paid": len(paid),
        "faults": list(verify_bank_rows(lambda _: None)),
    }


def institution(act: str) -> tuple[Payer, str]:
    """Return an institution of an act's own, and whom it pays: many in a row would be held."""
    payer = Payer(key_client(f"Bank of {act}", "INSTITUTION"))
    return payer, str(payer.save()["recipientId"])


def main() -> None:
    """Do it all and print it."""
    call_command("migrate", verbosity=0)
    call_command("setup_sandbox", quiet=True, verbosity=0)
    call_command("build_index", verbosity=0)
    found: dict[str, Any] = {"taken": {}, "sent": {}}
    with simulated() as server:
        settings.BANK_API_URL, settings.BANK_API_TOKEN = server.url, TOKEN
        for name, point in TAKEN.items():
            payer, recipient = institution(name)
            killed(partial(take, payer, recipient, name), point)
            left = stands(server.bank, name)
            take(payer, recipient, name)
            found["taken"][name] = {"left": left, "then": stands(server.bank, name)}
        for name, point in SENT.items():
            payer, recipient = institution(name)
            take(payer, recipient, name)
            killed(partial(carry, name), point)
            left = stands(server.bank, name)
            carry(name, timedelta(minutes=2))  # the lease of the one that died is over
            found["sent"][name] = {"left": left, "then": stands(server.bank, name)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()

"""Screens and decides in processes that are killed at a point, and prints what was left, as JSON.

Run as a process with a folder of its own (VAR_DIR). Each act is a child that is killed (SIGKILL)
at its point; then what stands is counted, the act is done again to its end, and counted anew.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connections  # noqa: E402
from rest_framework.test import APIClient  # noqa: E402

from apps.backoffice.review import services as actions  # noqa: E402
from apps.backoffice.review.models import Case  # noqa: E402
from apps.compliance.aml.integrity import verify_profiles_and_labels  # noqa: E402
from apps.compliance.aml.models import AmlScreen, Label, LabelCount, WalletProfile  # noqa: E402
from apps.compliance.aml.screening import cases  # noqa: E402
from apps.compliance.aml.screening import services as conclude  # noqa: E402
from apps.compliance.aml.services import decision_effects  # noqa: E402
from apps.platform.common.clock import now  # noqa: E402
from apps.platform.ledger import sealer  # noqa: E402
from apps.platform.ledger.verification import verifier  # noqa: E402
from tests.aml.conftest import PAYMENT, SPLIT  # noqa: E402
from tests.api.endpoint_walk import key_client  # noqa: E402
from tests.payees.registration.conftest import wallet  # noqa: E402
from tests.review.people import OFFICER, person  # noqa: E402

# what a point is called: the module, the function, and whether the kill comes after it
SCREENED = {
    "record written": (conclude, "_save_profiles", False),
    "profiles written": (conclude, "_save_profiles", True),
    "case opened": (cases, "open_aml_case", True),
    "answered": (None, "", True),
}
DECIDED = {
    "case decided": (decision_effects, "_was_decided_alike", False),
    "label written": (decision_effects, "_count_label", False),
    "counted": (decision_effects, "_count_label", True),
    "answered": (None, "", True),
}
Act = Callable[[], Any]


def killed(act: Act, point: tuple[Any, str, bool]) -> None:
    """Do something in a child that is killed at a point."""
    connections.close_all()
    child = os.fork()
    if not child:
        module, name, later = point
        if module is not None:
            setattr(module, name, deadly(getattr(module, name), later))
        act()
        die()
    _, status = os.waitpid(child, 0)
    if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
        raise SystemExit(f"the child was not killed: {status}")


def deadly(function: Callable[..., Any], later: bool) -> Callable[..., Any]:
    def call(*given: Any, **more: Any) -> Any:
        if later:
            function(*given, **more)
        die()

    return call


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def ask(client: APIClient, turn: int, amount: int, name: str) -> dict[str, Any]:
    ends = {"wallet": wallet(turn), "counterparty": wallet(turn + 1), "paymentId": name}
    answer = client.post(
        "/compliance/aml/screen", PAYMENT | ends | {"amount": amount}, format="json"
    )
    if answer.status_code != 200:
        raise SystemExit(f"{answer.status_code}: {answer.content!r}")
    return dict(answer.json())


def screens(turn: int) -> dict[str, Any]:
    """Return what is held of the last payment of a wallet, and of the wallet."""
    row = WalletProfile.objects.get(wallet=wallet(turn))
    of = AmlScreen.objects.filter(wallet=wallet(turn))
    return {
        "counted": of.filter(counted=True).count() - len(SPLIT),
        "payments": row.payments - len(SPLIT),
        "summed": row.profile.count - len(SPLIT),
        "cases": Case.objects.filter(kind="aml", wallet=wallet(turn)).count(),
        "faults": list(verify_profiles_and_labels(lambda _: None)),
    }


def decisions(case: Case) -> dict[str, Any]:
    """Return what is held of a decision."""
    case.refresh_from_db()
    return {
        "status": case.status,
        "labels": Label.objects.filter(screen_id=case.ref).count(),
        "counts": sorted({row.good for row in LabelCount.objects.all()}),
        "faults": list(verify_profiles_and_labels(lambda _: None)),
    }


def screening(client: APIClient) -> dict[str, Any]:
    found = {}
    for turn, (name, point) in enumerate(SCREENED.items()):
        first = 100 + 10 * turn
        for number, amount in enumerate(SPLIT):
            ask(client, first, amount, f"{first}-{number}")
        act = lambda first=first: ask(client, first, 8200, f"{first}-last")  # noqa: E731
        killed(act, point)
        left = screens(first)
        told = act()
        found[name] = {"left": left, "then": screens(first), "action": told["action"]}
    return found


def deciding_() -> dict[str, Any]:
    found = {}
    officer = person("kilda", OFFICER)
    for case, (name, point) in zip(Case.objects.order_by("pk"), DECIDED.items(), strict=True):
        act = lambda case=case: decide(case, officer)  # noqa: E731
        before = decisions(case)
        killed(act, point)
        left = decisions(case)
        again = act()
        found[name] = {"before": before, "left": left, "then": decisions(case), "again": again}
    return found


def decide(case: Case, officer: Any) -> str:
    """Release a payment; what was decided already is refused."""
    try:
        actions.decide_case(
            case=Case.objects.get(pk=case.pk), by=officer, outcome="APPROVE",
            reason_code="PURPOSE_SHOWN", note="Invoices and statements were seen.", now=now(),
        )  # fmt: skip
    except actions.AlreadyDecided:
        return "already"
    return "decided"


def main() -> int:
    for command in (("migrate",), ("setup_sandbox", "--quiet"), ("build_index",)):
        call_command(*command, verbosity=0)
    conclude.is_sampled = lambda mark: False  # no case by chance
    client = key_client("Payments Ltd", "INTERNAL")
    found = {"screened": screening(client), "decided": deciding_()}
    sealer.seal_all_ledgers(now=now())
    found["ledgers"] = [
        fault
        for name in ("aml_screens", "decisions")
        for fault in verifier.verify_ledger(ledger=name).faults
    ]
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Run the simulated bank of a sandbox; it writes its address into VAR_DIR."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from apps.payments.banking.simulator.bank import SimulatedBank
from apps.payments.banking.simulator.server import BankServer
from apps.payments.banking.simulator.storage import BankStateFile
from apps.payments.banking.simulator.webhook import WebhookSender

ADDRESS_FILE = "bank-simulator.json"
# seconds until a pending payment is sent: long enough to see it pending in a demonstration
SETTLES_AFTER = 3.0


def main() -> int:
    """Serve until ended; 2 in production."""
    if os.environ.get("DJANGO_ENV") == "production":
        print("The simulated bank moves no money: it does not run in production.", file=sys.stderr)
        return 2
    folder = Path(os.environ.get("VAR_DIR") or Path.cwd() / "var")
    secrets = json.loads((folder / "secrets.json").read_text(encoding="utf-8"))
    token = os.environ.get("BANK_API_TOKEN") or secrets["BANK_API_TOKEN"]
    secret = os.environ.get("BANK_WEBHOOK_SECRET") or secrets["BANK_WEBHOOK_SECRET"]
    webhook = f"http://127.0.0.1:{os.environ.get('PORT') or 8000}/settlement/bank-webhook"
    # of `new,old` the bank signs with the new one
    sender = WebhookSender(webhook, secret.partition(",")[0])
    bank, state_file = SimulatedBank(sender.tell), BankStateFile(folder)
    state_file.recall(bank)
    server = BankServer(bank, token)
    server.changed = partial(state_file.keep, bank)
    path = folder / f"{ADDRESS_FILE}.new"
    # written beside and moved: clients/bank_api.py may read it at any moment
    path.write_text(json.dumps({"url": server.url}), encoding="utf-8")
    path.replace(folder / ADDRESS_FILE)
    threading.Thread(target=_settle_pending, args=(bank, server.changed), daemon=True).start()
    server.serve_forever()
    return 0


def _settle_pending(bank: SimulatedBank, changed: Callable[[], None]) -> None:
    while True:
        time.sleep(SETTLES_AFTER)
        if bank.finish():
            changed()


if __name__ == "__main__":
    sys.exit(main())

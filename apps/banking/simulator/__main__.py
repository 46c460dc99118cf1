"""Runs the simulated bank of a sandbox; it writes where it listens into VAR_DIR."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from apps.banking.simulator.bank import Bank
from apps.banking.simulator.keeping import Keeper
from apps.banking.simulator.telling import Teller
from apps.banking.simulator.web import Server

NAME = "bank-simulator.json"
SETTLES_AFTER = 3.0  # seconds until a payment that is pending is sent


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
    teller = Teller(webhook, secret.partition(",")[0])
    bank, keeper = Bank(teller.tell), Keeper(folder)
    keeper.recall(bank)
    server = Server(bank, token)
    server.changed = partial(keeper.keep, bank)
    told = folder / f"{NAME}.new"
    told.write_text(json.dumps({"url": server.url}), encoding="utf-8")
    told.replace(folder / NAME)
    threading.Thread(target=_settle, args=(bank, server.changed), daemon=True).start()
    server.serve_forever()
    return 0


def _settle(bank: Bank, changed: Callable[[], None]) -> None:
    while True:
        time.sleep(SETTLES_AFTER)
        if bank.finish():
            changed()


if __name__ == "__main__":
    sys.exit(main())

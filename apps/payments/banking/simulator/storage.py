"""Keeps what the simulated bank holds in a file, so that it is the same bank after a restart."""

import json
import os
from pathlib import Path
from typing import Any

from apps.payments.banking.simulator.bank import SimulatedBank

STATE_FILE = "bank-simulator-holds.json"


class BankStateFile:
    """The file of a bank; what cannot be read is put aside, and the bank begins anew."""

    def __init__(self, folder: Path) -> None:
        self.path, self.last = folder / STATE_FILE, ""

    def recall(self, bank: SimulatedBank) -> bool:
        """Let a bank go on from the file; tell whether there was one that could be read."""
        try:
            bank.hold(json.loads(self.path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return False
        except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError):
            self.path.replace(self.path.with_suffix(".broken"))
            return False
        return True

    def keep(self, bank: SimulatedBank) -> None:
        """Write what a bank holds, whole or not at all; nothing where nothing changed."""
        with bank.lock:
            said = json.dumps(bank.kept())
            if said == self.last:
                return
            new = self.path.with_suffix(".new")
            opened: Any = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(opened, "w", encoding="utf-8") as file:
                file.write(said)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
            self.last = said

"""Store the simulated bank's state in a file, so that it survives a restart."""

import json
import os
from pathlib import Path
from typing import Any

from apps.payments.banking.simulator.bank import SimulatedBank

STATE_FILE = "bank-simulator-holds.json"


class BankStateFile:
    """The file of a bank; an unreadable one is moved away, and the bank starts empty."""

    def __init__(self, folder: Path) -> None:
        self.path, self.last = folder / STATE_FILE, ""

    def recall(self, bank: SimulatedBank) -> bool:
        """Restore a bank from the file; return whether there was a readable one."""
        try:
            bank.hold(json.loads(self.path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return False
        except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError):
            # kept for a look; a sandbox must start all the same
            self.path.replace(self.path.with_suffix(".broken"))
            return False
        return True

    def keep(self, bank: SimulatedBank) -> None:
        """Write the state of a bank atomically; nothing if nothing changed."""
        with bank.lock:
            json_text = json.dumps(bank.kept())
            if json_text == self.last:
                return
            new = self.path.with_suffix(".new")
            # 0600: account numbers of whoever tries the sandbox out
            opened: Any = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(opened, "w", encoding="utf-8") as file:
                file.write(json_text)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
            self.last = json_text

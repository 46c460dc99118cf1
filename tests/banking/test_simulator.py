"""The simulated bank is the same bank after a restart."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.payments.banking.simulator.bank import ACCOUNT, OPENING, RequestRefused, SimulatedBank
from apps.payments.banking.simulator.storage import STATE_FILE, BankStateFile
from tests.banking.banks import ach_recipient


def restarted(folder: Path) -> tuple[SimulatedBank, list[dict[str, Any]]]:
    told: list[dict[str, Any]] = []
    bank = SimulatedBank(told.append)
    assert BankStateFile(folder).recall(bank)
    return bank, told


def test_what_was_paid_stands_after_a_restart_and_is_paid_once(tmp_path: Path) -> None:
    bank = SimulatedBank()
    recipient = bank.save(ach_recipient() | {"idempotencyKey": "r"})["id"]
    asked = {
        "recipientId": recipient, "amount": 12.5, "paymentMethod": "ach", "idempotencyKey": "k",
    }  # fmt: skip
    paid = bank.send(ACCOUNT, asked)
    BankStateFile(tmp_path).keep(bank)
    after, told = restarted(tmp_path)
    assert after.send(ACCOUNT, asked)["id"] == paid["id"] and told == []
    assert after.balances[ACCOUNT] == OPENING - Decimal("12.5")
    with pytest.raises(RequestRefused):
        after.send(ACCOUNT, asked | {"amount": 13})
    assert after.finish() == 1
    assert [(one["resourceId"], one["resourceVersion"]) for one in told] == [(paid["id"], 2)]
    page = after.transactions(ACCOUNT, limit=5, offset=0)["transactions"]
    assert [one["status"] for one in page] == ["sent"]


def test_a_file_that_is_broken_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / STATE_FILE).write_text('{"balances": 7}')
    bank = SimulatedBank()
    assert not BankStateFile(tmp_path).recall(bank) and bank.balances[ACCOUNT] == OPENING
    assert not (tmp_path / STATE_FILE).exists() and len(list(tmp_path.iterdir())) == 1


def test_nobody_else_reads_what_it_holds(tmp_path: Path) -> None:
    BankStateFile(tmp_path).keep(SimulatedBank())
    assert (tmp_path / STATE_FILE).stat().st_mode & 0o077 == 0

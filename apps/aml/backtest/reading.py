"""Reads labelled payments: folders of the AMLSim kind, in either of its two layouts."""

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from apps.aml.rules.profile import DAY, Payment
from apps.core.money import to_micro

FIRST = 1_483_228_800  # steps are days from 2017-01-01 on


class NoData(ValueError):
    """The folder holds no payments of a known layout; the text says what was looked for."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Payments in the order of time, all accounts, and those that were labelled as bad."""

    name: str
    payments: list[Payment]
    accounts: frozenset[str]
    bad: frozenset[str]


def read(folder: Path) -> Dataset:
    """Return the payments and labels of a folder; NoData for one of another layout."""
    if (folder / "nodes.csv").is_file():
        payments, accounts, bad = _steps(folder)
    elif found := sorted(folder.glob("tx_*.csv*")):
        payments, accounts, bad = _dated(folder, found[0])
    else:
        raise NoData(f"{folder} has neither nodes.csv with transactions.csv nor tx_*.csv.")
    payments.sort(key=lambda one: one.at)  # of one moment, as the file has them
    everybody = accounts | {w for one in payments for w in (one.sender, one.receiver)}
    return Dataset(folder.name, payments, frozenset(everybody), frozenset(bad))


def _steps(folder: Path) -> tuple[list[Payment], set[str], set[str]]:
    nodes = list(_rows(folder / "nodes.csv"))
    payments = [
        Payment(
            row["sourceNodeId"],
            row["targetNodeId"],
            to_micro(Decimal(row["value"])),
            FIRST + int(row["time"]) * DAY,
        )
        for row in _rows(folder / "transactions.csv")
    ]
    bad = {row["nodeid"] for row in nodes if row["isFraud"] == "1"}
    return payments, {row["nodeid"] for row in nodes}, bad


def _dated(folder: Path, path: Path) -> tuple[list[Payment], set[str], set[str]]:
    payments = [
        Payment(
            row["orig_acct"],
            row["bene_acct"],
            to_micro(Decimal(row["base_amt"])),
            int(datetime.fromisoformat(row["tran_timestamp"]).timestamp()),
        )
        for row in _rows(path)
    ]
    labels = (row for one in sorted(folder.glob("sar_accounts_*.csv")) for row in _rows(one))
    return payments, set(), {row["ACCOUNT_ID"] for row in labels}


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)

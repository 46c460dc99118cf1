"""Reads labelled payments: folders of the AMLSim kind, in either of its two layouts."""

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from apps.aml.rules.profile import DAY, Payment
from apps.core.money import LossyAmount, to_micro

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
        payments, accounts, bad = _dated(folder, found)
    else:
        raise NoData(f"{folder} has neither nodes.csv with transactions.csv nor tx_*.csv.")
    if not payments:
        raise NoData(f"{folder} holds no payment.")
    if not bad:
        raise NoData(f"{folder} labels no account as bad: there is nothing to rank.")
    payments.sort(key=lambda one: one.at)  # of one moment, as the file has them
    everybody = accounts | {w for one in payments for w in (one.sender, one.receiver)}
    return Dataset(folder.name, payments, frozenset(everybody), frozenset(bad))


def _steps(folder: Path) -> tuple[list[Payment], set[str], set[str]]:
    nodes = list(_rows(folder / "nodes.csv"))
    payments = [
        Payment(
            row["sourceNodeId"],
            row["targetNodeId"],
            _amount(row["value"]),
            FIRST + int(row["time"]) * DAY,
        )
        for row in _rows(folder / "transactions.csv")
    ]
    bad = {row["nodeid"] for row in nodes if row["isFraud"] == "1"}
    return payments, {row["nodeid"] for row in nodes}, bad


def _dated(folder: Path, paths: list[Path]) -> tuple[list[Payment], set[str], set[str]]:
    payments = [
        Payment(
            row["orig_acct"], row["bene_acct"], _amount(row["base_amt"]), _at(row["tran_timestamp"])
        )
        for path in paths
        for row in _rows(path)
    ]
    labels = (row for one in sorted(folder.glob("sar_accounts_*.csv*")) for row in _rows(one))
    return payments, set(), {row["ACCOUNT_ID"] for row in labels}


def _amount(text: str) -> int:
    """Return an amount in micro-units; NoData for what no payment can be of."""
    try:
        amount = to_micro(Decimal(text))
    except (InvalidOperation, LossyAmount) as error:
        raise NoData(f"{text!r} is no amount.") from error
    if amount < 0:
        raise NoData(f"{text} is negative: which way a payment went its two accounts say.")
    return amount


def _at(text: str) -> int:
    """Return a moment; one that names no time zone is of UTC, wherever it is read."""
    at = datetime.fromisoformat(text)
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp())


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file; NoData names the file and line of what cannot be read."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if None in row or None in row.values():
                raise NoData(f"{path.name}: a line has other columns than the header.")
            yield row

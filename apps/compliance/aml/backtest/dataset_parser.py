"""Reads labelled payments: folders of the AMLSim kind, in either of its two layouts."""

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from apps.compliance.aml.rules.profile import DAY, Payment
from apps.platform.common.clock import parse_moment, to_epoch_seconds
from apps.platform.common.money import LossyAmount, to_micro

FIRST = 1_483_228_800  # steps are days from 2017-01-01 on


class DatasetError(ValueError):
    """The folder holds no payments of a known layout; the text says what was looked for."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Payments in the order of time, all accounts, and those that were labelled as bad."""

    name: str
    payments: list[Payment]
    accounts: frozenset[str]
    bad: frozenset[str]


def read_dataset(folder: Path) -> Dataset:
    """Return the payments and labels of a folder; DatasetError for one of another layout."""
    if (folder / "nodes.csv").is_file():
        payments, accounts, bad = _read_steps_layout(folder)
    elif paths := sorted(folder.glob("tx_*.csv*")):
        payments, accounts, bad = _read_dated_layout(folder, paths)
    else:
        raise DatasetError(f"{folder} has neither nodes.csv with transactions.csv nor tx_*.csv.")
    if not payments:
        raise DatasetError(f"{folder} contains no payments.")
    if not bad:
        raise DatasetError(f"{folder} labels no account as bad: there is nothing to rank.")
    payments.sort(key=lambda payment: payment.at)  # of one moment, as the file has them
    everybody = accounts | {w for payment in payments for w in (payment.sender, payment.receiver)}
    return Dataset(folder.name, payments, frozenset(everybody), frozenset(bad))


def _read_steps_layout(folder: Path) -> tuple[list[Payment], set[str], set[str]]:
    nodes = list(_read_rows(folder / "nodes.csv"))
    payments = [
        Payment(
            row["sourceNodeId"],
            row["targetNodeId"],
            _parse_amount(row["value"]),
            FIRST + int(row["time"]) * DAY,
        )
        for row in _read_rows(folder / "transactions.csv")
    ]
    # AMLSim labels whole accounts, not payments
    bad = {row["nodeid"] for row in nodes if row["isFraud"] == "1"}
    return payments, {row["nodeid"] for row in nodes}, bad


def _read_dated_layout(folder: Path, paths: list[Path]) -> tuple[list[Payment], set[str], set[str]]:
    payments = [
        Payment(
            row["orig_acct"],
            row["bene_acct"],
            _parse_amount(row["base_amt"]),
            _parse_timestamp(row["tran_timestamp"]),
        )
        for path in paths
        for row in _read_rows(path)
    ]
    labels = (
        row for path in sorted(folder.glob("sar_accounts_*.csv*")) for row in _read_rows(path)
    )
    # this layout lists no accounts: those of the payments are taken
    return payments, set(), {row["ACCOUNT_ID"] for row in labels}


def _parse_amount(text: str) -> int:
    """Return an amount in micro-units; DatasetError for what no payment can be of."""
    try:
        amount = to_micro(Decimal(text))
    except (InvalidOperation, LossyAmount) as error:
        raise DatasetError(f"{text!r} is not an amount.") from error
    if amount < 0:
        raise DatasetError(f"{text} is negative: the two accounts give the direction of a payment.")
    return amount


def _parse_timestamp(text: str) -> int:
    """Return a moment; one that names no time zone is of UTC, wherever it is read."""
    return to_epoch_seconds(parse_moment(text))


def _read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file; DatasetError names the file and line of what cannot be read."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if None in row or None in row.values():
                raise DatasetError(f"{path.name}: a line has different columns from the header.")
            yield row

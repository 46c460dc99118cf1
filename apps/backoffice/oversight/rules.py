"""Rules of oversight: how many closed cases get a second look, which ones, and by whom."""

import hmac
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal


def compute_quota(*, closed: int, percent: int) -> int:
    """Return how many of so many closed cases are sampled: the share, rounded up."""
    # rounded up, in whole numbers: a single closed case is sampled at any share above 0
    return -(-closed * percent // 100)


def pick_samples(
    *, cases: Mapping[str, Sequence[int]], percent: Mapping[str, int], key: bytes
) -> set[int]:
    """Return the sampled ids of a month's closed cases, given by risk."""
    # by a keyed hash, not at random: officers cannot foresee the choice, an auditor who has the key
    # can repeat it, and running it again picks the same
    chosen: set[int] = set()
    for risk, ids in cases.items():
        number = compute_quota(closed=len(ids), percent=percent.get(risk, 0))
        chosen.update(
            sorted(ids, key=lambda id_: (hmac.digest(key, str(id_).encode(), "sha256"), id_))[
                :number
            ]
        )
    return chosen


def compare_verdicts(
    *, own: tuple[str, str, str], decided: tuple[str, str, str]
) -> Literal["SAME", "REASON", "OUTCOME"]:
    """Compare a verdict with a decision; each is outcome, reason code and the reason's basis."""
    if own[0] != decided[0]:
        return "OUTCOME"
    # reasons on the same basis are of one family (under FATF R.6 both say that the listed party is
    # another): choosing the other one is no disagreement
    family = own[1] == decided[1] or (own[2] != "" and own[2] == decided[2])
    return "SAME" if family else "REASON"


def get_month_before(day: date) -> str:
    """Return the month before a day's, as `2026-10`."""
    year, month = (day.year - 1, 12) if day.month == 1 else (day.year, day.month - 1)
    return f"{year:04}-{month:02}"

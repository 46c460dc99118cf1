"""Holds what clients were answered against what stands: everything once, and nothing besides."""

import json
import time
from typing import Any

from tests.faults.hosts import Site
from tests.faults.load import Load, Receiver

# a lost run is sent for again a minute after its lease of one, by the tick of each minute
SETTLES_WITHIN = 240.0  # seconds for workers to finish what was taken, on a busy machine
BEGUN = ("SUBMITTED", "VERIFIED", "AWAITING_SETTLEMENT")
DONE = (["DELIVERED"], 1)


def books(site: Site) -> dict[str, Any]:
    """Return what stands; see tests/faults/stored_rows.py."""
    found: dict[str, Any] = json.loads(site.run("-m", "tests.faults.stored_rows").splitlines()[-1])
    return found


def insist(
    site: Site,
    load: Load,
    receiver: Receiver,
    *,
    failed: tuple[str, ...] = (),
    held: bool = False,
) -> None:
    """Insist that all that was answered stands, is billed and was handled once.

    `failed` names jobs that the fault may have made fail; `held` says that payments may wait for
    an officer: while a list is live whose index is not built yet, each screen is flagged.
    """
    assert not load.unfit, load.unfit[:5]
    assert not load.differing, load.differing
    found = _settled(site, load, receiver)
    _screens(load, found)
    _payments(load, receiver, found, held)
    assert found["claims"] == 0, found["claims"]
    assert not set(found["failed"]) - set(failed), found["failed"]
    site.manage("verify_ledger", "--seal")


def _settled(site: Site, load: Load, receiver: Receiver) -> dict[str, Any]:
    """Wait until the workers have finished what was taken."""
    ends = time.monotonic() + SETTLES_WITHIN
    while True:
        settled = books(site)
        open_ones = [
            (ref, row)
            for ref, rows in settled["payments"].items()
            for row in rows
            if row["state"] in BEGUN
            or (row["state"] == "SETTLED" and (row["delivered"], row["records"]) != DONE)
        ]
        if not open_ones or time.monotonic() > ends:
            assert not open_ones, open_ones[:3]
            return settled
        time.sleep(2)


def _screens(load: Load, found: dict[str, Any]) -> None:
    told = sorted([ref, said["screenId"]] for ref, said in load.screens().items())
    assert sorted(found["screens"]) == told
    assert found["cases"] == found["flagged"]
    assert found["sar"] == found["blocked"]
    assert found["flagged"] and found["blocked"], "the load flags and blocks"
    assert found["billed"] == len(told)


def _payments(load: Load, receiver: Receiver, found: dict[str, Any], held: bool) -> None:
    told = {ref: said["svcPaymentId"] for ref, said in load.payments().items()}
    stand = {ref: [row["id"] for row in rows] for ref, rows in found["payments"].items()}
    assert stand == {ref: [number] for ref, number in told.items()}
    came = receiver.events()
    for ref, (one,) in found["payments"].items():
        assert one["state"] in ("SETTLED", "HELD"), (ref, one)
        # one that is held waits for an officer, as the feed tells; no record, no callback yet
        once = int(one["state"] == "SETTLED")
        assert one["told"] == 1, (ref, one)
        assert (one["records"], len(came.get(ref, ()))) == (once, once), (ref, one)
        assert once or held, f"{ref} is held"

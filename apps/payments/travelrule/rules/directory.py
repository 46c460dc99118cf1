"""Valid entries of the directory of counterparties, and which serves a creditor. Pure.

Document 2 section 4 resolves the beneficiary's VASP by an endpoint in the instruction, a registry
by LEI, and a federated directory, all of them to come: this directory is the operator's own.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from apps.platform.common.lei import is_valid_lei

ENTRY_FIELDS = (
    "lei", "name", "endpoint", "dialect", "valid_from", "valid_until", "wallets", "leis",
)  # fmt: skip
MAX_SERVED = 500  # wallets, and as many LEIs, of one entry
SHORTEST_SECRET, LONGEST_SECRET = 32, 200  # characters
MAX_LIVE_KEYS = 2  # the newest and the one before it, while both sides rotate
# how far back a new entry applies: records of creditors that it serves are sent
RESEND_PERIOD = timedelta(days=30)


def is_entry_live(*, on: date, since: date, until: date | None) -> bool:
    """Tell whether an entry holds on a day; its first and its last day are days of it."""
    return since <= on and (until is None or on <= until)


def find_entry_faults(
    stated: Mapping[str, Any], *, dialects: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield field and sentence for each invalid value of an entry."""
    if not is_valid_lei(stated["lei"]):
        yield "lei", "This is not an LEI: 20 characters, check digits."
    if not stated["name"].strip():
        yield "name", "A VASP has a legal name."
    if stated["dialect"] not in dialects:
        yield "dialect", "This dialect is not known."
    until = stated["valid_until"]
    if until is not None and until < stated["valid_from"]:
        yield "valid_until", "The last day is before the first."
    for name in ("wallets", "leis"):
        if len(stated[name]) > MAX_SERVED:
            yield name, f"At most {MAX_SERVED} are kept for one entry."
    for lei in stated["leis"]:
        if not is_valid_lei(lei):
            yield "leis", f"{lei[:30]!r} is not an LEI: 20 characters, check digits."


def find_secret_fault(secret: str) -> str:
    """Return what is wrong with a shared secret, or an empty text."""
    if not secret.isascii() or not secret.isprintable() or " " in secret:
        return "A shared secret must be printable ASCII, without spaces."
    if not SHORTEST_SECRET <= len(secret) <= LONGEST_SECRET:
        return f"A shared secret has {SHORTEST_SECRET} to {LONGEST_SECRET} characters."
    return ""


def key_ids_after_change(keys: Sequence[str], *, new: str, drop_older: bool) -> list[str]:
    """Return the ids of the live secrets after a change, the newest first."""
    key_ids = [new, *keys] if new else list(keys)
    return key_ids[: 1 if drop_older else MAX_LIVE_KEYS]


@dataclass(frozen=True, slots=True)
class Creditor:
    """What a creditor's VASP is found by: its wallet in canonical form, and its LEI."""

    wallet: str = ""
    lei: str = ""


@dataclass(frozen=True, slots=True)
class ResolutionRule:
    """One way to find the VASP of a creditor; the first that finds one decides."""

    ref: str
    says: str
    column: str  # of the creditor
    within: str  # of the entry


RESOLUTION_RULES = (
    ResolutionRule("TR-D1", "The VASP serves the creditor’s wallet.", "wallet", "wallets"),
    ResolutionRule("TR-D2", "The creditor’s LEI belongs to a customer of the VASP.", "lei", "leis"),
    ResolutionRule("TR-D3", "The creditor is the VASP itself, by its LEI.", "lei", "lei"),
)


def is_served_by(creditor: Creditor, row: ResolutionRule, entry: Mapping[str, Any]) -> bool:
    """Tell whether a row finds an entry for a creditor."""
    creditor_value, entry_values = getattr(creditor, row.column), entry[row.within]
    # a creditor without an LEI must not match an entry without one
    if not creditor_value:
        return False
    return (
        bool(creditor_value == entry_values)
        if isinstance(entry_values, str)
        else creditor_value in entry_values
    )

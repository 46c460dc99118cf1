"""Envelopes: protocols carry the message as one member of a body of their own (TRP, GTR, TRISA)."""

from typing import Any, Protocol

from apps.payments.travelrule.ivms import model
from apps.payments.travelrule.ivms.pointers import Path

MAX_DEPTH = 3  # a body, its payload, the message in it
SIDES = frozenset({"originator", "beneficiary"})


class ChangeRecorder(Protocol):
    """The reader, as far as it records changes of a message."""

    def tell(self, rule: str, sent: Path, canonical: Path | None, what: str = "") -> None:
        """Note a change."""


def open_envelope(teller: ChangeRecorder, message: object) -> tuple[Any, Path]:
    """Return the message in a body and its position; the body itself if it is a message.

    A member is the message where it has both sides as objects, and no other member has.
    """
    sent: Path = ()
    way = _find_message_path(message, MAX_DEPTH)
    for key in way or ():
        assert isinstance(message, dict)
        for other in message:
            if other != key:
                teller.tell("S7b", (*sent, other), None)
        message, sent = message[key], (*sent, key)
    if sent:
        teller.tell("S1b", sent, ())
    return message, sent


def _find_message_path(body: object, deepest: int) -> tuple[str, ...] | None:
    """Return the keys that lead to the one message of a body; None for none, or for several."""
    # of several messages in one body, taking the first would be a guess
    if not isinstance(body, dict):
        return None
    if SIDES & _find_sides(body, object):
        return () if _find_sides(body, dict | list) >= SIDES else None
    if deepest == 0:
        return None
    ways = [
        (key, *way)
        for key in body
        if (way := _find_message_path(body[key], deepest - 1)) is not None
    ]
    return ways[0] if len(ways) == 1 else None


def _find_sides(body: dict[str, Any], kind: Any) -> set[str]:
    known = {key: known_key[0] for key in body if (known_key := model.MESSAGE.lookup(key))}
    return {name for key, name in known.items() if isinstance(body[key], kind)}

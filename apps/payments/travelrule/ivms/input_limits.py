"""Limits against hostile input: messages that are not processed at all."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn


class MessageRefused(ValueError):
    """The message is not processed: it is not JSON, or exceeds a bound. The text says which."""


@dataclass(frozen=True)
class MessageLimits:
    """Limits of one message; the defaults are far above every real one.

    `size` counts bytes, `texts` characters of all texts and keys together, `nodes` values of any
    kind, `entries` those of the longest list, `findings` how many are reported.
    """

    size: int = 1_000_000
    depth: int = 32
    nodes: int = 20_000
    texts: int = 500_000
    key: int = 128
    entries: int = 200
    findings: int = 1_000


DEFAULT_LIMITS = MessageLimits()


def parse_message(raw: bytes, limits: MessageLimits = DEFAULT_LIMITS) -> Any:
    """Return the JSON of a body; MessageRefused when it is none, ambiguous or beyond a bound.

    Ambiguous: a key twice in one object, numbers that JSON does not have (NaN, Infinity), or half
    of a surrogate pair, which is not a character.
    """
    if len(raw) > limits.size:
        raise MessageRefused(f"The body has more than {limits.size} bytes.")
    try:
        document = json.loads(
            raw, object_pairs_hook=_build_unique_object, parse_constant=_refuse_constant
        )
    except MessageRefused:
        raise
    # json.loads recurses, before `check_limits` can count levels
    except RecursionError:
        raise MessageRefused(f"The body is nested deeper than {limits.depth} levels.") from None
    except (ValueError, UnicodeDecodeError):
        raise MessageRefused("The body is not JSON.") from None
    check_limits(document, limits)
    return document


def check_limits(message: object, limits: MessageLimits = DEFAULT_LIMITS) -> None:
    """Refuse a message that exceeds a limit."""
    # linear, and with a list instead of recursion: the message decides how deep it is
    waiting: list[tuple[object, int]] = [(message, 1)]
    nodes = texts = 0
    while waiting:
        value, depth = waiting.pop()
        nodes += 1
        if depth > limits.depth:
            raise MessageRefused(f"The message is nested deeper than {limits.depth} levels.")
        if nodes + len(waiting) > limits.nodes:
            raise MessageRefused(f"The message has more than {limits.nodes} values.")
        if isinstance(value, str):
            _check_surrogates(value)
        for inner in _iterate_children(value, limits):
            texts += len(inner) if isinstance(inner, str) else 0
            waiting.append((inner, depth + 1))
            # inside the loop: one object alone may have millions of values
            if nodes + len(waiting) > limits.nodes:
                raise MessageRefused(f"The message has more than {limits.nodes} values.")
        if isinstance(value, dict):
            texts += sum(len(key) for key in value)
        texts += len(value) if isinstance(value, str) and depth == 1 else 0
        if texts > limits.texts:
            raise MessageRefused(f"The message has more than {limits.texts} characters.")


def _check_surrogates(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise MessageRefused("A text contains half of a surrogate pair.") from None


def _iterate_children(value: object, limits: MessageLimits) -> Iterator[object]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise MessageRefused("A key is not text.")
            _check_surrogates(key)
            if len(key) > limits.key:
                raise MessageRefused(f"A key has more than {limits.key} characters.")
            yield inner
    elif isinstance(value, list):
        if len(value) > limits.entries:
            raise MessageRefused(f"A list has more than {limits.entries} entries.")
        yield from value


def _build_unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique_object = dict(pairs)
    # readers differ in which of two values counts (RFC 8259 section 4)
    if len(unique_object) != len(pairs):
        raise MessageRefused("An object contains the same key twice.")
    return unique_object


def _refuse_constant(name: str) -> NoReturn:
    raise MessageRefused(f"{name} is not a JSON number.")

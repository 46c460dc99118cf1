"""Reads chains for orders."""

from datetime import datetime


def watch(key: str, now: datetime) -> None:
    """Look at one chain; the handler of `chain.watch`, whose key is its CAIP-2 name."""


def sweep(key: str, now: datetime) -> None:
    """Plan a look at each chain on which something is expected."""

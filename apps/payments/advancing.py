"""Carries payments on: one job takes a payment as far as it goes, each turn committed by itself."""

from datetime import datetime


def advance(key: str, now: datetime) -> None:
    """Carry one payment on; the handler of `payments.advance`, whose key is its number."""


def sweep(key: str, now: datetime) -> None:
    """Plan work for payments that should have gone on and that nothing carries."""

"""Regimes: the current one, predictions of the next, and their outcomes."""

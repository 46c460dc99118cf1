"""Pages of the stability service: those of the oracle."""

from apps.stability.oracle import admin

__all__ = ["admin"]

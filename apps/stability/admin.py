"""Pages of the stability service: quotes, and those of the oracle."""

from apps.stability.fees import admin as quotes
from apps.stability.oracle import admin as oracle

__all__ = ["oracle", "quotes"]

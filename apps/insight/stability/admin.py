"""Pages of the stability service: quotes, and those of the oracle."""

from apps.insight.stability.fees import admin as quotes
from apps.insight.stability.oracle import admin as oracle

__all__ = ["oracle", "quotes"]

"""Pages of the stability service: quotes, and those of the oracle."""

from apps.insight.stability.fees import admin as fees_admin
from apps.insight.stability.oracle import admin as oracle_admin

__all__ = ["fees_admin", "oracle_admin"]

"""What runs by itself."""

import logging
from datetime import datetime

from apps.review import actions

logger = logging.getLogger(__name__)


def escalate_overdue(key: str, now: datetime) -> None:
    """Bring cases that are past due before the seniors (config/jobs.py)."""
    if done := actions.escalate_overdue(now=now):
        logger.info("%s cases are past due and were escalated", done)

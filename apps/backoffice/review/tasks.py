"""Background work of review."""

import logging
from datetime import datetime

from apps.backoffice.review import services
from apps.backoffice.review.services.known_false_positive_expiry import (
    end_outdated_known_false_positives,
)

logger = logging.getLogger(__name__)


def escalate_overdue(key: str, now: datetime) -> None:
    """Bring cases that are past due before the seniors."""
    if done := services.escalate_overdue_cases(now=now):
        logger.info("%s cases are past due and were escalated", done)


def wake_known(key: str, now: datetime) -> None:
    """End known false positives whose listed entry is another by now, or whose time is up."""
    ended = end_outdated_known_false_positives(now=now)
    if ended.woken or ended.expired:
        logger.info("known false positives: %s woken, %s expired", ended.woken, ended.expired)

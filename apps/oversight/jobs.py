"""What runs in the background: the sample of the month that is over."""

from datetime import datetime

from apps.oversight import actions, rules


def sample(key: str, now: datetime) -> None:
    """Sample the month before this one; every further run of a month adds nothing."""
    actions.sample_month(month=rules.month_before(now.date()), now=now)

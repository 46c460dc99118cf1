"""Background work: sample the closed cases of the month that is over."""

from datetime import datetime

from apps.backoffice.oversight import rules
from apps.backoffice.oversight.services import samples


def sample_previous_month(key: str, now: datetime) -> None:
    """Sample the month before this one; every further run of a month adds nothing."""
    samples.sample_month(month=rules.get_month_before(now.date()), now=now)

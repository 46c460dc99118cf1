"""When an examiner's account opens anything, and how long an engagement may last. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

MAX_DURATION = timedelta(days=366)  # an examination that lasts longer is proposed anew
EN_1 = "You have no approved engagement: your account has no access."
EN_2 = "Your engagement begins on {at}: until then your account has no access."
EN_3 = "Your engagement ended on {at}: your account no longer has access."
EN_4 = "Your engagement was ended early on {at}: your account no longer has access."


@dataclass(frozen=True, slots=True)
class EngagementSpan:
    """An approved engagement: it lasts from `starts_at` to before `ends_at`, or until it ended."""

    starts_at: datetime
    ends_at: datetime
    ended_at: datetime | None = None

    def lasts(self, now: datetime) -> bool:
        """Tell whether it is in force at a moment."""
        return self.ended_at is None and self.starts_at <= now < self.ends_at


def find_refusal(spans: list[EngagementSpan], now: datetime) -> str:
    """Return in words why an account has no access; "" if one of its engagements is in force."""
    if any(span.lasts(now) for span in spans):
        return ""
    ahead = [span.starts_at for span in spans if span.ended_at is None and span.starts_at > now]
    if ahead:
        return EN_2.format(at=format_moment_to_second(min(ahead)))
    if not spans:
        return EN_1
    last = max(spans, key=lambda span: span.ended_at or span.ends_at)
    if last.ended_at:
        return EN_4.format(at=format_moment_to_second(last.ended_at))
    return EN_3.format(at=format_moment_to_second(last.ends_at))


def find_engagement_fault(span: EngagementSpan, now: datetime) -> str:
    """Return in a sentence why an engagement cannot be proposed, or an empty text."""
    if span.ends_at <= span.starts_at:
        return "It must end after it begins."
    if span.ends_at <= now:
        return "It must end in the future."
    if span.ends_at - span.starts_at > MAX_DURATION:
        return "It may last at most one year: propose another one after that."
    return ""


def format_moment_to_second(moment: datetime) -> str:
    """Return a moment to the second, in UTC."""
    return f"{moment:%d %b %Y %H:%M:%S} UTC"

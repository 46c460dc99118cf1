"""Changes of a source that take two people, and their permitted values (DESIGN.md section 4).

A list that one form could switch off, or exempt from age and size limits, gives no protection.
"""

from django.conf import settings

from apps.platform.upstreams import addresses
from apps.reference.watchlists.models import Source, SourceChange, SourceKind, SourceTopic

Field = SourceChange.Field
Value = list[str] | bool | int | None

# fields of the source; the others are agreed at a shell, with the files
PROPOSABLE = tuple(
    choice for choice in Field.choices if choice[0] not in (Field.SHRINK, Field.PUBLISHED)
)
MOST_ADDRESSES = 20
LONGEST_ADDRESS = 1000
# In production: a limit that is longer, or a floor that is lower, is as good as none
OLDEST_SANCTIONS, OLDEST = 31 * 24, 366 * 24  # hours
LEAST_PERCENT = 50


class ValueRefused(addresses.AddressRefused):
    """The value is not permitted, or one of its addresses; has the reason."""


def check_value(source: Source, field: str, value: Value) -> None:
    """Raise ValueRefused for a value that is not permitted; production is stricter."""
    if field == Field.URLS and isinstance(value, list):
        check_addresses(value)
    elif field == Field.MAX_AGE:
        _check_age(source, value)
    elif field == Field.FLOOR:
        least = least_percent()
        if not isinstance(value, int) or not least <= value <= 100:
            raise ValueRefused(f"The floor is from {least} to 100 percent.")
    elif not isinstance(value, bool):
        raise ValueRefused("Enter yes or no.")


def _check_age(source: Source, value: Value) -> None:
    least, most = age_bounds(kind=source.kind, topic=source.topic)
    # without a limit of its own an official list of sanctions still has LISTS_MAX_AGE_HOURS
    if value is None and most in (None, OLDEST_SANCTIONS):
        return
    if most is not None and (not isinstance(value, int) or not least <= value <= most):
        raise ValueRefused(f"In production the age limit is from {least} to {most} hours.")


def age_bounds(*, kind: str, topic: str) -> tuple[int, int | None]:
    """Return the least and the most hours of an age limit; no most in a sandbox."""
    return (1, longest_age_limit(kind=kind, topic=topic)) if settings.PRODUCTION else (0, None)


def least_percent() -> int:
    """Return the lowest floor, in percent of the live version."""
    return LEAST_PERCENT if settings.PRODUCTION else 0


def longest_age_limit(*, kind: str, topic: str) -> int:
    """Return the longest age limit, in hours, that production lets a list have."""
    official = kind == SourceKind.OFFICIAL and topic in (SourceTopic.SANCTION, SourceTopic.MIXED)
    return OLDEST_SANCTIONS if official else OLDEST


def check_addresses(urls: list[str]) -> None:
    """Raise ValueRefused, naming the address, for one that would never be called."""
    if not 1 <= len(urls) <= MOST_ADDRESSES or len(set(urls)) != len(urls):
        raise ValueRefused(f"Give one to {MOST_ADDRESSES} different addresses.")
    for number, url in enumerate(urls, start=1):
        if len(url) > LONGEST_ADDRESS:
            raise ValueRefused(f"Address {number} is too long.")
        try:
            # what is checked here is checked again at each download: a name may resolve otherwise
            # then
            addresses.check_url(url, ranges=settings.UPSTREAM_PRIVATE_RANGES)
        except addresses.AddressRefused as error:
            raise ValueRefused(f"Address {number}: {error}.") from None


def format_value(value: object) -> list[str]:
    """Return a stored value of any field as lines for people."""
    if isinstance(value, list):
        return [str(item) for item in value]
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    return ["the general limit" if value in (None, "") else str(value)]

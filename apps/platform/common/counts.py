"""Format numbers of things in words. Pure."""


def format_count(number: int, singular: str, many: str = "") -> str:
    """Format a number of things: `1 case`, `2,000 cases`; `many` is an irregular plural."""
    return f"{number:,} {singular if number == 1 else many or singular + 's'}"

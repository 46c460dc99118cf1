"""One-time codes (RFC 6238): which time steps count, and codes as people type them. Pure."""

import re

STEP_SECONDS = 30
EITHER_SIDE = 1  # RFC 6238 section 5.2: at most one step for clocks that differ
DIGITS = 6


def list_time_steps(moment: int) -> tuple[int, ...]:
    """Return the time steps whose codes count at a moment, the oldest first."""
    current = moment // STEP_SECONDS
    return tuple(range(current - EITHER_SIDE, current + EITHER_SIDE + 1))


def is_step_unused(step: int, last: int | None) -> bool:
    """Tell whether a step's code is unused: none counts twice, and none after a later one."""
    return last is None or step > last


def normalize_code(text: str) -> str:
    """Return a code without spaces and hyphens, in capitals."""
    return re.sub(r"[\s-]", "", text).upper()

"""Hooks for second looks at decided cases: the app that takes them registers itself here.

`review` must not import it: it lies above `review` in the order of apps.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from apps.platform.common.registry import Registry

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from apps.backoffice.review.models import Case

# Cases whose decision a reader must not see, because they may still judge them blind: functions
# `(user, numbers of decided cases) -> those`
BLIND_CASES: Registry[Callable[["User", Sequence[int]], set[int]]] = Registry(
    "finder of blind cases"
)

# Results of second looks at a decided case that a reader may see: functions `(user, case) -> what
# templates/review/looked.html draws | None`
SECOND_LOOKS: Registry[Callable[["User", "Case"], Any]] = Registry("second look")


def find_unjudged_cases(user: "User", numbers: Sequence[int]) -> set[int]:
    """Return those of some decided cases that a reader may yet judge."""
    return set().union(*(find(user, numbers) for find in BLIND_CASES.values()))


def load_second_look(user: "User", case: "Case") -> Any:
    """Return what was made of the decision on a case, or None."""
    looks = (load(user, case) for load in SECOND_LOOKS.values())
    return next((look for look in looks if look is not None), None)

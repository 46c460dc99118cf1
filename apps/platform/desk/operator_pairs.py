"""Two operators who authorise a change at a shell: one proposes, another decides."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model

from apps.platform.common.problems import DomainError

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class OperatorPair:
    """Two operators who authorise a change at a shell."""

    by: "User"
    confirmed_by: "User"


def find_operator_pair(
    *, by: str, confirmed_by: str, change: str, thing: str, refused: type[DomainError]
) -> OperatorPair:
    """Return two active staff accounts: one may propose a change, the other may decide it.

    `change` is its model (`access.keyrequest`), `thing` is its name in sentences. Raises `refused`,
    saying which name is missing or lacks permission.
    """
    if by == confirmed_by:
        raise refused("Another operator than the first must confirm.")
    people = [
        _find_operator(name, step, change, thing, refused)
        for name, step in ((by, "propose"), (confirmed_by, "decide"))
    ]
    return OperatorPair(*people)


def _find_operator(
    name: str, step: str, change: str, thing: str, refused: type[DomainError]
) -> "User":
    # at a shell nobody signs in: the names must at least be those of people with the permission
    user = get_user_model().objects.filter(username=name, is_active=True, is_staff=True).first()
    if user is None:
        raise refused(f"{name!r} is not an active staff account.")
    app, _, model = change.partition(".")
    if not user.has_perm(f"{app}.{step}_{model}"):
        raise refused(f"{name!r} may not {step} {thing}.")
    return user

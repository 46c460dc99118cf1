"""Permission by the kind of a key."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.access.keys.authentication import KeyGrant, WrongKind, is_key_accepted
from apps.access.keys.models import KeyKind


class HasKeyKind(BasePermission):
    """Admit a key if the operation accepts its kind, in the header of that kind.

    A key is marked as used once it is admitted: within its rate and of an accepted kind.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        grant = request.auth
        if not isinstance(grant, KeyGrant):
            return True
        if not is_key_accepted(view.operation, grant):
            kinds = " or ".join(KeyKind(kind).name.lower() for kind in view.operation.access.known)
            raise WrongKind(
                f"This endpoint requires a key of the kind {kinds}; this key is of the kind "
                f"{grant.key.kind.lower()}."
            )
        # not in `admit`: a key that is refused here or by its rate was not used
        grant.key.mark_used(view.now)
        return True

"""Permission by the kind of a key."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.access.keys.authentication import KeyGrant, WrongKind, is_key_accepted


class HasKeyKind(BasePermission):
    """Lets a key in where the operation takes its kind, in the header of that kind."""

    def has_permission(self, request: Request, view: Any) -> bool:
        grant = request.auth
        if isinstance(grant, KeyGrant) and not is_key_accepted(view.operation, grant):
            raise WrongKind("This key is not for this endpoint.")
        return True

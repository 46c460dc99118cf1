"""Permission to call an operation, checked once the caller is known."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.platform.common.problems import PAYMENT_REQUIRED, DomainError


class HasGrant(BasePermission):
    """Refuse callers without credentials: the viewset answers 401 at once if it needs a key.

    A payment (402) is requested only once the request, and with it the price, is known to be valid.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        # a plain view that is not one of our viewsets
        if request.auth is None and hasattr(view, "operation"):
            refusal: DomainError = view.challenge()
            if refusal.status != PAYMENT_REQUIRED:
                raise refusal
        return True

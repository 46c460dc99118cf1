"""Who may call an operation, once it is known who calls."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.platform.common.problems import PAYMENT_REQUIRED, DomainError


class HasGrant(BasePermission):
    """Refuses whoever showed no credentials: the viewset asks for a key at once (401).

    A payment (402) is asked for once the request is known to be valid, and with it the price.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.auth is None and hasattr(view, "operation"):  # no plain view of somebody's
            refusal: DomainError = view.challenge()
            if refusal.status != PAYMENT_REQUIRED:
                raise refusal
        return True

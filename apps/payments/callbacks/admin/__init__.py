"""The desk's pages of callbacks, and the actions of staff on them."""

from apps.payments.callbacks.admin.deliveries import DeliveryAdmin
from apps.payments.callbacks.admin.endpoints import EndpointAdmin
from apps.payments.callbacks.admin.secrets import SecretAdmin

__all__ = ["DeliveryAdmin", "EndpointAdmin", "SecretAdmin"]

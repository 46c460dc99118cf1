"""What the desk shows of callbacks, and what staff do about them."""

from apps.payments.callbacks.admin.deliveries import DeliveryAdmin
from apps.payments.callbacks.admin.endpoints import EndpointAdmin
from apps.payments.callbacks.admin.secrets import SecretAdmin

__all__ = ["DeliveryAdmin", "EndpointAdmin", "SecretAdmin"]

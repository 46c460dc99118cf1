"""What the desk shows of callbacks, and what staff do about them."""

from apps.callbacks.admin.deliveries import DeliveryAdmin
from apps.callbacks.admin.endpoints import EndpointAdmin
from apps.callbacks.admin.secrets import SecretAdmin

__all__ = ["DeliveryAdmin", "EndpointAdmin", "SecretAdmin"]

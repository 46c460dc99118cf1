"""The compliance service (document 1)."""

from django.urls import path

from apps.core.pages import public_keys, service_urls
from apps.core.problems import handler400, handler403, handler404, handler500
from apps.discovery.pages import discovery_urls
from apps.paywall.discovery import of_service

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

X402 = [".well-known/x402", ".well-known/x402.json"]

urlpatterns = [
    *(path(address, of_service, {"service": "compliance"}) for address in X402),
    path(".well-known/jwks.json", public_keys, name="jwks"),
    *discovery_urls("compliance"),
    *service_urls("compliance"),
]

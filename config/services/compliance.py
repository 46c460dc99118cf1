"""The compliance service (document 1)."""

from django.urls import path

from apps.core.pages import public_keys, service_urls
from apps.core.problems import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [
    path(".well-known/jwks.json", public_keys, name="jwks"),
    *service_urls("compliance"),
]

"""Pages of clients: accounts, keys, and requests for keys."""

from apps.access.keys.admin import accounts, keys, requests

__all__ = ["accounts", "keys", "requests"]  # importing them registers their pages

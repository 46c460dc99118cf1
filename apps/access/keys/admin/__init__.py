"""Pages of clients: accounts, keys, and requests for keys."""

from apps.access.keys.admin import accounts, key_requests, keys

__all__ = ["accounts", "key_requests", "keys"]  # importing them registers their pages

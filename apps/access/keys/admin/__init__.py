"""Pages of clients: accounts, keys, and keys that somebody asked for."""

from apps.access.keys.admin import accounts, keys, requests

__all__ = ["accounts", "keys", "requests"]  # importing them registers their pages

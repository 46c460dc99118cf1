"""Desk pages of registrations and payee checks, put together."""

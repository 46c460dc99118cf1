"""Append-only records that prove something, their purge, and legal holds."""

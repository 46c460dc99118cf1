"""Outbound webhooks: events for their owners, signed, retried, and kept in a feed."""

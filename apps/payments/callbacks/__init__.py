"""Outbound webhooks: what happened, told to whom it concerns, signed, retried, and kept to read."""

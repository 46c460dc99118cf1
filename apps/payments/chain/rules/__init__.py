"""Rules of orders: their transitions, matching of transfers, and required depth. Pure."""

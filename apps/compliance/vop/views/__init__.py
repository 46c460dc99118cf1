"""Pages of payee checks, put together."""

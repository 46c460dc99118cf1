"""Pages of the registry, put together."""

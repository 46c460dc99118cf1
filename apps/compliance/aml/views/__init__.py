"""Pages of the AML engine, put together."""

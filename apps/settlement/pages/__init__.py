"""Pages of settlements."""

"""Words: general knowledge of those that names are made of."""

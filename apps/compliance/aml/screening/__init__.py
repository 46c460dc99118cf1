"""One AML screen, from the request to its record."""

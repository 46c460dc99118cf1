"""Time-stamps of signed roots by an authority that is not the operator (RFC 3161)."""

"""The chain over records: sealing, signed heads, and verification of rows against them."""

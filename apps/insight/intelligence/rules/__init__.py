"""Tables of pure functions: bands and words of the intelligence service."""

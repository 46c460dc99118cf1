"""URLconfs: one for each service, which also serves it at the root of a host of its own."""

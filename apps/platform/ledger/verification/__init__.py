"""The chain over records: sealing, heads that are signed, and checks of rows against them."""

"""Fees and quotes: what a settlement costs, and for how long that binds."""

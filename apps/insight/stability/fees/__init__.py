"""Fees and quotes: the price of a settlement, and how long it binds."""

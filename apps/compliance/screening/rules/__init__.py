"""The rules of screening, as tables of pure functions."""

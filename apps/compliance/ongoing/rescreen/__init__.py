"""A change of a list, held against the parties that came up before it."""

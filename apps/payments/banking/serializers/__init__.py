"""Shapes of the banking connector (document 2 section 2.5)."""

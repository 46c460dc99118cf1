"""Shapes of the intelligence service (document 3 sections 2.5 to 2.7)."""

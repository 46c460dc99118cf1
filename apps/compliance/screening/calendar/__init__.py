"""The regulatory calendar (document 1 section 2.9)."""

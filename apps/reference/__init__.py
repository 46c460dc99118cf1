"""What is imported, versioned and read by the rest.

Sanctions lists, lists of countries, legal entities, series of figures, and how names are written.
"""

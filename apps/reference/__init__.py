"""Reference data: imported, versioned, and read by the other apps.

Sanctions lists, lists of countries, legal entities, series of figures, and how names are written.
"""

"""Screens as people read them: the list with its filters, and one screen whole."""

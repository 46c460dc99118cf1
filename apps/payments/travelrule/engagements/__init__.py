"""Engagements: the examiner, the period, and the visible records."""

"""Engagements: who examines, from when until when, and which records that shows."""

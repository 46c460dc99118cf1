"""Registrations and payee checks in the search of the desk."""

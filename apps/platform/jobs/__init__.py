"""Background jobs: a row first, then a task of django-q2."""

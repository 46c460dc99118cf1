"""The desk's own pages: what the platform keeps, for operators, seniors and examiners."""

from apps.platform.desk.admin import holds, jobs, ledgers, schedules

__all__ = ["holds", "jobs", "ledgers", "schedules"]  # importing them registers their pages

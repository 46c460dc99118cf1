"""The desk's own pages: what the kernel keeps, for operators, seniors and examiners."""

from apps.desk.admin import holds, jobs, ledgers

__all__ = ["holds", "jobs", "ledgers"]  # importing them registers their pages

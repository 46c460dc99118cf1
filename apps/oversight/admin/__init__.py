"""Pages of oversight: reads, exports, quality samples, and for operators the health."""

from apps.oversight.admin import records, samples
from apps.oversight.admin.samples import tiles

__all__ = ["records", "samples", "tiles"]  # importing them registers their pages

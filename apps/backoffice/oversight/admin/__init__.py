"""Pages of oversight: reads, exports, quality samples, and for operators the health."""

from apps.backoffice.oversight.admin import records, samples
from apps.backoffice.oversight.admin.samples import build_sample_tiles

__all__ = ["build_sample_tiles", "records", "samples"]  # importing them registers their pages

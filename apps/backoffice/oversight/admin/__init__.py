"""Pages of oversight: reads, exports, quality samples, and the health page of operators."""

from apps.backoffice.oversight.admin import health, reads_and_exports, samples
from apps.backoffice.oversight.admin.samples import build_sample_tiles

# importing them registers their pages
__all__ = ["build_sample_tiles", "health", "reads_and_exports", "samples"]

"""Evidence, scores and SFDR reports at the desk."""

from apps.insight.esg.admin import evidence, sfdr_reports

__all__ = ["evidence", "sfdr_reports"]

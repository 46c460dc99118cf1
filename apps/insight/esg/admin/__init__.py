"""Evidence, scores and SFDR reports at the desk."""

from apps.insight.esg.admin import evidence, scores, sfdr_reports

__all__ = ["evidence", "scores", "sfdr_reports"]

"""Evidence and scores of entities, runs of the live score, and SFDR reports."""

from apps.insight.esg.models.evidence import COVERAGES, Evidence
from apps.insight.esg.models.lookups import EsgLookup
from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.esg.models.scores import EsgScore
from apps.insight.esg.models.sfdr_reports import PaiReport

__all__ = ["COVERAGES", "EsgLookup", "EsgRun", "EsgScore", "Evidence", "PaiReport"]

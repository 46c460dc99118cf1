"""Evidence and scores of entities, runs of the live score, and SFDR reports."""

from apps.insight.esg.models.evidence import COVERAGES, EsgLookup, EsgScore, Evidence
from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.esg.models.sfdr_reports import PaiReport

__all__ = ["COVERAGES", "EsgLookup", "EsgRun", "EsgScore", "Evidence", "PaiReport"]

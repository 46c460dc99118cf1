"""IVMS 101 for Python: messages read in any dialect, judged, built and written. Pure.

Standard library alone, and nothing of the platform around it. See README.md beside this file.
"""

from apps.travelrule.ivms.build import Built, Company, Individual, NotBuildable, build
from apps.travelrule.ivms.dialects import DIALECTS, Change, Reading, Written, read, write
from apps.travelrule.ivms.limits import Limits, Refused, parse
from apps.travelrule.ivms.rules import RULES, Finding, Rule, Transfer, errors, judge, validate

__all__ = [
    "DIALECTS",
    "RULES",
    "Built",
    "Change",
    "Company",
    "Finding",
    "Individual",
    "Limits",
    "NotBuildable",
    "Reading",
    "Refused",
    "Rule",
    "Transfer",
    "Written",
    "build",
    "errors",
    "judge",
    "parse",
    "read",
    "validate",
    "write",
]

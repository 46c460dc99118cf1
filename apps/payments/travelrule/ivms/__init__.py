"""IVMS 101 for Python: messages read in any dialect, judged, built and written. Pure.

Standard library alone, and nothing of the platform around it. See README.md beside this file.
"""

from apps.payments.travelrule.ivms.build import (
    BuiltMessage,
    Company,
    Individual,
    NotBuildable,
    build_message,
)
from apps.payments.travelrule.ivms.dialects import (
    DIALECTS,
    Change,
    Reading,
    WrittenMessage,
    read_message,
    write_message,
)
from apps.payments.travelrule.ivms.input_limits import MessageLimits, MessageRefused, parse_message
from apps.payments.travelrule.ivms.rules import (
    RULES,
    Finding,
    Rule,
    Transfer,
    judge_reading,
    select_errors,
    validate_message,
)

__all__ = [
    "DIALECTS",
    "RULES",
    "BuiltMessage",
    "Change",
    "Company",
    "Finding",
    "Individual",
    "MessageLimits",
    "MessageRefused",
    "NotBuildable",
    "Reading",
    "Rule",
    "Transfer",
    "WrittenMessage",
    "build_message",
    "judge_reading",
    "parse_message",
    "read_message",
    "select_errors",
    "validate_message",
    "write_message",
]

"""IVMS 101 for Python: read messages in any dialect, validate, build and write them. Pure.

It needs only the standard library, and nothing of the platform. See README.md in this folder.
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

"""Rules of what else a name field says: other names of the payee, other parties, holders."""

from apps.reference.names.payee.rules.charge import format_reference
from apps.reference.names.payee.values import BEST_CLOSE, CLOSE_FROM, WORST, AppliedRule

MOST_OF_STRANGER = 74
"""What a name may score at most where another comes first, or gets what is paid."""
BESIDE = AppliedRule(
    "P.50", "Another name of the payee is told besides", format_reference("trading names"), 3, WORST
)
INTRODUCED = AppliedRule(
    "P.51",
    "Only a name that is told besides agrees",
    format_reference("trading names"),
    15,
    MOST_OF_STRANGER,
)
FORMER = AppliedRule(
    "P.52", "A former name agrees", format_reference("former names"), 20, MOST_OF_STRANGER
)
OF_ANOTHER = AppliedRule(
    "P.53",
    "It is the name in whose care, or on whose behalf, it is",
    format_reference("another party"),
    0,
    30,
)
JOINT = AppliedRule(
    "P.54", "Another holder is named besides", format_reference("joint holders"), 12, BEST_CLOSE
)
PAID = AppliedRule(
    "P.55", "What is paid is told besides", format_reference("what is paid"), 12, BEST_CLOSE
)
UNPARTED = AppliedRule(
    "P.56", "The blanks between words are missing", format_reference("spaces"), 6, WORST
)
FOR_ANOTHER = AppliedRule(
    "P.57", "It is paid on to another, who is named", format_reference("another party"), 0, 60
)
RENAMED = AppliedRule(
    "P.58", "It has another name now, which is told", format_reference("former names"), 30, 70
)
UNREAD = AppliedRule(
    "P.59",
    "The scripts cannot be read together: nothing is compared",
    format_reference("scripts"),
    0,
    CLOSE_FROM,
)
IN_CARE = AppliedRule(
    "P.60",
    "It is in the care of another company, which is named",
    format_reference("another party"),
    12,
    BEST_CLOSE,
)
AT_WORK = AppliedRule(
    "P.61",
    "A person is in the care of a company, which is named",
    format_reference("another party"),
    5,
    WORST,
)
REGISTERED = AppliedRule(
    "P.62", "A number of a register is told besides", format_reference("registers"), 3, WORST
)
WINDING_UP = AppliedRule(
    "P.63", "It is said to be wound up", format_reference("registers"), 8, WORST
)
TRUSTEES = AppliedRule(
    "P.64", "The trustees are named for their trust", format_reference("trusts"), 12, BEST_CLOSE
)
DOMAIN = AppliedRule(
    "P.65", "It is an internet name", format_reference("internet names"), 15, BEST_CLOSE
)
AT_HOME = AppliedRule(
    "P.66",
    "The payee's own country is named behind its legal form",
    format_reference("branches"),
    11,
    BEST_CLOSE,
)
OVER_BUDGET = AppliedRule(
    "P.67", "It takes too long to compare: nothing is said of it", format_reference("limits"), 0,
    CLOSE_FROM,
)  # fmt: skip
ABBREVIATED_IN_REGISTERS = AppliedRule(
    "P.68",
    "A word is abbreviated as registers also write it",
    format_reference("abbreviations"),
    4,
    WORST,
)
ABBREVIATED = AppliedRule(
    "P.72",
    "A word is abbreviated as its country does",
    format_reference("abbreviations"),
    11,
    BEST_CLOSE,
)
INITIALS = AppliedRule(
    "P.69",
    "A body is called by its usual initials",
    format_reference("abbreviations"),
    12,
    BEST_CLOSE,
)
DEPARTMENT = AppliedRule(
    "P.70", "A department of it is named besides", format_reference("branches"), 12, BEST_CLOSE
)
OFFICE = AppliedRule(
    "P.71",
    "It is the office of a professional, who is named",
    format_reference("person and company"),
    5,
    BEST_CLOSE,
)
AMBIGUOUS = AppliedRule(
    "P.73",
    "An abbreviation may stand for another word as well",
    format_reference("abbreviations"),
    30,
    70,
)
RULES = (
    BESIDE,
    INTRODUCED,
    FORMER,
    OF_ANOTHER,
    JOINT,
    PAID,
    UNPARTED,
    FOR_ANOTHER,
    RENAMED,
    UNREAD,
    IN_CARE,
    AT_WORK,
    REGISTERED,
    WINDING_UP,
    TRUSTEES,
    DOMAIN,
    AT_HOME,
    OVER_BUDGET,
    ABBREVIATED_IN_REGISTERS,
    INITIALS,
    DEPARTMENT,
    OFFICE,
    ABBREVIATED,
    AMBIGUOUS,
)

"""Rules for what else a name field contains: other names of the payee, other parties, holders."""

from apps.reference.names.payee.rules.charge import format_reference
from apps.reference.names.payee.values import BEST_CLOSE, CLOSE_FROM, WORST, AppliedRule

MOST_OF_STRANGER = 74
"""The highest score of a name where another name comes first or receives the payment."""
BESIDE = AppliedRule(
    "P.50", "Another name of the payee is given", format_reference("trading names"), 3, WORST
)
INTRODUCED = AppliedRule(
    "P.51",
    "Only an additional name matches",
    format_reference("trading names"),
    15,
    MOST_OF_STRANGER,
)
FORMER = AppliedRule(
    "P.52", "A former name matches", format_reference("former names"), 20, MOST_OF_STRANGER
)
OF_ANOTHER = AppliedRule(
    "P.53",
    "The name is that of the party named as care of or on behalf of",
    format_reference("another party"),
    0,
    30,
)
JOINT = AppliedRule(
    "P.54", "Another account holder is named", format_reference("joint holders"), 12, BEST_CLOSE
)
PAID = AppliedRule(
    "P.55", "The purpose of the payment is given", format_reference("what is paid"), 12, BEST_CLOSE
)
UNPARTED = AppliedRule(
    "P.56", "The spaces between words are missing", format_reference("spaces"), 6, WORST
)
FOR_ANOTHER = AppliedRule(
    "P.57",
    "The payment is for another party, who is named",
    format_reference("another party"),
    0,
    60,
)
RENAMED = AppliedRule(
    "P.58", "A newer name of the payee is given", format_reference("former names"), 30, 70
)
UNREAD = AppliedRule(
    "P.59",
    "The scripts cannot be read together: the names are not compared",
    format_reference("scripts"),
    0,
    CLOSE_FROM,
)
IN_CARE = AppliedRule(
    "P.60",
    "A company is in care of another company, which is named",
    format_reference("another party"),
    12,
    BEST_CLOSE,
)
AT_WORK = AppliedRule(
    "P.61",
    "A person is in care of a company, which is named",
    format_reference("another party"),
    5,
    WORST,
)
REGISTERED = AppliedRule(
    "P.62", "A register number is given", format_reference("registers"), 3, WORST
)
WINDING_UP = AppliedRule(
    "P.63", "The name states that it is being wound up", format_reference("registers"), 8, WORST
)
TRUSTEES = AppliedRule(
    "P.64", "The trustees are named for their trust", format_reference("trusts"), 12, BEST_CLOSE
)
DOMAIN = AppliedRule(
    "P.65", "The name is an internet domain", format_reference("internet names"), 15, BEST_CLOSE
)
AT_HOME = AppliedRule(
    "P.66",
    "The payee's own country follows its legal form",
    format_reference("branches"),
    11,
    BEST_CLOSE,
)
OVER_BUDGET = AppliedRule(
    "P.67", "The names take too long to compare: not compared", format_reference("limits"), 0,
    CLOSE_FROM,
)  # fmt: skip
ABBREVIATED_IN_REGISTERS = AppliedRule(
    "P.68",
    "A word is abbreviated as in registers",
    format_reference("abbreviations"),
    4,
    WORST,
)
ABBREVIATED = AppliedRule(
    "P.72",
    "A word is abbreviated as usual in its country",
    format_reference("abbreviations"),
    11,
    BEST_CLOSE,
)
INITIALS = AppliedRule(
    "P.69",
    "An organisation is named by its usual initials",
    format_reference("abbreviations"),
    12,
    BEST_CLOSE,
)
DEPARTMENT = AppliedRule(
    "P.70", "A department of the payee is named", format_reference("branches"), 12, BEST_CLOSE
)
OFFICE = AppliedRule(
    "P.71",
    "A professional's office, and the professional is named",
    format_reference("person and company"),
    5,
    BEST_CLOSE,
)
AMBIGUOUS = AppliedRule(
    "P.73",
    "An abbreviation may also mean another word",
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

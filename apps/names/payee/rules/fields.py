"""Rules of what else a name field says: other names of the payee, other parties, holders."""

from apps.names.payee.rules.charge import reference
from apps.names.payee.values import BEST_CLOSE, CLOSE_FROM, WORST, Charged

MOST_OF_STRANGER = 74
"""What a name may score at most where another comes first, or gets what is paid."""
BESIDE = Charged(
    "P.50", "Another name of the payee is told besides", reference("trading names"), 3, WORST
)
INTRODUCED = Charged(
    "P.51",
    "Only a name that is told besides agrees",
    reference("trading names"),
    15,
    MOST_OF_STRANGER,
)
FORMER = Charged("P.52", "A former name agrees", reference("former names"), 20, MOST_OF_STRANGER)
OF_ANOTHER = Charged(
    "P.53", "It is the name in whose care, or on whose behalf, it is", reference("another party"),
    0, 30,
)  # fmt: skip
JOINT = Charged(
    "P.54", "Another holder is named besides", reference("joint holders"), 12, BEST_CLOSE
)
PAID = Charged("P.55", "What is paid is told besides", reference("what is paid"), 12, BEST_CLOSE)
UNPARTED = Charged("P.56", "The blanks between words are missing", reference("spaces"), 6, WORST)
FOR_ANOTHER = Charged(
    "P.57", "It is paid on to another, who is named", reference("another party"), 0, 60
)
RENAMED = Charged(
    "P.58", "It has another name now, which is told", reference("former names"), 30, 70
)
UNREAD = Charged(
    "P.59", "The scripts cannot be read together: nothing is compared", reference("scripts"), 0,
    CLOSE_FROM,
)  # fmt: skip
IN_CARE = Charged(
    "P.60", "It is in the care of another company, which is named", reference("another party"), 12,
    BEST_CLOSE,
)  # fmt: skip
AT_WORK = Charged(
    "P.61", "A person is in the care of a company, which is named", reference("another party"), 5,
    WORST,
)  # fmt: skip
REGISTERED = Charged(
    "P.62", "A number of a register is told besides", reference("registers"), 3, WORST
)
WINDING_UP = Charged("P.63", "It is said to be wound up", reference("registers"), 8, WORST)
TRUSTEES = Charged(
    "P.64", "The trustees are named for their trust", reference("trusts"), 12, BEST_CLOSE
)
DOMAIN = Charged("P.65", "It is an internet name", reference("internet names"), 15, BEST_CLOSE)
AT_HOME = Charged(
    "P.66", "The payee's own country is named behind its legal form", reference("branches"), 11,
    BEST_CLOSE,
)  # fmt: skip
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
)

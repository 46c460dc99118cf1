"""Words as they are cut short in writing: given names in registers, words of business. Pure.

The given names are written by us from usage: a row is a name with its spellings, and behind the
stroke how clerks cut it short. People are not called so, and no other name is cut short like it.
"""

from functools import cache

from rapidfuzz.distance import LCSseq

from apps.reference.names.payee.nicknames import is_listed_given_name
from apps.reference.names.payee.word_roles import Role, role_of_word
from apps.reference.names.words.senses import find_word_senses

_ROWS = """
william | wm willm; thomas | thos tho; james | jas; charles | chas chs; george | geo; robert |
robt; joseph josef | jos jph; edward | edw edwd; benjamin | benj benjn; samuel | saml; daniel |
danl; richard | richd rchd; alexander | alexr alexdr; john | jno jn; johannes johann | joh johs;
nathaniel | nathl; margaret | margt mgt; elizabeth | eliz elizth; catherine katherine | cath kath;
abraham | abm; andrew | andw; archibald | archd; bartholomew | barthw; christopher | xpher
christr; frederick frederic | fredk fredc; henry | hy; jonathan | jonn; michael | michl mchl;
nicholas | nichs nics; patrick | patk; philip | phil; stephen | stepn; timothy | timy; walter |
waltr; david | davd; matthew | matt mattw; ebenezer | ebenr; lawrence laurence | lawr; leonard |
leond; peter | petr; francisco | fco fcisco; maria | ma mª; antonio | anto antº; fernando | fdo;
guadalupe | gpe; jesus | js; juan | jn; manuel | mnl ml; rodrigo | rgo; alejandro | alej; gonzalo
| glo; bernardo | bdo; giuseppe | gius; giovanni | giov gio; giacomo | giac; domenico | dom;
francesco | franc; wilhelm | wilh; friedrich | friedr frdr; heinrich | heinr; joachim | joach;
gottfried | gottfr; ferdinand | ferd; mohammed muhammad mohamed mohammad | mohd muhd mohmd mhd md;
abdul | abd; ahmad ahmed | ahd; jean | jn; pierre | pre; jean-baptiste jeanbaptiste | jbte jb;
francois | fcois
"""
_LEAST_GIVEN, _LEAST = 3, 3
_LONG = 6
_VOWELS = frozenset("aeiou")
_OF_BUSINESS: frozenset[Role] = frozenset({"line", "branch", "generic", "kind"})


@cache
def _clerk_abbreviations() -> dict[str, frozenset[str]]:
    """Return the full given names of each abbreviation."""
    found: dict[str, set[str]] = {}
    for row in _ROWS.split(";"):
        whole, _, short = row.replace("-", "").partition("|")
        for one in short.split():
            found.setdefault(one, set()).update(whole.split())
    return {short: frozenset(names) for short, names in found.items()}


def is_clerk_abbreviation(one: str, other: str) -> bool:
    """Return whether one of two folded words is the other, a given name, as clerks cut it short."""
    table = _clerk_abbreviations()
    return other in table.get(one, ()) or one in table.get(other, ())


def is_given_name_beginning(one: str, other: str) -> bool:
    """Return whether one of two words is the beginning of the other, a known given name.

    A beginning that is a name itself is another one: `Carl`, `Carla`; three letters are few.
    """
    short, long = sorted((one, other), key=len)
    if (
        not _LEAST_GIVEN <= len(short) < len(long)
        or not is_listed_given_name(long)
        or is_listed_given_name(short)
    ):
        return False
    return long.startswith(short) and short[-1] not in _VOWELS and len(long) - len(short) > 1


def is_shortened_word(one: str, other: str) -> bool:
    """Return whether of two words one is the other, a word of business, cut short.

    It is its first three letters, or its consonants from the first to the last (`Hldgs`), and no
    word of business itself.
    """
    short, long = sorted((one, other), key=len)
    if len(short) < _LEAST or len(long) < _LONG or not short.isalpha():
        return False
    if (
        role_of_word(long) not in _OF_BUSINESS
        or role_of_word(short) != "name"
        or find_word_senses(short)
    ):
        return False
    return long.startswith(short) or _is_contraction(short, long)


def _is_contraction(short: str, long: str) -> bool:
    """Return whether a word without vowels holds letters of a long one from first to last."""
    if _VOWELS & set(short[1:]) or (short[0], short[-1]) != (long[0], long[-1]):
        return False
    return LCSseq.similarity(short, long) == len(short)

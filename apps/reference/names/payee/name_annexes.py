"""Strip additions to a name: register numbers, winding up, departments. Pure."""

import re
from dataclasses import dataclass

from apps.reference.names.field.word_tests import (
    build_comparison_key,
    has_legal_form,
    is_company_name,
)
from apps.reference.names.payee.legal_forms import has_trailing_legal_form
from apps.reference.names.payee.normalization import fold_words, transliterate_to_latin
from apps.reference.names.payee.rules.fields import (
    BESIDE,
    DEPARTMENT,
    DOMAIN,
    OFFICE,
    REGISTERED,
    TRUSTEES,
    WINDING_UP,
)
from apps.reference.names.payee.values import AppliedRule
from apps.reference.names.scripts.text_cleaning import normalize_letters
from apps.reference.names.words.person_names import is_person_name

_MOST_CHARACTERS = 300
_LEAST_DIGITS = 5
_WORD = re.compile(r"[^\W_]+")
_OPEN, _CLOSE = r"[\s,;:(\[/-]+", r"[\s)\].]*$"
# what introduces a number of a register; a word of the first row needs one of the second behind it
_REGISTERS = (
    r"company|co|corporate|entity|business|charity|tax|vat|registration|registered|register|reg|"
    r"handelsregister|org"
)
_NUMBERS = r"no|nr|num|number|numero|n[°º]|id|code"
_ALONE = (
    r"crn|hrb|hra|kvk|siren|siret|rcs(?:\s+[a-z]+)?|cif|nif|p\.?\s?iva|partita\s+iva|abn|acn|ein|"
    r"tin|uen|cnpj|cvr|nip|regon|krs|i[čc]o|di[čc]|инн|огрн|inn|ogrn|lei|vat|uid|orgnr|"
    r"ust-?\s?id(?:-?\s?nr)?|steuernummer|mwst-?nr|tva|btw"
)
_LABEL = (
    rf"(?:(?:{_REGISTERS})(?:[\s.:-]+(?:{_REGISTERS}))*[\s.:-]*(?:{_NUMBERS})"
    rf"|(?:{_ALONE})(?:[\s.:-]+(?:{_NUMBERS}))?)"
)
_NUMBER = r"(?:[a-z]{1,3}[ -]?)?\d[\d .\-/]*[a-z0-9]{0,16}"
_LABELLED = re.compile(rf"{_OPEN}{_LABEL}[\s.:#]*(?P<number>{_NUMBER}){_CLOSE}", re.IGNORECASE)
# the number that a tax authority gives, after the letters of its country
_TAXED = re.compile(rf"{_OPEN}(?P<number>[A-Z]{{2}}\d{{8,12}}(?:[A-Z]\d{{2}})?){_CLOSE}")
_BARE = re.compile(rf"{_OPEN}(?P<number>\d{{6,12}}){_CLOSE}")
_ENDED = """
in liquidation|in voluntary liquidation|in creditors voluntary liquidation|under liquidation|
in administration|under administration|in receivership|debtor in possession|dissolved|i\\.\\s?l\\.?|
in liq\\.?|in liqu\\.?|i\\.\\s?ins\\.?|in insolvenz|in abwicklung|en liquidation|
en redressement judiciaire|in liquidazione|en liquidación|en liquidacion|em liquidação|
em liquidacao|in vereffening|w likwidacji|w upadłości|v likvidaci|v likvidácii|i likvidation|
under konkurs|i konkurs|under avvikling|under likvidation|felszámolás alatt|в стадии ликвидации
"""
_WOUND_UP = re.compile(rf"{_OPEN}(?:{''.join(_ENDED.split(chr(10)))}){_CLOSE}", re.IGNORECASE)
_TRUSTEES = re.compile(
    r"^\s*(?:the\s+)?trustees\s+of\s+(?:the\s+)?(?P<name>.*\b(?:trust|fund|scheme|settlement|pension)"
    r"\b.*)$",
    re.IGNORECASE,
)
_DOMAIN = re.compile(
    r"^\s*(?:https?://)?(?:www\.)?(?P<name>[\w-]{3,})\.(?:com?\.[a-z]{2}|com|net|org|io|eu|shop|app|"
    r"biz|info|de|at|ch|fr|it|es|pt|nl|be|pl|se|dk|fi|no|cz|ie|us|uk|ca|au|jp|in|br|mx)/?\s*$",
    re.IGNORECASE,
)
_DEPARTMENT = (
    r"(?:the\s+)?(?:dept|department|school|faculty|institute|chair|division|office|centre|center|"
    r"institut|lehrstuhl|fakultät|abteilung|fachbereich|klinik|amt|referat|dezernat|département|"
    r"faculté|laboratoire|service|direction|departamento|facultad|instituto|área|dipartimento|"
    r"facoltà|istituto|ufficio|departement|faculteit|afdeling|instituut|institution|institutionen|"
    r"wydział|katedra)\b\.?(?:\s+(?:of|for|für|de|d’|d'|des|du|di|del|della|van|voor|för)\b)?"
)
# a department before or behind the body that it belongs to, which has a name of its own
_DEPARTMENT_OF_BODY = re.compile(
    rf"^\s*(?:{_DEPARTMENT}[^,;–-]*[,;–-]\s*(?P<behind>[^,;]+)"
    rf"|(?P<before>[^,;]+)[,;]\s*{_DEPARTMENT}[^,;]*)$",
    re.IGNORECASE,
)
_PUBLIC_BODY = re.compile(
    r"\b(?:universi\w*|uni|\w*hochschule|college|\w*hospital|\w*klinikum|krankenhaus|ospedale|"
    r"ziekenhuis|stadt|city|town|council|borough|county|gemeinde|gemeente|commune|mairie|"
    r"ayuntamiento|comune|kommune?|ministr?\w*|politecnico|polytechnic|academy|akademie|school)\b",
    re.IGNORECASE,
)
# a professional's office, with the title before the name
_OFFICE = re.compile(
    r"^\s*(?:studio\s+(?:legale|notarile|dentistico|medico|tecnico|commerciale)|studio|cabinet|"
    r"(?:rechts)?anwaltskanzlei|kanzlei|notariat|(?:zahn|tier)?arztpraxis|praxis|despacho|notaría|"
    r"notaria|clínica|clinica|law\s+offices?(?:\s+of)?|offices?\s+of|chambers\s+of|"
    r"advocatenkantoor|notariskantoor|kancelaria(?:\s+\w+)?|advokatfirma)\s+"
    r"(?P<name>(?:avv|dott|dr|me|maître|notar|notaio|ra|rain|rechtsanwalt|rechtsanwältin|mr|mrs|ms|"
    r"lic|adw|adv|mec|ing|arch|geom|rag)\b\.?.+)$",
    re.IGNORECASE,
)
_PROPRIETOR = re.compile(
    r"^\s*(?P<name>.+?)[\s,;:(-]+(?:inh(?:aber(?:in)?)?|prop(?:rietor|rietress|r)?|propri[ée]taire|"
    r"titolare|titular|eigenaar|innehavare|indehaver|innehaver|właściciel(?:ka)?)\b[.:]?\s*"
    r"(?P<owner>[^,;:()]+)\)?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StrippedName:
    """A text without the additions to its name, and the rules of those additions.

    `number` is a register number, `department` the named department or proprietor.
    """

    text: str
    rules: tuple[AppliedRule, ...] = ()
    number: str = ""
    department: str = ""


def strip_affixes(text: str) -> StrippedName:
    """Return a text without the additions to its name; without rules if there are none."""
    rest, number = _strip_register_number(normalize_letters(text[:_MOST_CHARACTERS]).strip())
    rules = [REGISTERED] if number else []
    if (ended := _WOUND_UP.search(rest)) and _is_set_apart(rest, ended):
        rest = rest[: ended.start()]
        rules.append(WINDING_UP)
    for pattern, rule in ((_TRUSTEES, TRUSTEES), (_DOMAIN, DOMAIN)):
        if found := pattern.match(rest):
            rest = found["name"].replace("-", " ") if rule is DOMAIN else found["name"]
            rules.append(rule)
    department = ""
    if (found := _DEPARTMENT_OF_BODY.match(rest)) and _PUBLIC_BODY.search(
        body := found["behind"] or found["before"]
    ):
        department = build_comparison_key(rest.replace(body, " "))
        if has_legal_form(department):  # another company, and no department
            department = ""
        else:
            rest = body.strip()
            rules.append(DEPARTMENT)
    if found := _OFFICE.match(rest):
        rest = found["name"]
        rules.append(OFFICE)
    if (found := _PROPRIETOR.match(rest)) and _is_owner(found["owner"]):
        rest, department = found["name"], build_comparison_key(found["owner"])
        rules.append(BESIDE)
    return StrippedName(rest, tuple(rules), number, department)


def _is_owner(text: str) -> bool:
    """Return whether a text is two words or more that people are called by, or their initials."""
    words = [word.plain for word in fold_words(transliterate_to_latin(text, person=True))]
    named = all(len(word) == 1 or is_person_name(word) for word in words)
    return named and len(words) > 1 and not is_company_name(text)


def are_affixes_compatible(one: StrippedName, other: StrippedName) -> bool:
    """Return whether either name has additions, and none of them contradict.

    Two departments of one organisation are two payees, like two register numbers.
    """
    if not (one.rules or other.rules) or (TRUSTEES in one.rules and TRUSTEES in other.rules):
        return False
    if one.department and other.department and one.department != other.department:
        return False
    return not (one.number and other.number and one.number != other.number)


def _strip_register_number(text: str) -> tuple[str, str]:
    for pattern in (_LABELLED, _TAXED, _BARE):
        found = pattern.search(text)
        if not found or sum(sign.isdigit() for sign in found["number"]) < _LEAST_DIGITS:
            continue
        head = text[: found.start()]
        # without a label a number counts only behind a legal form: before that it is part of a name
        if _WORD.search(head) and (pattern is _LABELLED or _ends_with_legal_form(head)):
            # registers print one number with and without leading zeros and signs
            return head, "".join(_WORD.findall(found["number"])).lstrip("0").lower()
    return text, ""


def _is_set_apart(text: str, found: re.Match[str]) -> bool:
    """Return whether words are in brackets, or follow a comma or a legal form."""
    head, sign = text[: found.start()], found[0].lstrip()[:1]
    return bool(_WORD.search(head)) and (sign in tuple("([,") or _ends_with_legal_form(head))


def _ends_with_legal_form(text: str) -> bool:
    return has_trailing_legal_form(_WORD.findall(text))

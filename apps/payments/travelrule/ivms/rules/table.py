"""Every rule: its sentence, the severity of a breach in sent and received messages, and its source.

E refuses, W accepts with a warning, N is read in the canonical spelling, - does not apply. Rules
without a check are found while a message is read into the canonical form.
"""

from dataclasses import dataclass

from apps.payments.travelrule.ivms.rules import completeness, constraints, datatypes, structure
from apps.payments.travelrule.ivms.rules.context import RuleCheck

_S, _T, _I = "IVMS 101 §5.2.1.2", "IVMS 101 §5.3", "IVMS 101 §6"
_2023, _OURS = "IVMS 101.2023", "this package"


@dataclass(frozen=True)
class Rule:
    """One rule: severities `out` (a message that is created) and `inn` (one that is received)."""

    id: str
    out: str
    inn: str
    sentence: str
    source: str
    check: RuleCheck | None = None


# Strict out, lenient in: most third-party examples break the standard's character set, and the LEI
# in its own example has wrong check digits.
RULES = (
    Rule("L1", "E", "E", "A message stays within the bounds of its reader.", _OURS),
    Rule("S1", "E", "E", "Originator and beneficiary are present.", _I, structure.check_parties),
    Rule("S1b", "E", "N", "The message is the body itself, and not a member of it.", _I),
    Rule(
        "S2",
        "E",
        "E",
        "Originator and beneficiary have at least one person each.",
        _I,
        structure.check_persons,
    ),
    Rule(
        "S2b",
        "E",
        "N",
        "Persons are listed under `originatorPersons`, `beneficiaryPersons`.",
        _2023,
    ),
    Rule(
        "S3",
        "E",
        "E",
        "A person is either natural or legal.",
        "IVMS 101 §5.2.1.1",
        structure.check_one_kind,
    ),
    Rule("S4", "E", "N", "A VASP is given under its double key.", _I),
    Rule("S5", "E", "N", "Names are given in an object with `nameIdentifier`.", "IVMS 101 §5.2.3"),
    Rule("S6", "E", "N", "A repeatable element is a list.", "IVMS 101 §5.2"),
    Rule("S6b", "E", "N", "An element that occurs once is not a list.", "IVMS 101 §5.2"),
    Rule("S7", "E", "N", "A key is spelled as in the standard.", "TRISA's list of other keys"),
    Rule("S7b", "E", "W", "A key is one of the standard.", _OURS),
    Rule(
        "S8",
        "E",
        "E",
        "Names, identifiers, births and steps of the path are complete.",
        "IVMS 101 §5.2",
        structure.make_required_check("S8"),
    ),
    Rule(
        "S8b",
        "E",
        "W",
        "An address has its kind, town and country.",
        "IVMS 101 §5.2.6",
        structure.make_required_check("S8b"),
    ),
    Rule("S9", "E", "E", "An element that is given twice has the same value.", _OURS),
    Rule(
        "C1",
        "E",
        "E",
        "A natural originator has an address, a customer identification, a "
        "national identification, or date and place of birth.",
        _S,
        constraints.check_natural_originator,
    ),
    Rule(
        "C2", "E", "E", "A date of birth is before today (UTC).", _S, constraints.check_birth_date
    ),
    Rule(
        "C3",
        "E",
        "E",
        "A country is a code of ISO 3166-1 alpha-2, or XX.",
        _S,
        constraints.check_country,
    ),
    Rule(
        "C4",
        "E",
        "W",
        "A legal originator has a GEOG address, a customer identification, or a "
        "national identification.",
        _S,
        constraints.check_legal_originator,
    ),
    Rule(
        "C5",
        "E",
        "E",
        "A legal person has a name of the kind LEGL.",
        _S,
        constraints.check_legal_name,
    ),
    Rule(
        "C6",
        "E",
        "E",
        "A natural person has a name of the kind LEGL.",
        _S,
        constraints.check_natural_name,
    ),
    Rule(
        "C7",
        "E",
        "E",
        "A legal person's identifier is RAID, MISC, LEIX or TXID.",
        _S,
        constraints.check_legal_identifier_type,
    ),
    Rule(
        "C8",
        "E",
        "W",
        "An address has lines, or a street and the building's name or number.",
        _S,
        constraints.check_address,
    ),
    Rule(
        "C9",
        "E",
        "E",
        "A legal person's identifier has no country of issue, and a registration "
        "authority unless it is an LEI.",
        _S,
        constraints.check_complete_identifier,
    ),
    Rule(
        "C9n",
        "-",
        "-",
        "A natural person's identifier may have both, either or neither.",
        "IVMS 101 §8, example 2",
    ),
    Rule(
        "C10",
        "E",
        "E",
        "A registration authority is RA and six digits.",
        "IVMS 101 §5.3.13",
        constraints.check_authority_form,
    ),
    Rule(
        "C10b",
        "E",
        "W",
        "A registration authority is on GLEIF's list that the caller gave.",
        _S,
        constraints.check_authority_listed,
    ),
    Rule(
        "C10c",
        "W",
        "W",
        "No list was given: only the form of the registration authority is checked.",
        _OURS,
        constraints.check_authority_unlisted,
    ),
    Rule(
        "C11",
        "E",
        "E",
        "An LEI is 18 capitals or digits and two digits.",
        _S,
        constraints.check_lei_form,
    ),
    Rule(
        "C11b",
        "E",
        "W",
        "The check digits of an LEI are correct.",
        "ISO 17442",
        constraints.check_lei_digits,
    ),
    Rule(
        "C12",
        "E",
        "E",
        "Steps of the path are counted from 0 without a gap.",
        "IVMS 101 §5.2.13",
        constraints.check_sequence,
    ),
    Rule("D0", "E", "E", "A value is text, number, list or object as its element says.", _T),
    Rule("D0b", "E", "N", "A number is a number, not text.", "protocol buffers as JSON"),
    Rule("D0c", "E", "W", "A text is text, not a number.", _T),
    Rule(
        "D1",
        "E",
        "E",
        "A text has at least 1 character and at most those of its element.",
        _T,
        datatypes.check_text_length,
    ),
    Rule("D1b", "E", "N", "Empty elements are omitted.", _T),
    Rule("D1c", "N", "N", "An empty list counts as absent.", _I),
    Rule(
        "D2",
        "W",
        "W",
        "A text has only letters a to z, digits, apostrophes and spaces.",
        _T,
        datatypes.check_charset_2020,
    ),
    Rule(
        "D2b",
        "E",
        "W",
        "A text has only printable ASCII; other characters go into local names.",
        _2023,
        datatypes.check_charset_2023,
    ),
    Rule(
        "D3",
        "E",
        "E",
        "An address has at most seven lines.",
        "IVMS 101 §5.2.6",
        datatypes.check_line_count,
    ),
    Rule(
        "D4",
        "E",
        "E",
        "An account is text of at most 100 characters (of a person: 512), and is never altered.",
        _I,
        datatypes.check_account_length,
    ),
    Rule("D5", "E", "E", "A code is one of its list.", _T, datatypes.check_code_listed),
    Rule("D5b", "E", "N", "A code is in the standard's spelling.", "IVMS 101 §1.5"),
    Rule("D6", "E", "N", "The key is `postCode`.", "IVMS 101 §5.2.6"),
    Rule("D7", "E", "N", "The key is `customerIdentification`.", "IVMS 101 §5.2.9"),
    Rule("D8", "E", "N", "The message is of the version of 2020.", _2023),
    Rule("D8b", "E", "W", "The version is 101 or 101.2023.", _2023, datatypes.check_version),
    Rule(
        "D9",
        "E",
        "E",
        "A date of birth is a day of the calendar, as YYYY-MM-DD.",
        "IVMS 101 §5.3.10",
        datatypes.check_real_date,
    ),
    Rule(
        "D9b",
        "E",
        "W",
        "A date of birth comes with the place of birth.",
        "IVMS 101 §5.2.7",
        structure.make_required_check("D9b"),
    ),
    Rule(
        "P1",
        "N",
        "N",
        "A VASP may be written as the platform's API does: `originatorVASP`, `vasp`.",
        "the platform's specification",
    ),
    Rule(
        "P2",
        "E",
        "W",
        "`transferAmount` has the amount as decimal text, and a currency.",
        "the platform's specification",
        datatypes.check_amount,
    ),
    Rule(
        "X1",
        "E",
        "W",
        "From 3,000 USD on, the transmittor's name, address and account, both institutions and "
        "the day are present.",
        "31 CFR 1010.410(f)(1)",
        completeness.check_united_states,
    ),
    Rule(
        "X2",
        "E",
        "E",
        "No text contains control characters or characters that change the direction of writing.",
        _OURS,
        datatypes.check_characters,
    ),
    Rule("X2b", "E", "N", "A text is in Unicode's NFC.", _OURS),
)
BY_ID = {rule.id: rule for rule in RULES}

"""Codes: lists of the standard, countries, LEIs and registration authorities."""

import re

NATURAL_NAME_TYPES = frozenset({"ALIA", "BIRT", "MAID", "LEGL", "MISC"})
LEGAL_NAME_TYPES = frozenset({"LEGL", "SHRT", "TRAD"})
ADDRESS_TYPES = frozenset({"HOME", "BIZZ", "GEOG"})
IDENTIFIER_TYPES = frozenset(
    {"ARNU", "CCPT", "RAID", "DRLC", "FIIN", "TXID", "SOCS", "IDCD", "LEIX", "MISC"}
)
LEGAL_IDENTIFIER_TYPES = frozenset({"RAID", "MISC", "LEIX", "TXID"})  # C7
_SCRIPTS = "arab aran armn cyrl deva geor grek hani hebr kana kore thai othr"  # ISO 15924
SCRIPTS = frozenset(_SCRIPTS.split())
UNKNOWN_COUNTRY = "XX"
# ISO 3166-1 alpha-2, officially assigned (249)
_COUNTRIES = """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR
    BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ
    EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW
    GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY
    KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV
    MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY
    QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG
    TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM
    ZW
"""
COUNTRIES = frozenset(_COUNTRIES.split())
_LEI = re.compile(r"[0-9A-Z]{18}[0-9]{2}")
_AUTHORITY = re.compile(r"RA[0-9]{6}")


def is_country(code: str) -> bool:
    """Tell whether a code is one of ISO 3166-1 alpha-2, or XX for an unknown state."""
    return code in COUNTRIES or code == UNKNOWN_COUNTRY


def is_lei_form(text: str) -> bool:
    """Tell whether a text has the form of an LEI (IVMS 101, section 5.3.7)."""
    return _LEI.fullmatch(text) is not None


def compute_lei_remainder(lei: str) -> int:
    """Return the remainder of an LEI's characters (ISO 17442, MOD 97-10): 1 if they are valid."""
    # letters count as two digits, A = 10 to Z = 35 (ISO 7064)
    return int("".join(str(int(character, 36)) for character in lei)) % 97


def is_authority_code(text: str) -> bool:
    """Tell whether a text has the form of a GLEIF registration authority's code."""
    return _AUTHORITY.fullmatch(text) is not None

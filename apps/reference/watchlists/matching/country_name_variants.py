"""Countries and offices of state as they are cut short and as they are called in full, made one.

A payment says `DPRK` or `I.R. Iran` where a list says `Democratic People's Republic of Korea` or
`Islamic Republic of Iran`; both are read as the country's everyday name. General knowledge.
"""

import re

_COUNTRIES = """
afghanistan albania algeria angola argentina armenia austria azerbaijan bangladesh belarus benin
bolivia botswana bulgaria burundi cameroon chad chile china colombia croatia cuba cyprus djibouti
ecuador egypt eritrea estonia finland gabon gambia georgia ghana guatemala guinea guyana haiti
honduras hungary iceland india indonesia iran iraq ireland italy kazakhstan kenya kyrgyzstan
latvia lebanon liberia libya lithuania macedonia madagascar malawi mali malta mauritania moldova
mongolia mozambique myanmar namibia nepal nicaragua niger nigeria pakistan panama paraguay peru
philippines poland portugal romania russia rwanda senegal serbia seychelles singapore slovakia
slovenia somalia sudan suriname syria tajikistan tanzania togo tunisia turkey turkiye turkmenistan
uganda ukraine uruguay uzbekistan venezuela vietnam yemen zambia zimbabwe
"""
_COUNTRY = "|".join(_COUNTRIES.split())
_REPUBLIC = r"(?:republic|rep|repub)"
_PEOPLES = r"people ?s"
_KINDS = rf"(?:islamic|bolivarian|federal|socialist|democratic|arab|plurinational|{_PEOPLES})"
# a slip of the pen in `Democratic People's Republic` must not make it the Republic of Korea
# what is read as what, in this order: the longer of two that begin alike comes first
_SPELT = (
    (
        r"d ?p ?r ?k|(?:d ?p ?r|de\w{5,10} pe\w{2,6} ?s? re\w{1,8}) (?:of )?korea|n(?:orth)? korea",
        "north korea",
    ),
    (rf"{_REPUBLIC} (?:of )?korea|s(?:outh)? korea", "south korea"),
    (rf"{_REPUBLIC} of china", "taiwan"),
    (r"p ?r ?c|p ?r (?:of )?china", "china"),
    (r"u ?a ?e|united arab emirates", "uae"),
    (r"u ?s ?s ?r|(?:union of )?soviet socialist republics|soviet union", "ussr"),
    (rf"(?:d ?r|democratic {_REPUBLIC}) (?:of )?(?:the )?congo|d ?r ?c", "drc"),
    (r"kingdom of saudi arabia|k ?s ?a", "saudi arabia"),
    (rf"syrian arab {_REPUBLIC}", "syria"),
    (r"russian federation", "russia"),
    (rf"(?:i ?r|islamic {_REPUBLIC}|islamic r) (?:of )?iran", "iran"),
    (rf"(?:{_KINDS} )*{_REPUBLIC} (?:of )?(?:the )?(?P<country>{_COUNTRY})", ""),
    (rf"republi(?:ca|que) (?:\w+ )?(?:de|du|del) (?P<land>{_COUNTRY})", ""),
    # so short that only the word before tells that they mean a country
    (r"(?<=of )s ?a ?r|(?<=of the )s ?a ?r", "syria"),
    (r"(?<=of )r ?o ?k|(?<=of the )r ?o ?k", "south korea"),
    (r"(?<=of )i ?r ?i|(?<=of the )i ?r ?i|^i ?r ?i(?= \w+ \w)", "iran"),
    # offices and words of banks, by what follows
    (r"min(?= (?:of|for) )", "ministry"),
    (r"emb(?= of )", "embassy"),
    (r"nat(?= \w+ \w)|(?<=of )nat(?= )", "national"),
    (r"(?:cent|centr|ctrl)(?= bank)", "central"),
    (r"comm(?= bank)", "commercial"),
    (r"rep(?= of )", "republic"),
)
_ANY = re.compile("|".join(rf"(?P<_{at}>\b(?:{spelt})\b)" for at, (spelt, _) in enumerate(_SPELT)))
_READ = {f"_{at}": read for at, (_, read) in enumerate(_SPELT)}
# what each pattern above begins with: most names have none and skip the long alternation
_MAY = re.compile(
    r"\b(?:d ?p ?r|p ?r|u ?[as]|d ?r|k ?s|i ?r|[sn]|north|south|republi\w*|rep|repub|sar|s a r"
    r"|r ?o ?k|union|united|soviet|socialist|kingdom|russian|islamic|democratic|syrian|min|emb|nat"
    r"|cent|centr|ctrl|comm|korea)"
)


def replace_country_names(words: list[str]) -> list[str]:
    """Return the words of a company or body with its country and office as they are mostly said.

    A name that is a country's alone stays as it is written.
    """
    text = " ".join(words)
    if not _MAY.search(text):
        return words
    read = _ANY.sub(_read_country, text)
    return words if read in _NAMES else read.split()


def _read_country(found: re.Match[str]) -> str:
    """Return the replacement for the matched words."""
    country = found["country"] or found["land"]
    return country or _READ[found.lastgroup or ""]


_NAMES = frozenset(_COUNTRIES.split()) | {read for _, read in _SPELT}

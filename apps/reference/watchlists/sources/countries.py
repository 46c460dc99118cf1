"""Countries as lists print them, turned into ISO 3166-1 alpha-2 codes."""

from functools import cache, lru_cache

import pycountry

from apps.reference.names.words.word_splitting import split_plain_words

# Names that official lists use and ISO 3166 does not; XK is user-assigned and in common use.
ALIASES = {
    "abkhazia": "GE",
    "afganistan": "AF",
    "bahamas": "BS",
    "bolivia": "BO",
    "bosnia": "BA",
    "british virgin islands": "VG",
    "brunei": "BN",
    "burma": "MM",
    "cape verde": "CV",
    "congo": "CG",
    "congo democratic republic": "CD",
    "congo democratic republic of": "CD",
    "congo dr": "CD",
    "congo kinshasa": "CD",
    "congo brazzaville": "CG",
    "congo republic of": "CG",
    "cote d ivoire": "CI",
    "crimea": "UA",
    "czech republic": "CZ",
    "dem peoples rep of korea": "KP",
    "democratic people s republic of korea": "KP",
    "democratic republic of congo": "CD",
    "dprk": "KP",
    "england": "GB",
    "great britain": "GB",
    "hong kong sar": "HK",
    "iran": "IR",
    "islamic republic of iran": "IR",
    "ivory coast": "CI",
    "korea": "KR",
    "korea north": "KP",
    "korea south": "KR",
    "kosovo": "XK",
    "laos": "LA",
    "macau": "MO",
    "macedonia": "MK",
    "micronesia": "FM",
    "moldova": "MD",
    "north korea": "KP",
    "northern ireland": "GB",
    "occupied palestinian territories": "PS",
    "occupied palestinian territory": "PS",
    "palestine": "PS",
    "palestinian": "PS",
    "people s republic of china": "CN",
    "region crimea": "UA",
    "region gaza": "PS",
    "gaza": "PS",
    "republic of congo": "CG",
    "republic of korea": "KR",
    "russia": "RU",
    "scotland": "GB",
    "south korea": "KR",
    "swaziland": "SZ",
    "syria": "SY",
    "taiwan": "TW",
    "tanzania": "TZ",
    "transnistria": "MD",
    "turkey": "TR",
    "turkiye": "TR",
    "uae": "AE",
    "uk": "GB",
    "usa": "US",
    "united states of america": "US",
    "vatican": "VA",
    "vatican city": "VA",
    "venezuela": "VE",
    "vietnam": "VN",
    "virgin islands british": "VG",
    "virgin islands u s": "VI",
    "wales": "GB",
    "west bank": "PS",
    "xk": "XK",
    "yugoslavia": "RS",
}
UNIONS = {"eu": "EU", "european union": "EU", "un": "UN", "united nations": "UN"}


@lru_cache(maxsize=8192)
def parse_country_code(text: str) -> str:
    """Return the alpha-2 code of a country given as a name, alpha-2 or alpha-3, "" if unknown."""
    return _country_table().get(_country_key(text), "")


@lru_cache(maxsize=1024)
def parse_office_country(text: str) -> str:
    """Return where an office is held: a country's alpha-2, EU or UN; "" if unknown."""
    return UNIONS.get(_country_key(text), "") or parse_country_code(text)


@cache
def _country_table() -> dict[str, str]:
    table = dict(ALIASES)
    for country in pycountry.countries:
        for attribute in ("alpha_2", "alpha_3", "name", "official_name", "common_name"):
            if value := getattr(country, attribute, ""):
                # names of the lists come first: `korea` is the South, whatever the library says
                table.setdefault(_country_key(value), country.alpha_2)
    return table


def _country_key(text: str) -> str:
    return " ".join(word for word in split_plain_words(text) if word != "the")

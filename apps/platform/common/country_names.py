"""Countries as people call them."""

from functools import lru_cache

import pycountry

# codes that lists, payments and authorities use and that ISO 3166-1 lacks
NAMES_BEYOND_ISO = {
    "EU": "European Union",
    "UN": "United Nations",
    "XK": "Kosovo",
    "SU": "Soviet Union",
}


@lru_cache(maxsize=512)
def country_name(code: str) -> str:
    """Return the name of an ISO 3166-1 alpha-2 code; any other text is returned unchanged.

    The register inverts long names for sorting (`Virgin Islands, British`); they are turned back.
    """
    country = pycountry.countries.get(alpha_2=code.upper()) if len(code) == 2 else None
    if country is None:
        return NAMES_BEYOND_ISO.get(code.upper(), code)
    name: str = getattr(country, "common_name", country.name)
    head, _, tail = name.partition(", ")
    return f"{tail} {head}" if tail else name

"""Countries as people call them."""

from functools import lru_cache

import pycountry

# codes that lists, payments and offices use and ISO 3166-1 does not have
NAMES_BEYOND_ISO = {
    "EU": "European Union",
    "UN": "United Nations",
    "XK": "Kosovo",
    "SU": "Soviet Union",
}


@lru_cache(maxsize=512)
def country_name(code: str) -> str:
    """Return the name of an ISO 3166-1 alpha-2 code; what is none stands for itself.

    The register turns long names about for sorting (`Virgin Islands, British`): turned back.
    """
    found = pycountry.countries.get(alpha_2=code.upper()) if len(code) == 2 else None
    if found is None:
        return NAMES_BEYOND_ISO.get(code.upper(), code)
    name: str = getattr(found, "common_name", found.name)
    head, _, tail = name.partition(", ")
    return f"{tail} {head}" if tail else name

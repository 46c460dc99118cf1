"""Countries and regions by their names, and those of their main towns, in any language.

The names are those of the library rigour, which reads them from a gazetteer of 26,000 names; that
takes three seconds and 30 MB in every process, and here only a country's code is needed.

    python -m apps.reference.names.words.territories

rewrites the file from another release of rigour.
"""

from functools import lru_cache
from pathlib import Path

from rigour.territories.lookup import clean_code
from rigour.territories.util import normalize_territory_name

from apps.reference.names.sorted_lines import SortedLines

FILE = Path(__file__).with_suffix(".txt")
_CODE = "#"  # before codes: no name has it
_TERRITORIES = SortedLines(FILE)


@lru_cache(maxsize=8192)
def territory_code(text: str) -> str:
    """Return the ISO code of a country or region by a code or name of it, an empty text for none.

    A region's code begins with that of its country (`US-CA`).
    """
    # codes first, which are exact
    found = _TERRITORIES.get(_CODE + clean_code(text))
    if found is None:
        found = _TERRITORIES.get(normalize_territory_name(text))
    return (found or "").upper()


def build_territory_rows() -> list[tuple[str, str]]:
    """Return the rows of the file as the library has them."""
    from rigour.territories.lookup import _get_identifier_map, _get_territory_names

    codes = [(_CODE + key, one.code) for key, one in _get_identifier_map().items()]
    return codes + [(key, one.code) for key, one in _get_territory_names().items()]


if __name__ == "__main__":
    SortedLines.write(FILE, build_territory_rows())

"""A small register of made-up companies and their owners, in GLEIF's own columns.

Owners that are listed bear names of the lists beside this; everybody else is made up.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.lei.golden_copy_files import (
    DIRECT,
    NO_DIRECT,
    NO_ULTIMATE,
    ULTIMATE,
    exception,
    lei,
    record,
    relation,
    write,
)

LISTED_LEI = "485100GBI2SE0KIX8T70"
SHARE = (
    "Relationship.Quantifiers.1.MeasurementMethod",
    "Relationship.Quantifiers.1.QuantifierAmount",
    "Relationship.Quantifiers.1.QuantifierUnits",
)
OFFICE = ("Entity.HeadquartersAddress.Country",)

# key: legal name, further columns by their last part
COMPANIES: dict[str, tuple[str, dict[str, str]]] = {
    "nordhafen": (
        "Nordhafen Logistik GmbH",
        {
            "OtherEntityName.1": "Nordhafen Logistics GmbH",
            "OtherEntityName.1.type": "ALTERNATIVE_LANGUAGE_LEGAL_NAME",
        },
    ),
    "lapsed": ("Küstenwind Energie GmbH", {"RegistrationStatus": "LAPSED"}),
    "direct": ("Ural Sporting Arms GmbH", {}),
    "ultimate": ("Lakeside Aluminium AG", {}),
    "between": ("Donau Hotelbetriebs GmbH", {}),
    "majority": ("Bodensee Maschinen AG", {}),
    "half": ("Jura Feinmechanik SA", {}),
    "minority": ("Engadin Optik AG", {}),
    "iran": ("Alster Trading House GmbH", {}),
    "office": ("Elbe Handelskontor GmbH", {}),
    "hidden": ("Sauerland Besitz GmbH", {}),
    "clean": ("Weserbergland Papier GmbH", {}),
    "long": ("Ostsee Reederei GmbH", {}),
    "charter": ("Hafenblick Charter GmbH", {}),
    "ship": ("Adrian Darya 1 SA", {"LegalJurisdiction": "GR"}),
    "holding": ("Quiet Harbour Holding AG", {}),
    "middle": ("Seegarten Beteiligungs GmbH", {}),
    "lower": ("Hohenfels Beteiligungs GmbH", {}),
    "upper": ("Bergfried Vermögensverwaltung GmbH", {}),
    "top": ("Granitfels Stiftung", {}),
    "arms": ("Kalashnikov Concern", {"LegalJurisdiction": "RU"}),
    "renova": ("Renova Group", {"LegalJurisdiction": "RU"}),
    "burenie": ("Gazprom Burenie OOO", {"LegalJurisdiction": "RU"}),
    "tehran": ("Alborz Spice Company", {"LegalJurisdiction": "IR"}),
    "dubai": ("Al Noor Palm General Trading LLC", {"LegalJurisdiction": "AE"}),
}
# child, direct parent, ultimate parent, share of the direct parent in per cent (none: unknown)
OWNERS: tuple[tuple[str, str, str, str], ...] = (
    ("direct", "arms", "holding", ""),
    ("ultimate", "lower", "renova", ""),
    ("lower", "renova", "renova", ""),
    ("between", "middle", "holding", ""),
    ("middle", "burenie", "holding", ""),
    ("majority", "renova", "renova", "60.00"),
    ("half", "renova", "renova", "50.00"),
    ("minority", "renova", "renova", "30.00"),
    ("iran", "tehran", "tehran", ""),
    ("office", "dubai", "dubai", ""),
    ("charter", "ship", "ship", ""),
    ("clean", "holding", "holding", "100.00"),
    ("long", "upper", "top", ""),
    ("upper", "holding", "top", ""),
    ("holding", "top", "top", ""),
)
# who names nobody, and why
EXEMPT = {
    "hidden": "NON_PUBLIC",
    **dict.fromkeys(("nordhafen", "lapsed", "top", "tehran", "dubai", "ship"), "NATURAL_PERSONS"),
    **dict.fromkeys(("arms", "renova", "burenie"), "NO_KNOWN_PERSON"),
}
LEIS = {key: lei(number, "XPRT") for number, key in enumerate([*COMPANIES, "unheld"], start=1)}


def code(key: str) -> str:
    """Return the LEI of a company by its key; a real LEI stays as it is."""
    return LEIS[key[1:]] if key.startswith("@") else key


def files(folder: Path) -> Iterator[Path]:
    """Write the files of the register and yield them: records, relationships, exceptions."""
    yield write(folder, list(_records()), "20261119-0800-lei2.csv", OFFICE)
    yield write(folder, list(_relations()), "20261119-0800-rr.csv", SHARE)
    exempt = [
        exception(LEIS[key], kind, reason)
        for key, reason in EXEMPT.items()
        for kind in (NO_DIRECT, NO_ULTIMATE)
    ]
    yield write(folder, exempt, "20261119-0800-repex.csv")


def _records() -> Iterator[dict[str, str]]:
    for key, (name, columns) in COMPANIES.items():
        office = "IR" if key == "dubai" else columns.get("LegalJurisdiction", "DE")
        yield record(LEIS[key], name, **columns) | {OFFICE[0]: office}
    yield record(LISTED_LEI, "Intrust EAD", LegalJurisdiction="BG")


def _relations() -> Iterator[dict[str, str]]:
    for child, direct, ultimate, share in OWNERS:
        found = relation(LEIS[child], LEIS[direct], DIRECT)
        if share:
            values = ("ACCOUNTING_CONSOLIDATION", share, "PERCENTAGE")
            found |= dict(zip(SHARE, values, strict=True))
        yield found
        yield relation(LEIS[child], LEIS[ultimate], ULTIMATE)

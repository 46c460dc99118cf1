"""Listed parties in the forms of payments: which forms are made, and what counts as found."""

from pathlib import Path

import pytest

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName
from apps.reference.watchlists.matching.index import IndexEntry
from benchmarks import listed_forms, listed_forms_data
from benchmarks.listed_forms_data import Sought

PERSON = (
    '12,"BOUT, Viktor Anatolijevitch",individual,SDGT,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n'
)
LONG = "National Petroleum Construction and Engineering Company Limited"


def entry(
    ref: str, schema: str, *names: ListedName, number: Identifier | None = None
) -> IndexEntry:
    numbers = (number,) if number else ()
    entity = ListedEntity(ref, schema, names, identifiers=numbers)  # type: ignore[arg-type]
    return IndexEntry(ref=ref, dataset="ofac", entity=entity)


ENTRIES = [
    entry("ofac:12", "Person", ListedName("Viktor Anatolijevitch BOUT", "primary")),
    entry("ofac:13", "Organization", ListedName(LONG, "primary"), ListedName("Petro Co", "former")),
    entry(
        "ofac:14", "Vessel", ListedName("DINO I", "primary"), number=Identifier("imo", "9569671")
    ),
    entry("ofac:15", "Aircraft", ListedName("EP-MNS", "primary")),
    entry(
        "un:16", "Person", ListedName("Mati ur-Rehman", "primary"), ListedName("مطیع الرحمن")
    ),
]  # fmt: skip


@pytest.fixture
def asked(tmp_path: Path) -> list[Sought]:
    place = tmp_path / "lists/ofac_2022_01"
    place.mkdir(parents=True)
    (place / "sdn.csv").write_text(PERSON, encoding="utf-8")
    return list(listed_forms_data.sought(ENTRIES, tmp_path, count=5))


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("person: FAMILY, given", "BOUT, Viktor Anatolijevitch"),
        ("person: family name and initials", "BOUT V. A."),
        ("person: first letters changed over", "Biktor Anatolijevitch VOUT"),
        ("firm: cut at 35", "National Petroleum Construction and"),
        ("firm: words shortened", "NATL PETR CONSTR AND ENGR CO LTD"),
        ("firm: another legal form", f"{LONG.removesuffix(' Limited')} GmbH"),
        ("vessel: MV", "MV DINO I"),
        ("vessel: name and IMO", "DINO I (IMO 9569671)"),
        ("aircraft: tail number without hyphen", "EPMNS"),
        ("former name: organization", "Petro Co"),
        ("original script, withheld: Arabic", "مطیع الرحمن"),
    ],
)
def test_a_form_is_made_of_a_listed_name(asked: list[Sought], form: str, name: str) -> None:
    assert name in [sought.name for sought in asked if sought.form == form]


def test_a_name_that_is_withheld_is_not_indexed(asked: list[Sought]) -> None:
    kept = {
        index_entry.ref: index_entry
        for index_entry in listed_forms_data.without_withheld(ENTRIES, asked)
    }
    assert [name.full for name in kept["un:16"].entity.names] == ["Mati ur-Rehman"]
    assert kept["ofac:13"] == ENTRIES[1]


def test_the_party_itself_must_be_found(tmp_path: Path) -> None:
    sought = [
        Sought("ships", "MV DINO I", "vessel", "ofac:14"),
        Sought("ships", "MV DINO I", "vessel", "ofac:12"),
    ]
    form = listed_forms.seek(sought, entries=ENTRIES, folder=tmp_path)["ships"]
    assert (form.sought, form.found[70], form.hits[70]) == (2, 1, 2)
    assert [missed[1:] for missed in form.missed] == [("MV DINO I", "Viktor Anatolijevitch BOUT")]


def test_spellings_of_other_countries_follow_rules() -> None:
    rules = listed_forms_data._SLAVIC_SPELLINGS
    spelt = {
        way: listed_forms_data._by_rules("Zhukov Shchyov", some) for way, some in rules.items()
    }
    assert spelt["German"].startswith("Schukow Schtsch") and spelt["Polish"].startswith(
        "Zukow Szcz"
    )

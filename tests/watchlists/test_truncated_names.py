"""Names that a message cuts off at the end of a line (D §4 What is compared with what)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.matching import truncated_names
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex, build_index
from apps.reference.watchlists.subjects import Subject

KOREA = "Central Bank of the Democratic People's Republic of Korea"
LISTED = {
    "korea": (KOREA,),
    "tanker": ("Coastal Shipping Tanker (Dalian) Seaman and Ship Management Co., Ltd.",),
    "positive": ("Aktsionernoe Obshchestvo Pozitiv Teknolodzhiz",),
    "astra": ("Foreign Limited Liability Company Dana Astra",),
    "service": ("Limited Liability Company Mortransservice",),
    "olympic": ("National Olympic Committee of the Republic of Belarus",),
    "plant": ("Damavand Turbine Construction Works Plant Number Seven",),
    "weak": ("Zagros Petrochemical Brokerage and Chartering House",),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> MatchIndex:
    directory: Path = tmp_path_factory.mktemp("cut_lines") / "index"
    entities = (
        ListedEntity(
            entity_id=ref,
            schema="Organization",
            names=tuple(ListedName(name, "primary", weak=ref == "weak") for name in names),
        )
        for ref, names in LISTED.items()
    )
    build_index(
        entries=(IndexEntry(entity.entity_id, "test", entity) for entity in entities),
        directory=directory,
    )
    return MatchIndex.open(directory)


def find(index: MatchIndex, name: str, entity_type: str = "company") -> dict[str, ListMatch]:
    lookup_result = lookup.match_sanctions_in_index(
        index=index, subject=Subject(name, entity_type=entity_type), most=5
    )
    return {match.ref: match for match in lookup_result.matches}


@pytest.mark.parametrize(
    ("line", "ref", "score"),
    [
        (KOREA[:35], "korea", 100),  # cut off within `People's`
        (f"{KOREA[:35]} Pyongyang", "korea", 100),
        (f"1/{KOREA[:33]} 2/Pyongyang", "korea", 100),
        ("Coastal Shipping Tanker Seaman and", "tanker", 100),  # without what is in brackets
        (LISTED["positive"][0][:35], "positive", 100),
        (LISTED["astra"][0][:35], "astra", 69),  # a legal form, and the `D` of a word
        (LISTED["service"][0][:35], "service", 100),  # half of a word that nobody else has
        (LISTED["olympic"][0][:35], "olympic", 69),  # of Romania as well
        ("Damavand Turbine Construction Works Karaj", "plant", 69),  # may be another's whole name
    ],
)
def test_a_line_counts_as_what_of_the_listed_name_fits_on_it(
    index: MatchIndex, line: str, ref: str, score: int
) -> None:
    assert find(index, line)[ref].score == score


@given(
    st.lists(st.text("abcdefg'-.", min_size=1, max_size=9), min_size=6, max_size=12).map(" ".join),
    st.integers(min_value=31, max_value=35),
)
def test_a_line_is_looked_for_where_the_name_that_begins_so_is_filed(name: str, end: int) -> None:
    if len(name) > truncated_names.NUMBERED_LINE and truncated_names.find_beginning(
        name[:end], name
    ):
        key = truncated_names.compute_beginning_key(name[:end])
        assert key in truncated_names.list_beginning_keys(name)


def test_a_line_is_compared_with_few_of_those_that_begin_with_a_legal_form() -> None:
    line = "Limited Liability Company Mortransservice"[:35]
    others = (
        f"Limited Liability Company {word}" for word in ("Mortorg Logistika", "Aviatransport")
    )
    key = truncated_names.compute_beginning_key(line)
    assert not [name for name in others if key in truncated_names.list_beginning_keys(name)]


@pytest.mark.parametrize(
    "name",
    [
        "National Olympic Committee of Romania and others",
        "Foreign Limited Liability Company Belaz",
        "National Olympic Committee of the Republics",  # the word goes on behind the line
        "Limited Liability Company",
    ],
)
def test_other_names_are_nobodys_beginning(index: MatchIndex, name: str) -> None:
    assert all(match.part != "CUT" for match in find(index, name).values())


def test_a_name_that_the_list_calls_weak_is_no_line(index: MatchIndex) -> None:
    found = find(index, LISTED["weak"][0][:35])
    assert all(match.part != "CUT" for match in found.values())


def test_the_evidence_shows_the_line_and_the_whole_listed_name(index: MatchIndex) -> None:
    line = LISTED["olympic"][0][:35]
    match = find(index, line)["olympic"]
    assert (match.asked, match.name, match.part) == (line, LISTED["olympic"][0], "CUT")
    assert match.explanation is not None and match.explanation.name == line
    assert match.effects[-1].what == "cut_line"
    assert match.notes[0].endswith("as a line that ends within a longer name.")


def test_the_type_that_is_known_bounds_a_line_too(index: MatchIndex) -> None:
    assert find(index, KOREA[:35], entity_type="vessel")["korea"].score == 69

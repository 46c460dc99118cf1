"""The index: built from a stream, opened from its files, searched, explained."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from apps.reference.watchlists.listed_entity import (
    Identifier,
    ListedEntity,
    ListedName,
    Position,
    Schema,
)
from apps.reference.watchlists.matching.explanation import explain_score
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex, Query, build_index
from apps.reference.watchlists.matching.index_digests import seal_directory

WALLET = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"


def entry(
    ref: str, *names: str, schema: Schema = "Person", identifiers: tuple[Identifier, ...] = ()
) -> IndexEntry:
    entity = ListedEntity(
        entity_id=ref,
        schema=schema,
        names=tuple(ListedName(name) for name in names),
        identifiers=identifiers,
        birth_dates=("1984-01-08",) if ref == "kim" else (),
        countries=("KP",) if ref == "kim" else (),
        positions=(Position("President", "KP", "2011-12-17"),) if ref == "kim" else (),
    )
    return IndexEntry(ref=f"test:{ref}", dataset="test", entity=entity)


def listed() -> Iterator[IndexEntry]:
    yield entry(
        "lazarus",
        "Lazarus Group",
        "Hidden Cobra",
        schema="Organization",
        identifiers=(Identifier("wallet", WALLET, asset="ETH"), Identifier("bic", "DCBKKPPYXXX")),
    )
    yield entry("kim", "Kim Jong Un", "Kim Jong-un", "김정은")
    yield entry("laden", "Usama bin Laden", "أسامة بن لادن")
    yield entry("ghost", "Orion", schema="Vessel", identifiers=(Identifier("imo", "IMO 9187629"),))
    yield entry("orion", "Orion Trading LLC", schema="Organization")
    yield entry("unclear", "Silent Chollima", schema="Unknown")
    yield entry("nameless", schema="Organization")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> MatchIndex:
    directory = tmp_path_factory.mktemp("match") / "index"
    seen: list[int] = []
    build_index(entries=listed(), directory=directory, progress=seen.append)
    assert seen == [1, 2, 3, 4, 5, 6, 7]
    return MatchIndex.open(directory)


def test_an_entity_comes_back_as_it_went_in(index: MatchIndex) -> None:
    entries = list(listed())
    assert len(index) == len(entries)
    assert [index.entity(position) for position in range(len(index))] == [e.entity for e in entries]


@pytest.mark.parametrize(
    ("name", "schema", "ref"),
    [
        ("Lazarus Group", "Organization", "test:lazarus"),
        ("HIDDEN COBRA LTD", "Organization", "test:lazarus"),
        ("Kim Jong Un", "Person", "test:kim"),
        ("Kim Jong-Un", None, "test:kim"),
        ("김정은", "Person", "test:kim"),
        ("Osama bin Ladin", "Person", "test:laden"),
        ("أسامة بن لادن", "Person", "test:laden"),
        ("KimJong Un", "Person", "test:kim"),
        ("Lazarusgroup", "Organization", "test:lazarus"),
        ("Silent Chollima", "Person", "test:unclear"),
        ("Silent Chollima", "Organization", "test:unclear"),
    ],
)
def test_a_listed_party_is_found(
    index: MatchIndex, name: str, schema: Schema | None, ref: str
) -> None:
    hits = index.search(Query(name, schema))
    assert hits
    assert (hits[0].ref, hits[0].dataset) == (ref, "test")
    assert hits[0].score >= 0.70
    assert hits[0].name in {name.full for name in index.entity(hits[0].position).names}


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("Blue Heron Stationery Limited", "Organization"),
        ("Microsoft Corporation", "Organization"),
        ("Philippa Quenneville-Thackeray", "Person"),
        ("Kim Jong Un", "Organization"),
        ("Lazarus Group", "Person"),
        ("", None),
        ("  \t", "Person"),
        ("?!.", None),
    ],
)
def test_who_is_not_listed_is_not_found(
    index: MatchIndex, name: str, schema: Schema | None
) -> None:
    assert index.search(Query(name, schema)) == []


def test_a_vessel_is_not_a_company_of_the_same_name(index: MatchIndex) -> None:
    assert [hit.ref for hit in index.search(Query("Orion", "Vessel"))] == ["test:ghost"]
    assert "test:ghost" not in [h.ref for h in index.search(Query("Orion", "Organization"))]
    assert "test:ghost" in [hit.ref for hit in index.search(Query("Orion"))]


@pytest.mark.parametrize(
    ("kind", "value", "ref"),
    [
        ("wallet", WALLET, "test:lazarus"),
        ("wallet", WALLET.lower(), "test:lazarus"),
        ("bic", "DCBKKPPY", "test:lazarus"),
        ("imo", "9187629", "test:ghost"),
    ],
)
def test_an_exact_identifier_hits_at_one(
    index: MatchIndex, kind: str, value: str, ref: str
) -> None:
    (hit,) = index.search_exact(kind=kind, value=value)
    assert (hit.ref, hit.score, hit.exact) == (ref, 1.0, True)
    (hit,) = index.search(Query("Nobody", identifiers=(Identifier(kind, value),)))
    assert (hit.ref, hit.exact) == (ref, True)


@pytest.mark.parametrize(
    ("kind", "value"), [("lei", "9187629"), ("imo", "9187628"), ("imo", ""), ("wallet", "0x")]
)
def test_another_identifier_hits_nothing(index: MatchIndex, kind: str, value: str) -> None:
    assert index.search_exact(kind=kind, value=value) == []


def test_cutoff_and_limit_bound_what_comes_back(index: MatchIndex) -> None:
    match = index.search(Query("Kim Jong Un"), cutoff=0.0, limit=50)
    assert [hit.score for hit in match] == sorted((h.score for h in match), reverse=True)
    assert index.search(Query("Kim Jong Un"), limit=0) == []
    assert len(index.search(Query("Kim Jong Un"), cutoff=0.0, limit=1)) == 1
    assert all(hit.score >= 0.9 for hit in index.search(Query("Orion"), cutoff=0.9))


QUERIES = [
    Query("Kim Jong Park", "Person"),
    Query("Kim Jong Un", "Person", birth_date="1990-05-01", countries=("DE",)),
    Query("Kim Jong Un", "Person", birth_date="1984-01-08", countries=("KP",)),
    Query("Lazarus Holdings", "Organization"),
    Query("Lazaro Group Trading"),
    Query("Lazar Grupa", "Organization"),
    Query("Usama Laden"),
    Query("Silent Chollimas"),
    Query("Orion Shipping LLC", "Organization"),
    Query("اسامه بن لادن", "Person"),
]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_the_explanation_is_the_score_of_the_search(index: MatchIndex, query: Query) -> None:
    hits = index.search(query, cutoff=0.05)
    assert hits
    for hit in hits:
        score = explain_score(
            query=query, entity=index.entity(hit.position), name=hit.name, weights=index.weights
        )
        assert score.score == hit.score
        assert score.as_dict()["score"] == hit.score
        assert {match.kind for match in score.matches}


def test_an_explanation_names_what_agrees_and_what_is_left_over(index: MatchIndex) -> None:
    entity = index.entity(1)
    score = explain_score(
        query=Query("Kim Jong Park", "Person", birth_date="1990-05-01"),
        entity=entity,
        name="Kim Jong Un",
        weights=index.weights,
    )
    assert {(match.query, match.listed, match.kind) for match in score.matches} == {
        ("kim", "kim", "exact"),
        ("jong", "jong", "exact"),
    }
    assert [left.token for left in score.query_left] == ["park"]
    assert [left.token for left in score.listed_left] == ["un"]
    assert score.qualifiers[0].what == "birth_date"
    assert score.score == pytest.approx(
        score.name_score + sum(qualifier.effect for qualifier in score.qualifiers)
    )


def test_a_birth_date_and_a_nationality_that_differ_lower_the_score(index: MatchIndex) -> None:
    (alone,) = index.search(Query("Kim Jong Un", "Person"))
    (other,) = index.search(
        Query("Kim Jong Un", "Person", birth_date="1951-05-01", countries=("DE",)), cutoff=0.0
    )[:1]
    assert alone.score == 1.0
    assert other.score < 0.70


def test_a_weak_alias_is_looked_at_and_never_a_match(tmp_path: Path) -> None:
    names = (ListedName("Andrzej Kowalski"), ListedName("Silver Fox", weak=True))
    entity = ListedEntity(entity_id="1", schema="Person", names=names)
    build_index(entries=[IndexEntry("t:1", "t", entity)], directory=tmp_path / "weak")
    index = MatchIndex.open(tmp_path / "weak")
    query = Query("Silver Fox", "Person")
    (hit,) = index.search(query)
    assert 0.45 <= hit.score < 0.70
    score = explain_score(query=query, entity=entity, name=hit.name, weights=index.weights)
    assert score.weak_alias
    assert score.score == hit.score
    assert index.search(Query("Andrzej Kowalski", "Person"))[0].score == 1.0


def test_an_empty_list_opens_and_finds_nothing(tmp_path: Path) -> None:
    build_index(entries=[], directory=tmp_path / "empty")
    index = MatchIndex.open(tmp_path / "empty")
    assert len(index) == 0
    assert index.search(Query("Kim Jong Un"), cutoff=0.0) == []
    assert index.search_exact(kind="imo", value="9187629") == []


def test_a_list_of_one_finds_that_one(tmp_path: Path) -> None:
    build_index(entries=[entry("only", "Andrzej Kowalski")], directory=tmp_path / "one")
    index = MatchIndex.open(tmp_path / "one")
    assert [hit.score for hit in index.search(Query("Andrzej KOWALSKI", "Person"))] == [1.0]
    assert index.search(Query("Andrzej Nowak", "Person")) == []


def test_an_index_is_never_built_over_another(tmp_path: Path) -> None:
    build_index(entries=[], directory=tmp_path)
    with pytest.raises(ValueError, match="empty"):
        build_index(entries=[], directory=tmp_path)


def test_an_index_of_another_format_is_refused(tmp_path: Path) -> None:
    build_index(entries=[], directory=tmp_path / "old")
    meta = tmp_path / "old" / "meta.json"
    meta.write_text(meta.read_text().replace('"format": ', '"format": 9'))
    seal_directory(tmp_path / "old")
    with pytest.raises(ValueError, match="format"):
        MatchIndex.open(tmp_path / "old")


def test_nothing_in_an_index_is_pickled(tmp_path: Path) -> None:
    build_index(entries=listed(), directory=tmp_path / "plain")
    suffixes = {path.suffix for path in (tmp_path / "plain").rglob("*") if path.is_file()}
    assert suffixes == {".npy", ".blob", ".json"}


def test_searches_at_the_same_time_do_not_touch_each_other(index: MatchIndex) -> None:
    names = ("Kim Jong Un", "Usama Laden", "Orion Trading", "Hidden Kobra", "Nobody Else") * 40
    alone = [index.search(Query(name)) for name in names]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda name: index.search(Query(name)), names)) == alone


def test_a_word_of_a_company_and_a_person_weighs_in_each_group_by_itself(tmp_path: Path) -> None:
    entries = [entry("a", "Orion Falk"), entry("b", "Orion Trading", schema="Organization")]
    entries += [entry(f"c{n}", f"Orion Holding {n}x", schema="Organization") for n in range(40)]
    build_index(entries=entries, directory=tmp_path / "index")
    weights = MatchIndex.open(tmp_path / "index").weights
    person = weights.facts(token="orion", group="person")
    thing = weights.facts(token="orion", group="thing")
    assert (person.count, thing.count) == (1, 41)
    assert person.weight > thing.weight
    assert weights.facts(token="falk", group="thing").count == 0


@pytest.mark.parametrize(
    ("listed", "query", "least"),
    [
        ("Parlindungan Siregar", "Parlin Siregar", 0.70),  # a name cut off
        ("Mohammad Shafiqullah Ahmadi", "Mohammad Shafiq Ahmadi", 0.70),
        ("Fabrice Michel Quenneville", "F. M. Quenneville", 0.45),
        ("1-P", "1-P", 0.99),  # nothing but single letters
        ("EL M", "EL M", 0.99),
    ],
)
def test_what_scores_is_found(tmp_path: Path, listed: str, query: str, least: float) -> None:
    named = ListedEntity(entity_id="1", schema="Person", names=(ListedName(listed),))
    build_index(entries=[IndexEntry("test:1", "test", named)], directory=tmp_path / "index")
    index = MatchIndex.open(tmp_path / "index")
    (hit,) = index.search(Query(query, "Person"))
    assert hit.score >= least


def test_scores_under_the_look_are_told_down_to_where_the_search_begins(index: MatchIndex) -> None:
    hits = index.search(Query("Kim Jong Park", "Person"), cutoff=0.01)
    assert hits
    assert all(0.01 <= hit.score <= 1 for hit in hits)

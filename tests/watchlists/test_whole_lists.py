"""An import takes whole lists alone: every file, no losses past a bound, no list too small."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.watchlists import catalog, completeness
from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
from apps.reference.watchlists.live_list_sets import judge_freshness, load_current_set
from apps.reference.watchlists.models import ListVersion, Source, SourceKind
from apps.reference.watchlists.services import list_imports
from apps.reference.watchlists.sources import FORMATS, ParseOptions
from tests.shared_data import shared
from tests.watchlists.test_source_ofac import ADD, ALT, SDN

Make = Callable[..., Source]
HAND = list_imports.ImportTerms(by_hand=True)


def files(folder: Path, **texts: str) -> list[Path]:
    made = []
    for name, text in texts.items():
        made.append(folder / f"{name}.csv")
        made[-1].write_text(text)
    return made


def take(source: Source, paths: list[Path], now: datetime, **options: Any) -> ListVersion:
    return list_imports.import_files(source=source, paths=paths, now=now, **options)


# --- all files of a list -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_files", "missing"),
    [
        ({"sdn": SDN}, "ALT.CSV, ADD.CSV is missing"),
        ({"sdn": SDN, "add": ADD}, "ALT.CSV is missing"),
        ({"sdn": SDN, "alt": ALT}, "ADD.CSV is missing"),
        ({"alt": ALT, "add": ADD}, "expected SDN.CSV"),
        ({"sdn": SDN, "alt": ALT, "add": ADD}, ""),
    ],
)
def test_the_list_of_ofac_is_all_of_its_files(
    source: Make, tmp_path: Path, noon: datetime, given_files: dict[str, str], missing: str
) -> None:
    ofac = source("ofac", kind=SourceKind.OFFICIAL, format="ofac-csv")
    paths = files(tmp_path, **given_files)
    if not missing:
        assert take(ofac, paths, noon).counts == {
            "names": 7, "aliases": 4, "addresses": 1, "identifiers": 3,
        }  # fmt: skip
        return
    with pytest.raises(list_imports.ImportRefused, match=missing):
        take(ofac, paths, noon)


def test_the_real_list_of_ofac_is_whole_and_cut_in_half_it_is_not(
    source: Make, tmp_path: Path, noon: datetime
) -> None:
    ofac = source("ofac", kind=SourceKind.OFFICIAL, format="ofac-csv")
    real = [shared(f"lists/ofac_2022_01/{name}.csv") for name in ("sdn", "alt", "add")]
    half = tmp_path / "half.csv"
    lines = real[0].read_bytes().splitlines(keepends=True)
    half.write_bytes(b"".join(lines[: len(lines) // 2]))
    with pytest.raises(list_imports.ImportRefused, match="belong to a party that the main file"):
        take(ofac, [half, *real[1:]], noon)
    version = take(ofac, real, noon)
    assert version.counts["aliases"] > 12_000 and version.counts["addresses"] > 9_000
    assert "1 of what was read belong" in version.report["notes"][0]
    with pytest.raises(list_imports.ImportRefused, match=r"ALT\.CSV is missing"):
        take(ofac, [real[0], real[2]], noon, accept_shrink=True)
    with pytest.raises(list_imports.ImportRefused, match=r"ALT\.CSV is missing"):
        take(ofac, [real[0], real[2]], noon)
    for name, place in (("aliases", 1), ("addresses", 2)):
        short = tmp_path / "short.csv"
        short.write_bytes(b"".join(real[place].read_bytes().splitlines(keepends=True)[:7000]))
        given_files = [*real]
        given_files[place] = short
        with pytest.raises(list_imports.ImportRefused, match=f"{name}, the live version has"):
            take(ofac, given_files, noon)


@pytest.mark.parametrize(
    ("kind", "before", "after", "fewer"),
    [
        ("aliases", 100, 90, ""),
        ("aliases", 100, 89, "89 aliases, the live version has 100"),
        ("addresses", 20, 17, "17 addresses, the live version has 20"),
        ("addresses", 19, 0, ""),
        ("identifiers", 100, 200, ""),
        ("names", 100, 0, "0 names, the live version has 100"),
    ],
)
def test_each_kind_of_fact_is_held_against_the_last_version(
    kind: str, before: int, after: int, fewer: str
) -> None:
    assert (
        completeness.describe_shrinkage(before={kind: before}, counts={kind: after}, percent=90)
        == fewer
    )


def ended(**names: str) -> list[dict[str, str]]:
    return [{"name": name.replace("_", "."), "ends": ends} for name, ends in names.items()]


@pytest.mark.parametrize(
    ("form", "before", "files", "cut"),
    [
        ("csv", {}, {"a": "none"}, ""),
        ("csv", {"a": "mark"}, {"b": "mark"}, ""),
        ("csv", {"a": "mark"}, {"b": "line"}, "b"),
        ("csv", {"a": "line"}, {"b": "none"}, "b"),
        ("csv", {"a": "none"}, {"a": "line"}, ""),
        # several files are told apart by their names, in whatever order they are given
        ("csv", {"add": "mark", "alt": "line"}, {"alt": "line", "add": "mark"}, ""),
        ("csv", {"add": "mark", "alt": "line"}, {"alt": "line", "add": "line"}, "add"),
        ("csv", {"add": "mark", "alt": "line"}, {"other": "none", "add": "mark"}, ""),
        ("ofac-csv", {}, {"sdn": "line", "alt": "mark"}, ""),
        ("ofac-csv", {}, {"sdn": "none", "alt": "mark"}, "sdn"),
    ],
)
def test_a_file_ends_as_its_publisher_ends_it(
    form: str, before: dict[str, str], files: dict[str, str], cut: str
) -> None:
    truncated_file = completeness.find_truncated_file(
        before=ended(**before), files=ended(**files), format=form
    )
    assert truncated_file == cut


@pytest.mark.parametrize(
    ("tail", "ends"), [(b"\x1a", "mark"), (b"\n", "line"), (b"x", "none"), (b"", "none")]
)
def test_the_end_of_a_file_is_a_mark_a_line_or_nothing(tail: bytes, ends: str) -> None:
    assert completeness.classify_file_ending(tail) == ends


def test_a_file_that_was_cut_off_is_refused(source: Make, tmp_path: Path, noon: datetime) -> None:
    house = source()
    take(house, files(tmp_path, a="entity_id,name\n1,A\n2,B\n"), noon)
    with pytest.raises(list_imports.ImportRefused, match="the file is truncated"):
        take(house, files(tmp_path, a="entity_id,name\n1,A\n2,B\n3,C"), noon)
    assert take(house, files(tmp_path, a="entity_id,name\n1,A\n2,B\n3,C\n"), noon).total == 3


# --- losses ----------------------------------------------------------------------------


def test_a_part_of_a_list_of_unknown_size_says_no_size(
    source: Make, write: Any, noon: datetime
) -> None:
    terms = list_imports.ImportTerms(by_hand=True, partial=True)
    version = take(source("house"), [write("a.csv", {"1": "A"})], noon, terms=terms)
    assert version.report["notes"] == ["It is only part of the list: 1 parties."]


@pytest.mark.parametrize(
    ("total", "count", "too_much"),
    [(50, 3, False), (50, 4, True), (1000, 10, False), (1000, 11, True)],
)
def test_losses_are_told_and_past_a_bound_refused(total: int, count: int, too_much: bool) -> None:
    for kind, words in completeness.LOSSES.items():
        told = [(f"{count} of what was read {words}.", too_much)]
        assert completeness.describe_losses(losses={kind: count}, total=total) == told
    assert completeness.describe_losses(losses={"dropped": 0}, total=total) == []


@pytest.mark.parametrize("nameless", [3, 4])
def test_parties_without_a_name_are_counted(
    source: Make, tmp_path: Path, noon: datetime, nameless: int
) -> None:
    house = source()
    rows = [f"{n},Party {n}" for n in range(40)] + [f"x{n}," for n in range(nameless)]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["entity_id,name", *rows]) + "\n")
    if nameless == 4:
        with pytest.raises(list_imports.ImportRefused, match="4 of what was read have no name"):
            take(house, [path], noon)
        return
    notes = take(house, [path], noon).report["notes"]
    assert notes == ["3 of what was read have no name or no number and were left out."]


@pytest.mark.parametrize(
    "name",
    [
        "M\ufffdller", "JosÃ© Ortega", "ÐŸÑƒÑ‚Ð¸Ð½", "Hod\x9ea Adem",
        "Ïåòðîâ Èâàí", "M?ller", "????",
        "Osamaâ€™s Trust",
    ],
)  # fmt: skip
def test_what_is_left_of_another_encoding_is_seen(name: str) -> None:
    party = ListedEntity("1", "Person", (ListedName(name),))
    assert completeness.count_entity_facts([party])["damaged"] == 1


@pytest.mark.parametrize(
    "name",
    [
        "Müller",
        "José Ortega",
        "Путин",
        "Ñuñez Ávila",
        "محمد",
        "Société Générale",
        "Is it? Ltd",
        "Ðorđe",
    ],
)
def test_letters_that_are_right_are_not_damage(name: str) -> None:
    party = ListedEntity("1", "Person", (ListedName(name),))
    assert completeness.count_entity_facts([party])["damaged"] == 0


def test_a_file_in_another_encoding_is_refused(
    source: Make, tmp_path: Path, noon: datetime
) -> None:
    names = ["Петров Иван", "Сидоров Пётр", "Иванова Мария", "Кузнецов Олег"]
    text = "".join(SDN.split("\n", 1)[0].replace("2674", str(n)).replace("ABBAS, Abu", name) + "\n"
                   for n, name in enumerate(names))  # fmt: skip
    ofac = source("ofac", format="ofac-csv")
    path = tmp_path / "sdn.csv"
    path.write_bytes(text.encode("cp1251"))
    with pytest.raises(list_imports.ImportRefused, match="broken encoding"):
        take(ofac, [path], noon)
    path.write_bytes(text.encode())
    assert "notes" not in take(ofac, [path], noon).report
    house = source()
    path.write_bytes("entity_id,name\n1,Müller\n".encode("latin-1"))
    with pytest.raises(list_imports.ImportRefused, match="expected text in utf-8"):
        take(house, [path], noon)


UK = "Report Date: 20-Nov-2026\nUnique ID,Name 6,Name 1,Name type,Regime Name,Designation Type\n"


@pytest.mark.parametrize(("strange", "refused"), [(0, False), (1, False), (4, True)])
def test_sanctioned_parties_of_an_unknown_type_stay_are_told_and_past_a_bound_refused(
    source: Make, tmp_path: Path, noon: datetime, strange: int, refused: bool
) -> None:
    uk = source("uk", kind=SourceKind.OFFICIAL, format="uk-csv")
    rows = [f"A{n},Firm {n},,Primary name,Russia,Entity\n" for n in range(20)]
    rows += [f"X{n},Thing {n},,Primary name,Russia,Satellite\n" for n in range(strange)]
    path = tmp_path / "uk.csv"
    path.write_text(UK + "".join(rows))
    if refused:
        with pytest.raises(list_imports.ImportRefused, match="4 of what was read are of a type"):
            take(uk, [path], noon)
        return
    version = take(uk, [path], noon)
    assert version.total == 20 + strange
    told = [
        "1 of what was read are of a type that is not known.",
        "Types that are not known: Satellite.",
    ]
    assert version.report.get("notes", []) == (told if strange else [])
    assert version.published_at == datetime(2026, 11, 20, tzinfo=UTC)


def test_a_sanctioned_thing_of_no_known_schema_and_a_wallet_of_nobody_are_listed() -> None:
    lines = (
        '{"id":"a","schema":"Satellite","properties":{"name":["Sputnik"],"topics":["sanction"]}}\n'
        '{"id":"b","schema":"Satellite","properties":{"name":["Vostok"]}}\n'
        '{"id":"c","schema":"CryptoWallet","properties":{"publicKey":["1Abc"],"topics":["sanction"]},'
        '"last_seen":"2026-11-19T06:00:00"}\n'
    )
    options = ParseOptions()
    found = list(FORMATS["ftm"].parse([BytesIO(lines.encode())], options))
    assert [(one.entity_id, one.schema, one.names[0].full) for one in found] == [
        ("a", "Unknown", "Sputnik"), ("c", "Unknown", "1Abc"),
    ]  # fmt: skip
    assert options.reading.losses["unknown_type"] == 1
    assert options.reading.published == datetime(2026, 11, 19, 6, tzinfo=UTC)


def test_a_list_of_nobody_who_is_screened_says_so(
    source: Make, tmp_path: Path, noon: datetime
) -> None:
    mixed = source(topic="mixed")
    version = take(mixed, files(tmp_path, a="entity_id,name\n1,A\n"), noon)
    assert version.report["notes"] == ["None of its parties has a topic that is screened."]
    version = take(mixed, files(tmp_path, b="entity_id,name,topic\n1,A,pep\n"), noon)
    assert "notes" not in version.report


# --- a part of a list --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("production", "terms", "outcome"),
    [
        (True, HAND, "refused"),
        (True, list_imports.ImportTerms(by_hand=True, partial=True), "partial"),
        (False, HAND, "partial"),
    ],
)
def test_a_list_under_its_floor_is_a_part_of_it_and_production_wants_that_said(
    source: Make, write: Any, noon: datetime, settings: Any, monkeypatch: Any,
    production: bool, terms: list_imports.ImportTerms, outcome: str,
) -> None:  # fmt: skip
    monkeypatch.setitem(catalog.LEAST, "house", 3)
    settings.PRODUCTION, settings.REQUIRED_SOURCES = production, []
    settings.LEDGER_KEYS = "k:" + "ab" * 32
    house = source()
    two, three = (
        write("a.csv", {"1": "A", "2": "B"}),
        write("b.csv", {"1": "A", "2": "B", "3": "C"}),
    )
    if outcome == "refused":
        with pytest.raises(list_imports.ImportRefused, match="the whole list has 3 at least"):
            take(house, [two], noon, terms=terms)
        return
    version = take(house, [two], noon, terms=terms)
    assert version.partial and "2 parties of at least 3" in version.report["notes"][0]
    judgement = judge_freshness(lists=load_current_set(), topic="sanction", now=noon)
    assert judgement.state == "fresh" and "house is only partly loaded" in judgement.lacking[0]
    settings.REQUIRED_SOURCES = ["house"]
    assert judge_freshness(lists=load_current_set(), topic="sanction", now=noon).state == "absent"
    assert not take(house, [three], noon).partial
    assert judge_freshness(lists=load_current_set(), topic="sanction", now=noon).lacking == ()


# --- age from publication ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "published", "checked", "found"),
    [
        # asked of the publisher: it publishes this still, unless the file itself is very old
        (list_imports.DEFAULT_TERMS, None, 48, "fresh"),
        (list_imports.DEFAULT_TERMS, None, 49, "stale"),
        (list_imports.DEFAULT_TERMS, 24 * 31 - 1, 0, "fresh"),
        (list_imports.DEFAULT_TERMS, 24 * 31 + 1, 0, "stale"),
        # given by an operator: of its publication, however lately it was given
        (HAND, 47, 0, "fresh"),
        (HAND, 49, 0, "stale"),
    ],
)
def test_a_list_ages_from_its_publication(
    source: Make, write: Any, noon: datetime, settings: Any,
    terms: list_imports.ImportTerms, published: int | None, checked: int, found: str,
) -> None:  # fmt: skip
    settings.LISTS_MAX_AGE_HOURS = 48
    said = None if published is None else noon - timedelta(hours=published)
    house = source(kind=SourceKind.OFFICIAL)
    given_terms = list_imports.ImportTerms(by_hand=terms.by_hand, published=said)
    take(house, [write("a.csv", {"1": "A"})], noon - timedelta(hours=checked), terms=given_terms)
    assert judge_freshness(lists=load_current_set(), topic="sanction", now=noon).state == found


def test_a_file_by_hand_of_no_known_age_is_refused_where_age_counts(
    source: Make, write: Any, noon: datetime, settings: Any
) -> None:
    house, path = source(kind=SourceKind.OFFICIAL), write("a.csv", {"1": "A"})
    settings.LISTS_MAX_AGE_HOURS = 48
    with pytest.raises(list_imports.ImportRefused, match="give --published"):
        take(house, [path], noon, terms=HAND)
    settings.LISTS_MAX_AGE_HOURS = 0
    take(house, [path], noon, terms=HAND)
    settings.LISTS_MAX_AGE_HOURS = 48
    judgement = judge_freshness(lists=load_current_set(), topic="sanction", now=noon)
    assert (judgement.state, judgement.detail) == (
        "stale",
        "The publication date of the list house is unknown.",
    )
    # told by the operator, then confirmed by its publisher
    import_terms = list_imports.ImportTerms(by_hand=True, published=noon - timedelta(hours=47))
    take(house, [path], noon, terms=import_terms)
    assert judge_freshness(lists=load_current_set(), topic="sanction", now=noon).state == "fresh"
    later = noon + timedelta(hours=2)
    assert judge_freshness(lists=load_current_set(), topic="sanction", now=later).state == "stale"
    take(house, [path], later)
    assert judge_freshness(lists=load_current_set(), topic="sanction", now=later).state == "fresh"


def test_a_list_of_tomorrow_is_refused(source: Make, write: Any, noon: datetime) -> None:
    import_terms = list_imports.ImportTerms(
        by_hand=True, published=noon + timedelta(days=1, seconds=1)
    )
    with pytest.raises(list_imports.ImportRefused, match="its publication date 2026-11-21"):
        take(source(), [write("a.csv", {"1": "A"})], noon, terms=import_terms)


UN = (
    '<CONSOLIDATED_LIST dateGenerated="2026-11-10T00:00:00Z"><INDIVIDUALS><INDIVIDUAL>'
    "<DATAID>1</DATAID><FIRST_NAME>A</FIRST_NAME></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>"
)


def test_what_an_operator_tells_of_files_given_again_never_outweighs_their_own_date(
    source: Make, tmp_path: Path, noon: datetime, settings: Any
) -> None:
    settings.LISTS_MAX_AGE_HOURS = 48
    un, path = source("un", kind=SourceKind.OFFICIAL, format="un-xml"), tmp_path / "un.xml"
    path.write_text(UN)
    for told in (noon, None, noon - timedelta(hours=1)):
        take(un, [path], noon, terms=list_imports.ImportTerms(by_hand=True, published=told))
        assert un.live and un.live.published_at == datetime(2026, 11, 10, tzinfo=UTC)
        assert (
            judge_freshness(lists=load_current_set(), topic="sanction", now=noon).state == "stale"
        )


@pytest.mark.parametrize("agreed", [False, True])
def test_in_production_no_single_person_tells_the_day_of_a_list(
    source: Make, write: Any, noon: datetime, settings: Any, agreed: bool
) -> None:
    settings.LEDGER_KEYS, settings.PRODUCTION = f"a:{'22' * 32}", True
    house, path = source(kind=SourceKind.OFFICIAL), write("a.csv", {"1": "A"})
    terms = list_imports.ImportTerms(by_hand=True, published=noon, agreed=agreed)
    if agreed:
        assert take(house, [path], noon, terms=terms).published_at == noon
        return
    take(house, [path], noon)
    with pytest.raises(list_imports.ImportRefused, match="takes two people"):
        take(house, [path], noon, terms=terms)  # the files that are live already
    with pytest.raises(list_imports.ImportRefused, match="takes two people"):
        take(house, [write("b.csv", {"1": "B"})], noon, terms=terms)


@pytest.mark.parametrize(("hours", "refused"), [(0, False), (1, True)])
def test_files_of_an_earlier_version_are_no_newer_by_what_is_told(
    source: Make, write: Any, noon: datetime, hours: int, refused: bool
) -> None:
    house, old = source(kind=SourceKind.OFFICIAL), write("a.csv", {"1": "A"})
    then = noon - timedelta(days=5)
    take(house, [old], noon, terms=list_imports.ImportTerms(by_hand=True, published=then))
    take(house, [write("b.csv", {"1": "B"})], noon)
    import_terms = list_imports.ImportTerms(by_hand=True, published=then + timedelta(hours=hours))
    if refused:
        with pytest.raises(list_imports.ImportRefused, match=r"were version 1, .* no newer"):
            take(house, [old], noon, terms=import_terms)
    else:
        assert take(house, [old], noon, terms=import_terms).sequence == 3


@pytest.mark.parametrize(("ahead", "refused"), [(0, False), (1, True)])
def test_files_given_again_are_not_of_tomorrow_either(
    source: Make, write: Any, noon: datetime, ahead: int, refused: bool
) -> None:
    house, path = source(kind=SourceKind.OFFICIAL), write("a.csv", {"1": "A"})
    first = list_imports.ImportTerms(by_hand=True, published=noon)
    later = noon + timedelta(days=1, seconds=ahead)
    take(house, [path], noon, terms=first)
    again = list_imports.ImportTerms(by_hand=True, published=later)
    if refused:
        with pytest.raises(list_imports.ImportRefused, match="its publication date"):
            take(house, [path], noon, terms=again)
    else:
        take(house, [path], noon, terms=again)
    assert house.live and house.versions.get().published_at == (noon if refused else later)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-02-27T00:00:09.554Z", datetime(2026, 2, 27, 0, 0, 9, 554000, UTC)),
        ("2026-02-27T17:00:34+01:00", datetime(2026, 2, 27, 16, 0, 34, tzinfo=UTC)),
        ("27-Feb-2026", datetime(2026, 2, 27, tzinfo=UTC)),
        ("27/02/2026", datetime(2026, 2, 27, tzinfo=UTC)),
        ("2026-02-27", datetime(2026, 2, 27, tzinfo=UTC)),
        ("soon", None),
        ("", None),
    ],
)
def test_what_files_say_of_their_publication_is_understood(
    text: str, moment: datetime | None
) -> None:
    options = ParseOptions()
    options.stated(text)
    assert options.reading.published == moment
    options.stated("2020-01-01")
    assert options.reading.published == (moment or datetime(2020, 1, 1, tzinfo=UTC))


@given(st.text())
def test_no_text_of_a_file_breaks_the_reading_of_its_date(text: str) -> None:
    options = ParseOptions()
    options.stated(text)
    published = options.reading.published
    assert published is None or published.tzinfo is not None

"""Several namesakes of one screen are found to be others at once; what ends that, and what not."""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.backoffice.review.models import Case, KnownFalsePositive
from apps.backoffice.review.services.known_false_positive_expiry import (
    end_outdated_known_false_positives,
)
from apps.compliance.screening.combined.replay import replay_screen
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from apps.reference.watchlists import engine, indexes
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person

NOTE = "Born elsewhere and in another year, and at another address."
ASKED = {"name": "Tamsin Quillfeather", "country": "DE"}
COLUMNS = ("entity_id", "name", "aliases", "schema", "birth_date", "country", "passport",
           "address", "program", "remarks", "listed_on")  # fmt: skip
# seven who share a name with the customer in part, each with facts of its own
NAMESAKES: dict[str, dict[str, str]] = {
    str(n): {
        "name": f"Tamsin {second} Quilter",
        "birth_date": f"19{60 + n}-02-03",
        "country": "FR",
        "passport": f"P{n}4567890",
        "address": f"{n} Rue Haute, Lyon",
        "program": "HOUSE",
    }
    for n, second in enumerate(
        ("Oduya", "Brankovic", "Lindqvist", "Marchetti", "Okonkwo", "Petrosyan", "Villanueva"), 1
    )
}
SANDOVAL = NAMESAKES["1"] | {"name": "Tamsin Sandoval Quilter"}
Listed = Mapping[str, Mapping[str, str]]
Load = Callable[[Listed], None]


@pytest.fixture
def own_folder(tmp_path: Path, settings: Any) -> None:
    """Give each test its own indexes: two tests make other lists of the same version."""
    settings.VAR_DIR = tmp_path / "var"
    engine.reset_engine()


@pytest.fixture
def goes_live(own_folder: None, sample: None, tmp_path: Path) -> Iterator[Load]:
    """Make these parties the house list, and screen against it."""
    Source.objects.create(
        slug="house",
        title="House list",
        topic=SourceTopic.SANCTION,
        kind=SourceKind.IN_HOUSE,
        format="csv",
        minimum_percent=0,
        enabled=True,
    )

    def load(parties: Listed) -> None:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.csv"
        with path.open("w", newline="") as file:
            rows = csv.DictWriter(file, COLUMNS)
            rows.writeheader()
            for key, one in parties.items():
                rows.writerow({"entity_id": key, "schema": "Person", **one})
        list_imports.import_files(source=Source.objects.get(slug="house"), paths=[path], now=now())
        indexes.build_set_index(load_current_set())
        engine.reset_engine()

    yield load
    engine.reset_engine()


@pytest.fixture
def people(db: Any) -> tuple[User, User]:
    return person("olivia", OFFICER), person("sven", SENIOR)


def confirm(case: Case, senior: Client) -> None:
    """Confirm a first decision as a second officer, where it takes one."""
    case.refresh_from_db()
    if case.needs_second:
        code = "NAME_ONLY" if case.first_outcome == "APPROVE" else "LISTED_PARTY"
        given = {"proposed": case.first_outcome, "reason": code, "note": NOTE}
        assert senior.post(f"/admin/review/case/{case.pk}/confirm/", given).status_code == 302


def clear_at_desk(case: Case, people: tuple[User, User]) -> None:
    """Decide a case with all of its namesakes known to be others, and approve that as another."""
    officer, senior = (at_desk(one) for one in people)
    page = check_page(officer.get(f"/admin/review/case/{case.pk}/"))
    offered = [part.split('"')[0] for part in page.split(' value="house:')[1:]]
    fields = {f"known-{n}": f"house:{key}" for n, key in enumerate(offered, 1)}
    fields |= {
        "known": "yes",
        "known_until": page.split('name="known_until"')[1].split('value="')[1][:10],
    }
    fields |= {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE}
    assert officer.post(f"/admin/review/case/{case.pk}/decide/", fields).status_code == 302
    confirm(case, senior)
    known_false_positive = KnownFalsePositive.objects.filter(case=case).latest("pk")
    step = f"/admin/review/knownfalsepositive/{known_false_positive.pk}/decide/"
    assert senior.post(step, {"decision": "approve-all", "note": NOTE}).status_code == 302


@pytest.fixture
def cleared(goes_live: Load, screen: Callable[..., Any], people: tuple[User, User]) -> Load:
    """Let officers find that none of the seven is the customer."""
    goes_live(NAMESAKES)
    answer = screen(**ASKED)
    assert answer["rules"] == ["sanctions.partial"], answer["reasons"]
    assert len(answer["checks"]["sanctions"]["matches"]) == 5
    clear_at_desk(Case.objects.get(), people)
    return goes_live


def test_all_namesakes_are_judged_in_one_decision_and_cleared(
    cleared: Load, screen: Callable[..., Any]
) -> None:
    assert KnownFalsePositive.objects.filter(state="IN_FORCE").count() == len(NAMESAKES)
    answer = screen(**ASKED)
    assert (answer["decision"], answer["rules"]) == ("APPROVED", ["sanctions.known"])
    record = Screen.objects.latest("pk")
    assert len(record.data["evidence"]["knownFalse"]) == len(NAMESAKES)
    assert replay_screen(record=record).agrees


def test_one_more_namesake_flags(cleared: Load, screen: Callable[..., Any]) -> None:
    cleared(NAMESAKES | {"8": SANDOVAL})
    answer = screen(**ASKED)
    assert answer["decision"] == "FLAGGED"
    assert "Sandoval" in answer["reasons"][0] and "Oduya" not in answer["reasons"][0]


def test_those_that_an_officer_left_out_flag(
    goes_live: Load, screen: Callable[..., Any], people: tuple[User, User]
) -> None:
    goes_live(NAMESAKES)
    screen(**ASKED)
    case = Case.objects.get()
    clear_at_desk(case, people)
    last = KnownFalsePositive.objects.latest("pk")
    ended = at_desk(people[0]).post(
        f"/admin/review/knownfalsepositive/{last.pk}/end/", {"note": NOTE}
    )
    assert ended.status_code == 302
    assert screen(**ASKED)["decision"] == "FLAGGED"


def changed(number: str = "1", **fields: str) -> dict[str, dict[str, str]]:
    return NAMESAKES | {number: NAMESAKES[number] | fields}


def renamed(**fields: str) -> dict[str, dict[str, str]]:
    others = {key: one for key, one in NAMESAKES.items() if key != "1"}
    return others | {"1-NEW": NAMESAKES["1"] | fields}


def merged(**fields: str) -> dict[str, dict[str, str]]:
    """Return the list with its first two parties as one, under the reference of the second."""
    namesake, other = NAMESAKES["1"], NAMESAKES["2"]
    joined = {
        "name": other["name"],
        "aliases": namesake["name"],
        **{what: f"{namesake[what]};{other[what]}" for what in ("birth_date", "passport")},
        "country": "FR",
        "program": "HOUSE",
    }
    rest = {key: row for key, row in NAMESAKES.items() if key not in ("1", "2")}
    return rest | {"2": joined | fields}


SAME = {
    "another programme": changed(program="HOUSE; OTHER"),
    "a remark": changed(remarks="Photo available"),
    "a day of listing": changed(listed_on="2020-01-01"),
    "names in capitals": changed(name=NAMESAKES["1"]["name"].upper()),
    "another reference": renamed(),
    "another reference and programme": renamed(program="OTHER"),
}
OTHER = {
    "an alias": changed(aliases="T. O. Quilter of Bonn"),
    "the name": changed(name="Tamsin Oduja Quilter"),
    "a birth date": changed(birth_date="1971-02-03"),
    "no birth date": changed(birth_date=""),
    "another nationality": changed(country="DE"),
    "another passport": changed(passport="P94567890"),
    "another address": changed(address="9 Rue Basse, Lyon"),
    "another reference and birth date": renamed(birth_date="1971-02-03"),
}


@pytest.mark.parametrize(
    ("listed", "decision", "woken"),
    [(one, "APPROVED", 0) for one in SAME.values()]
    + [(one, "FLAGGED", 1) for one in OTHER.values()],
    ids=[*SAME, *OTHER],
)
def test_it_holds_until_a_fact_that_it_rested_on_changes(
    cleared: Load, screen: Callable[..., Any], listed: Listed, decision: str, woken: int
) -> None:
    cleared(listed)
    answer = screen(**ASKED)
    assert answer["decision"] == decision, answer["reasons"]
    assert end_outdated_known_false_positives(now=now()).woken == woken
    assert screen(**ASKED)["decision"] == decision


@pytest.mark.parametrize(
    ("fields", "decision"),
    [({}, "APPROVED"), ({"birth_date": "1961-02-03;1962-02-03;1971-02-03"}, "FLAGGED")],
    ids=["what both said", "a date more"],
)
def test_it_holds_for_entries_that_the_list_merged(
    goes_live: Load, screen: Callable[..., Any], people: tuple[User, User],
    fields: dict[str, str], decision: str,
) -> None:  # fmt: skip
    without_addresses = {
        key: {what: said for what, said in one.items() if what != "address"}
        for key, one in (NAMESAKES | {"8": SANDOVAL}).items()
    }
    goes_live(without_addresses)
    screen(**ASKED)
    clear_at_desk(Case.objects.get(), people)
    rest = {key: one for key, one in without_addresses.items() if key not in ("1", "2")}
    goes_live(rest | {"2": merged(**fields)["2"]})
    assert screen(**ASKED)["decision"] == decision
    assert end_outdated_known_false_positives(now=now()).woken == (
        0 if decision == "APPROVED" else 2
    )
    assert screen(**ASKED)["decision"] == decision


def test_a_second_change_of_reference_is_followed(
    cleared: Load, screen: Callable[..., Any]
) -> None:
    cleared(renamed())
    listed = {key: one for key, one in renamed().items() if key != "1-NEW"}
    cleared(listed | {"1-NEWER": NAMESAKES["1"]})
    assert end_outdated_known_false_positives(now=now()).woken == 0
    assert screen(**ASKED)["decision"] == "APPROVED"
    cleared(listed)
    assert end_outdated_known_false_positives(now=now()).woken == 1  # it left the list for good


def test_a_party_found_to_be_the_renamed_one_ends_what_was_known_of_it(
    cleared: Load, screen: Callable[..., Any], people: tuple[User, User]
) -> None:
    cleared(renamed() | {"8": SANDOVAL})
    screen(**ASKED)
    case = Case.objects.latest("pk")
    fields = {"outcome": "REJECT", "reason_REJECT": "LISTED_PARTY", "note": NOTE}
    at_desk(people[0]).post(f"/admin/review/case/{case.pk}/decide/", fields)
    confirm(case, at_desk(people[1]))
    states = dict(KnownFalsePositive.objects.values_list("entity", "state"))
    assert {states[key] for key in states if key.endswith(":1")} == {"ENDED"}, json.dumps(states)


@pytest.mark.parametrize(
    "told",
    [{"birthDate": "1961-02-03"}, {"nationality": "FR"}, {"address": "1 Rue Haute, Lyon"},
     {"identifiers": [{"type": "passport", "value": "X14567899"}]}],
)  # fmt: skip
def test_other_data_of_the_customer_is_judged_anew(
    cleared: Load, screen: Callable[..., Any], told: dict[str, Any]
) -> None:
    assert screen(**ASKED)["decision"] == "APPROVED"
    assert screen(**ASKED | told)["decision"] != "APPROVED"

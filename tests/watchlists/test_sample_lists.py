"""The bundled sample holds what a first try needs."""

from datetime import datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.reference.watchlists import engine, indexes
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.matching.index import Query
from apps.reference.watchlists.models import Source


@pytest.fixture
def opened(db: Any, noon: datetime) -> engine.Engine:
    """The sample, loaded and indexed as the first run does it."""
    call_command("load_sample_lists", verbosity=0)
    indexes.build_set_index(load_current_set())
    return engine.load_current_engine(noon, need=("sanction", "pep"))


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("Lazarus Group", "Organization"),
        ("Kim Jong Un", "Person"),
        ("Sberbank", "Organization"),
        ("Garantex", "Organization"),
    ],
)
def test_well_known_listed_parties_are_found(opened: engine.Engine, name: str, schema: Any) -> None:
    assert opened.sanctions.search(Query(name, schema))[0].score >= 0.9
    assert opened.sample


@pytest.mark.parametrize(
    ("kind", "value", "name"),
    [
        ("wallet", "0x098B716B8Aaf21512996dC57EB0615e2383E2f96", "Lazarus Group"),
        ("wallet", "1Q9UAQbcDezmyouFrzt94t4dSMxgsUfW1X", "Danil Potekhin"),
        ("lei", "549300WE6TAF5EEWQS81", "Public Joint Stock Company Sberbank of Russia"),
    ],
)
def test_listed_identifiers_hit_exactly(
    opened: engine.Engine, kind: str, value: str, name: str
) -> None:
    (hit,) = opened.sanctions.search_exact(kind=kind, value=value)
    assert (hit.name, hit.score, hit.exact) == (name, 1.0, True)


def test_a_former_prime_minister_has_both_offices(opened: engine.Engine) -> None:
    hit = opened.pep.search(Query("Keir Starmer", "Person", countries=("GB",)))[0]
    offices = opened.pep.entity(hit.position).positions
    assert {(office.title, office.until) for office in offices} == {
        ("Prime Minister", "2026-07-20"),
        ("Member of Parliament", ""),
    }


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("Blue Heron Stationery Limited", "Organization"),
        ("Philippa Quenneville-Thackeray", "Person"),
    ],
)
def test_clean_names_are_not_found(opened: engine.Engine, name: str, schema: Any) -> None:
    assert opened.sanctions.search(Query(name, schema), cutoff=0.45) == []
    assert opened.pep.search(Query(name, schema), cutoff=0.45) == []


def test_every_party_has_what_its_file_promises(opened: engine.Engine) -> None:
    wallets = sum(
        identifier.kind == "wallet"
        for at in range(len(opened.sanctions))
        for identifier in opened.sanctions.entity(at).identifiers
    )
    assert (len(opened.sanctions), len(opened.pep), wallets) == (46, 33, 8)
    for at in range(len(opened.pep)):
        assert opened.pep.entity(at).positions
        assert all(office.country and office.since for office in opened.pep.entity(at).positions)


def test_the_sample_can_be_taken_out_and_put_back(opened: engine.Engine) -> None:
    call_command("load_sample_lists", "--remove", verbosity=0)
    assert load_current_set().sources == ()
    call_command("load_sample_lists", verbosity=0)
    assert load_current_set().id == opened.list_set.id


def test_production_does_not_load_it(db: Any, settings: Any) -> None:
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="Production"):
        call_command("load_sample_lists")
    assert not Source.objects.filter(kind="sample").exists()

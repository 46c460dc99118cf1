"""POST /v1/intelligence/contagion with an institution, which stands in its country's place."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from apps.insight.intelligence.rules.currency_web import EURO_COUNTRIES, SOVEREIGNS, node_of_country
from apps.insight.intelligence.services import contagion_origins
from apps.reference.lei.values import Entity, HeldEntity, LeiLookup
from tests.conftest import NOON
from tests.intelligence.conftest import ask

APPLE, BANK = "HWUPKR0MPOU8FGXBT394", "7LTWFZYICNSX8D621K86"


def known(monkeypatch: Any, country: str, **options: Any) -> None:
    """GLEIF knows an entity of this country."""
    entity = Entity(BANK, "Bank of Tests", "ISSUED", country=country, **options)
    lei_lookup = LeiLookup(BANK, "KNOWN", HeldEntity(entity, "GLEIF_FILE", NOON, NOON), NOON)
    monkeypatch.setattr(contagion_origins.lookups, "look_up_lei", lambda **_: lei_lookup)


@pytest.fixture
def entities(db: None) -> None:
    """The bundled sample of entities."""
    call_command("load_sample_lei", verbosity=0)


def told(client: APIClient, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = ask(client, "contagion", **body)
    assert answer.status_code == status, answer.content
    return dict(answer.json())


@pytest.mark.django_db
def test_its_loss_is_its_share_of_what_its_country_loses(buyer: APIClient, entities: None) -> None:
    body = told(buyer, origin=APPLE, lossShare=0.5, countryShare=0.2)
    alone = told(buyer, origin="US", lossShare=0.1)
    assert (body["origin"], body["originSovereign"], body["originLoss"]) == (APPLE, "US", 0.1)
    assert (body["lossShare"], alone["originLoss"]) == (0.5, 0.1)
    assert body["components"] == alone["components"]
    assert body["contagionScore"] == alone["contagionScore"] > 0
    institution = body["institution"]
    assert (institution["lei"], institution["legalName"], institution["country"]) == (
        APPLE,
        "Apple Inc.",
        "US",
    )
    assert (institution["countryShare"], institution["source"]) == (0.2, "SAMPLE")


@pytest.mark.django_db
def test_what_is_assumed_of_it_is_said_in_words(buyer: APIClient, entities: None) -> None:
    body = told(buyer, origin=APPLE.lower(), lossShare=1, countryShare=1)
    assert "assumed to be distributed like those of US" in body["assumption"]
    assert told(buyer, origin="US", lossShare=1)["assumption"] is None
    assert told(buyer, origin="us", lossShare=1)["institution"] is None


@pytest.mark.django_db
def test_one_of_a_country_of_the_euro_stands_in_the_union(
    buyer: APIClient, monkeypatch: Any
) -> None:
    for country in ("DE", "MC"):
        known(monkeypatch, country)
        body = told(buyer, origin=BANK, lossShare=1, countryShare=0.05)
        assert (body["originSovereign"], body["institution"]["country"]) == ("EU", country)
        assert body["originLoss"] == 0.05
    known(monkeypatch, "", jurisdiction="CA-ON")  # its record has no address
    body = told(buyer, origin=BANK, lossShare=1, countryShare=0.05)
    assert (body["originSovereign"], body["institution"]["country"]) == ("CA", "CA")


@pytest.mark.django_db
@pytest.mark.parametrize(("country", "said"), [("BR", "is BR"), ("", "states no country")])
def test_one_whose_country_is_not_in_the_web_is_refused(
    refused: APIClient, monkeypatch: Any, country: str, said: str
) -> None:
    known(monkeypatch, country)
    body = told(refused, 400, origin=BANK, lossShare=1, countryShare=0.05)
    assert body["code"] == "institution_not_placed"
    assert said in body["detail"] and body["errors"][0]["field"] == "origin"


@pytest.mark.django_db
def test_one_that_nobody_knows_is_refused(refused: APIClient, monkeypatch: Any) -> None:
    for status, code, http in (
        ("UNKNOWN", "institution_unknown", 404),
        ("NOT_CHECKED", "institution_not_checked", 503),
    ):
        lei_lookup = LeiLookup(BANK, status)  # type: ignore[arg-type]
        monkeypatch.setattr(
            contagion_origins.lookups, "look_up_lei", lambda found=lei_lookup, **_: found
        )
        answer = ask(refused, "contagion", origin=BANK, lossShare=1, countryShare=0.05)
        assert (answer.status_code, answer.json()["code"]) == (http, code)
    assert int(answer["Retry-After"]) > 0


def test_every_node_has_countries_and_no_country_has_two() -> None:
    assert {node_of_country(country) for country in (*EURO_COUNTRIES, *SOVEREIGNS)} == {
        *SOVEREIGNS,
        None,
    }
    assert not EURO_COUNTRIES & {*SOVEREIGNS}
    assert (
        node_of_country("EU") is None
        and node_of_country("DE") == "EU"
        and node_of_country("SE") == "SE"
    )
    assert node_of_country("DK") is None and node_of_country("LI") is None


@pytest.mark.parametrize(
    "country",
    [
        "AT", "BE", "BG", "CY", "DE", "EE", "ES", "FI", "FR", "GR", "HR", "IE", "IT", "LT", "LU",
        "LV", "MT", "NL", "PT", "SI", "SK",
        "AX", "BL", "GF", "GP", "MF", "MQ", "PM", "RE", "TF", "YT",
        "AD", "MC", "SM", "VA", "ME", "XK",
    ],
)  # fmt: skip
def test_who_pays_in_euros_belongs_to_the_union(country: str) -> None:
    assert node_of_country(country) == "EU"


@pytest.mark.parametrize("country", ["NC", "PF", "WF", "AW", "CW", "SX", "GL", "FO", "BA"])
def test_a_territory_or_neighbour_with_money_of_its_own_does_not(country: str) -> None:
    assert node_of_country(country) is None


@pytest.mark.django_db
def test_a_larger_share_of_a_country_is_never_less_of_a_loss(
    buyer: APIClient, entities: None
) -> None:
    scores = [
        Decimal(str(told(buyer, origin=APPLE, lossShare=1, countryShare=one)["contagionScore"]))
        for one in (0.0001, 0.3, 1)
    ]
    assert scores == sorted(scores) and scores[0] < scores[-1]

"""Companies, banks and offices of state as payments cut them short, on hand-made and real lists."""

from typing import Any

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.matching.name_normalization import normalize_name
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import official_engine


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """OFAC's list as it was in January 2022."""
    return official_engine(tmp_path_factory.mktemp("official"))


def best(engine: Any, name: str) -> ListMatch | None:
    matches = lookup.match_sanctions(engine=engine, subject=Subject(name=name)).matches
    return matches[0] if matches else None


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Foreign Trade Bank of the DPRK", "FOREIGN TRADE BANK OF"),
        ("Foreign Trade Bank of the D.P.R.K.", "FOREIGN TRADE BANK OF"),
        ("Foreign Trade Bank of North Korea", "FOREIGN TRADE BANK OF"),
        ("FTB of N. Korea, Foreign Trade Bank", "FOREIGN TRADE BANK OF"),
        ("Central Bank of the DPR Korea", "CENTRAL BANK OF"),
        ("Islamic Rep of Iran Shipping Lines", "ISLAMIC REPUBLIC OF IRAN SHIPPING"),
        ("I.R. Iran Shipping Lines", "ISLAMIC REPUBLIC OF IRAN SHIPPING"),
        ("IRI Shipping Lines", "ISLAMIC REPUBLIC OF IRAN SHIPPING"),
        ("Central Bank of the SAR", "CENTRAL BANK OF SYRIA"),
        ("Central Bank of the Syrian Arab Rep.", "CENTRAL BANK OF SYRIA"),
        ("BK MELLI IRAN", "BANK MELLI IRAN"),
        ("Bk of Industry and Mine", "BANK OF INDUSTRY AND MINE"),
        ("Nat. Iranian Tanker Company", "NATIONAL IRANIAN TANKER"),
        ("Nat Iranian Oil Co", "NATIONAL IRANIAN OIL"),
        ("Min. of Defense and Armed Forces Logistics", "MINISTRY OF DEFENSE AND"),
        ("PETROLEOS DE VZLA", "PETROLEOS DE VENEZUELA"),
    ],
)
def test_a_listed_body_is_found_by_its_name_cut_short(
    official: Any, name: str, listed: str
) -> None:
    list_match = best(official, name)
    assert list_match is not None and list_match.score >= 70
    assert list_match.name.startswith(listed)


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("Govt of the UAE", "Government of the United Arab Emirates"),
        ("State Bank of the U.S.S.R.", "State Bank of the Union of Soviet Socialist Republics"),
        ("Central Bank of the PRC", "Central Bank of the People's Republic of China"),
        ("Gov. of the DRC", "Government of the Democratic Republic of the Congo"),
        ("Gov of the KSA", "Government of the Kingdom of Saudi Arabia"),
        ("Central Bank of the I.R.I.", "Central Bank of the Islamic Republic of Iran"),
        ("Bank of the ROK", "Bank of the Republic of Korea"),
        ("S. Korea Trading", "South Korea Trading"),
        ("Nat. Bank of the Rep. of Belarus", "National Bank of the Republic of Belarus"),
        ("Min. of Oil, Syrian Arab Rep.", "Ministry of Oil, Syrian Arab Republic"),
        ("Emb. of the DPRK", "Embassy of the Democratic People's Republic of Korea"),
        ("Navy of Venezuela", "Navy of the Bolivarian Republic of Venezuela"),
        ("Banco de Cuba", "Bco de la República de Cuba"),
    ],
)
def test_a_country_or_office_cut_short_is_read_as_the_whole(short: str, whole: str) -> None:
    said, listed = (
        [
            token
            for token in normalize_name(name=name, group="thing").tokens
            if token not in ("the", "la")
        ]
        for name in (short, whole)
    )
    assert said == listed


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("Rok Trading", ("rok", "trading")),
        ("Sar Logistics", ("sar", "logistics")),
        ("Government of the Hong Kong SAR", ("government", "of", "the", "hong", "kong", "sar")),
        ("Min Yuen Textiles", ("min", "yuen", "textiles")),
        ("Nat Foods", ("nat", "foods")),
        ("IRI Foods", ("iri", "foods")),
        ("Comm Tower", ("comm", "tower")),
        ("Bank of the Republic of China", ("bank", "of", "the", "taiwan")),
        ("DPRK", ("dprk",)),
        ("Islamic Republic of Iran", ("islamic", "republic", "of", "iran")),
        ("Republic Trading", ("republic", "trading")),
    ],
)
def test_what_only_looks_like_one_cut_short_stays(name: str, tokens: tuple[str, ...]) -> None:
    assert normalize_name(name=name, group="thing").tokens == tokens


def test_a_person_is_not_read_as_an_office() -> None:
    assert normalize_name(name="Nat Rep Min", group="person").tokens == ("nat", "rep", "min")

"""Connectors: what each takes from its source, and what it refuses as a whole."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.utils.module_loading import import_string

from apps.insight.esg.sources import BY_SLUG, SOURCES, SourceQuery, list_configured_sources
from apps.insight.esg.sources.connector_helpers import SourceServer, is_same_company
from apps.platform.upstreams.http import UpstreamError
from tests.upstreams.loopback import Loopback, body, status

pytestmark = pytest.mark.django_db
LEI = "HWUPKR0MPOU8FGXBT394"
ASKED = SourceQuery(LEI, "Apple Inc.", "US", date(2026, 11, 20))


@pytest.fixture
def far(settings: Any, tmp_path: Path) -> Iterator[Loopback]:
    settings.VAR_DIR, settings.WEB_WORKERS = tmp_path, 4
    loopback = Loopback()
    yield loopback
    loopback.close()


def fetch(slug: str, far: Loopback, path: str = "") -> list[Any]:
    return list(import_string(BY_SLUG[slug].fetch)(url=far.url + path, asked=ASKED))


def told(figures: list[Any]) -> dict[str, tuple[Decimal, str]]:
    return {figure.key: (figure.value, figure.period) for figure in figures}


def ghgrp(year: int) -> str:
    return (f"/pub_dim_facility/parent_company/CONTAINING/Apple/year/{year}"
            f"/pub_facts_sector_ghg_emission/year/{year}/JSON")  # fmt: skip


def site(parents: str, tonnes: Any = 100) -> dict[str, Any]:
    return {"facility_id": 1, "parent_company": parents, "co2e_emission": tonnes}


def test_ghgrp_takes_each_sites_part_of_the_last_year_that_has_one(far: Loopback) -> None:
    rows = [site("APPLE INC (60%); OTHER LLC (40%)"), site("Apple Inc."), site("APPLE VALLEY INC"),
            site("APPLE INC (100%)", None)]  # fmt: skip
    far.answers[ghgrp(2025)] = body(b"[]")
    far.answers[ghgrp(2024)] = body(json.dumps(rows).encode())
    found = fetch("epa-ghgrp", far)
    assert told(found) == {"ghg_scope1": (Decimal(160), "2024")}
    assert (found[0].subject, found[0].estimated, found[0].period_end.year) == (LEI, True, 2024)


@pytest.mark.parametrize(
    "answer", [b"{}", b"[1]", b'[{"facility_id": 1}]', b'[{"facility_id":1,"parent_company":'
               b'"Apple Inc","co2e_emission":"much"}]']
)  # fmt: skip
def test_ghgrp_refuses_what_is_not_its_format(far: Loopback, answer: bytes) -> None:
    far.answers[ghgrp(2025)] = body(answer)
    with pytest.raises(ValueError):
        fetch("epa-ghgrp", far)


ECHO, QID = "/echo_rest_services.get_facilities", "/echo_rest_services.get_qid"


def results(**fields: Any) -> Any:
    return body(json.dumps({"Results": fields}).encode())


def test_echo_takes_the_mean_over_facilities_that_bear_the_name(far: Loopback) -> None:
    far.answers[ECHO] = results(QueryRows="3", QueryID="77")
    far.answers[QID] = results(
        Facilities=[
            {"FacName": "APPLE - CAMPUS 1", "FacQtrsWithNC": "3"},
            {"FacName": "Apple Inc Data Center", "FacQtrsWithNC": "0"},
            {"FacName": "Big Apple Diner", "FacQtrsWithNC": "12"},
            {"FacName": "Apple Valley Foods", "FacQtrsWithNC": "12"},
            {"FacName": "APPLE STORE 7", "FacQtrsWithNC": None},
        ]
    )
    assert told(fetch("epa-echo", far))["noncompliance_quarters"][0] == Decimal("1.5")
    assert "qid=77" in far.calls[1]


def test_a_facility_of_which_nothing_is_said_is_not_clean(far: Loopback) -> None:
    far.answers[ECHO] = results(QueryRows="2", QueryID="77")
    sites = [{"FacName": "APPLE", "FacQtrsWithNC": given} for given in (None, "")]
    far.answers[QID] = results(Facilities=sites)
    assert fetch("epa-echo", far) == []


@pytest.mark.parametrize(
    ("name", "country", "other", "same"),
    [
        ("Apple Inc.", "US", "APPLE INC", True),
        ("Apple Inc.", "US", "Apple Corporation", True),
        ("Apple Inc.", "US", "Apple Valley Inc", False),
        ("Genesis Inc", "US", "Genesys Inc", False),
        ("AMAZON.COM, INC.", "US", "AMAZON COM INC", True),
        ("BANK OF AMERICA CORPORATION", "US", "BANK OF AMERICA CORP /DE/", True),
        ("THE PROCTER & GAMBLE COMPANY", "US", "PROCTER & GAMBLE Co", True),
        ("The Company", "US", "The Limited", False),
        ("Meridian GmbH", "DE", "MERIDIAN INC", False),
        ("Meridian Limited", "GB", "MERIDIAN LLC", False),
        ("SAP SE", "DE", "SAP SE", True),
        ("ASML Holding N.V.", "NL", "ASML HOLDING NV", True),
        ("Nestlé S.A.", "CH", "NESTLE SA", True),
        ("", "US", "", False),
    ],
)
def test_a_register_means_the_entity_by_its_whole_name(
    name: str, country: str, other: str, same: bool
) -> None:
    source_query = SourceQuery(LEI, name, country, ASKED.today)
    assert is_same_company(query=source_query, other=other) is same


@pytest.mark.parametrize(
    ("name", "country", "facility", "named"),
    [
        ("Apple Inc.", "US", "APPLE - CAMPUS 1", True),
        ("Apple Inc.", "US", "Apple Inc Data Center", True),
        ("Apple Inc.", "US", "APPLE, CUPERTINO", True),
        ("Apple Inc.", "US", "APPLE VALLEY FOODS", False),
        ("The Coca-Cola Company", "US", "COCA-COLA CO ATLANTA", True),
        ("First Inc", "US", "FIRST CO-OPERATIVE BANK", False),
        ("Meridian GmbH", "DE", "MERIDIAN - PLANT 2", False),
        ("Meridian GmbH", "DE", "MERIDIAN GMBH - PLANT 2", True),
        ("Meridian GmbH", "DE", "MERIDIAN INC PLANT", False),
    ],
)
def test_a_facility_is_named_after_its_company_and_no_longer_name(
    far: Loopback, name: str, country: str, facility: str, named: bool
) -> None:
    far.answers[ECHO] = results(QueryRows="1", QueryID="77")
    far.answers[QID] = results(Facilities=[{"FacName": facility, "FacQtrsWithNC": "3"}])
    source_query = SourceQuery(LEI, name, country, ASKED.today)
    assert (
        bool(list(import_string(BY_SLUG["epa-echo"].fetch)(url=far.url, asked=source_query)))
        is named
    )


def test_a_year_with_blanks_is_no_year_without_injuries(far: Loopback) -> None:
    text = OSHA_HEAD + "APPLE INC,2025,300000,,,,\nApple Inc.,2024,100000,0,1,0,0\n"
    far.answers["/file.csv"] = body(text.encode())
    assert told(fetch("osha", far, "/file.csv")) == {"injury_rate": (Decimal(2), "2024")}


def test_echo_without_a_facility_is_no_figure(far: Loopback) -> None:
    far.answers[ECHO] = results(QueryRows="0")
    assert fetch("epa-echo", far) == []


@pytest.mark.parametrize("fields", [{"Error": {"ErrorMessage": "x"}}, {"QueryRows": "2"}])
def test_echo_refuses_what_is_not_its_format(far: Loopback, fields: dict[str, Any]) -> None:
    far.answers[ECHO] = results(**fields)
    with pytest.raises(ValueError):
        fetch("epa-echo", far)


TICKERS, FACTS = "/files/company_tickers.json", "/api/xbrl/companyfacts/CIK0000320193.json"
LISTED = {"0": {"cik_str": 1, "ticker": "APLE", "title": "Apple Hospitality REIT, Inc."},
          "1": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."}}  # fmt: skip


def fact(start: str, end: str, val: int, form: str, filed: str) -> dict[str, Any]:
    return {"start": start, "end": end, "val": val, "form": form, "filed": filed, "fp": "FY"}


def test_sec_takes_the_last_whole_year_and_when_it_was_first_filed(
    far: Loopback, settings: Any
) -> None:
    settings.ESG_CONTACT = "esg@oracle.example"
    years = [
        fact("2023-10-01", "2024-09-28", 391035000000, "10-K", "2024-11-01"),
        fact("2023-10-01", "2024-09-28", 391035000000, "10-K", "2025-10-31"),
        fact("2024-06-30", "2024-09-28", 94930000000, "10-K", "2024-11-01"),
        fact("2024-09-29", "2025-06-28", 300000000000, "10-Q", "2025-08-01"),
        fact("2022-09-25", "2023-09-30", 383285000000, "10-K", "2023-11-03"),
    ]
    facts = {"us-gaap": {"Revenues": {"units": {"USD": years}}}}
    far.answers[TICKERS] = body(json.dumps(LISTED).encode())
    far.answers[FACTS] = body(json.dumps({"cik": 320193, "facts": facts}).encode())
    found = told(fetch("sec", far))
    assert found["revenue_usd"] == (Decimal(391035000000), "year to 2024-09-28")
    assert found["annual_report_days"][0] == 34
    assert far.headers[0]["User-Agent"].endswith("esg@oracle.example")


def test_sec_knows_nothing_of_a_name_that_does_not_file(far: Loopback) -> None:
    far.answers[TICKERS] = body(json.dumps({"0": LISTED["0"]}).encode())
    assert fetch("sec", far) == [] and len(far.calls) == 1


def test_sec_refuses_what_is_not_its_format(far: Loopback) -> None:
    far.answers[TICKERS] = body(json.dumps(LISTED).encode())
    far.answers[FACTS] = body(b'{"facts": []}')
    with pytest.raises(ValueError):
        fetch("sec", far)


OSHA_HEAD = ("company_name,year_filing_for,total_hours_worked,total_deaths,total_dafw_cases,"
             "total_djtr_cases,total_other_cases\n")  # fmt: skip
FILES = {
    "osha": (
        OSHA_HEAD + "APPLE INC,2024,300000,0,2,1,0\nApple Inc.,2024,100000,0,1,0,0\n"
        "APPLE INC,2023,100000,0,9,0,0\nApple Farm LLC,2024,1000,0,9,9,9\n",
        {"injury_rate": (Decimal(2), "2024")},
    ),
    "eu-ets": (
        f"LEI,YEAR,VERIFIED_EMISSIONS\n{LEI[:4]}-{LEI[4:]},2024,10\n{LEI},2024,5\n{LEI},2023,99\n"
        "OTHER,2024,7\n",
        {"ghg_scope1": (Decimal(15), "2024")},
    ),
    "sbti": (
        f"company_name,lei,near_term_status\nOther,X,Targets set\nApple,{LEI},Committed\n",
        {"climate_target": (Decimal("0.5"), "2026-11")},
    ),
    "climate-trace": (
        f"parent_lei,overall_share_percent,year,emissions_quantity\n{LEI},50,2024,100\n"
        f"{LEI},,2024,10\n{LEI},100,2022,999\n",
        {"ghg_scope1": (Decimal(60), "2024")},
    ),
}


@pytest.mark.parametrize("slug", FILES)
def test_a_file_is_read_in_a_stream_and_fetched_once_a_month(far: Loopback, slug: str) -> None:
    text, wanted = FILES[slug]
    far.answers["/file.csv"] = body(text.encode())
    found = fetch(slug, far, "/file.csv")
    assert told(found) == wanted
    # what a register knows of some sites is not what the company reports of itself
    assert found[0].estimated is (slug in ("climate-trace", "eu-ets"))
    assert fetch(slug, far, "/file.csv") == found and len(far.calls) == 1


def test_two_workers_that_need_a_new_file_fetch_it_once_and_read_it_whole(
    settings: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    settings.VAR_DIR = tmp_path
    text, wanted = FILES["sbti"]
    begun, go_on = threading.Event(), threading.Event()
    calls: list[Path] = []

    def stall_in_the_middle(_: Any, path: str, target: Path) -> None:
        calls.append(target)
        first = len(calls) == 1
        with target.open("w") as out:
            out.write(text[:40])
            out.flush()
            begun.set()
            if first:
                go_on.wait(10)
            out.write(text[40:])

    monkeypatch.setattr(SourceServer, "download", stall_in_the_middle)
    source = import_string(BY_SLUG["sbti"].fetch)
    with ThreadPoolExecutor(2) as workers:
        one = workers.submit(source, url="https://a.example/file.csv", asked=ASKED)
        assert begun.wait(10)
        other = workers.submit(source, url="https://a.example/file.csv", asked=ASKED)
        # long enough for the second to come to its download, if nothing keeps it from that
        wait([other], timeout=0.5)
        go_on.set()
        assert told(one.result(10)) == told(other.result(10)) == wanted
    assert len(calls) == 1


@pytest.mark.parametrize("slug", FILES)
def test_a_file_without_the_entity_is_no_figure(far: Loopback, slug: str) -> None:
    far.answers["/file.csv"] = body(FILES[slug][0].splitlines(keepends=True)[0].encode())
    assert fetch(slug, far, "/file.csv") == []


@pytest.mark.parametrize("slug", FILES)
def test_a_file_without_its_columns_is_refused(far: Loopback, slug: str) -> None:
    far.answers["/file.csv"] = body(b"a,b\n1,2\n")
    with pytest.raises(ValueError):
        fetch(slug, far, "/file.csv")


@pytest.mark.parametrize(
    ("slug", "bad"),
    [("osha", OSHA_HEAD + "APPLE INC,2024,many,0,0,0,0\n"),
     ("eu-ets", f"LEI,YEAR,VERIFIED_EMISSIONS\n{LEI},2024,much\n"),
     ("sbti", f"lei,near_term_status\n{LEI},Perhaps\n"),
     ("climate-trace", "parent_lei,overall_share_percent,year,emissions_quantity\n"
      f"{LEI},half,2024,1\n")],
)  # fmt: skip
def test_a_value_that_is_none_refuses_the_file(far: Loopback, slug: str, bad: str) -> None:
    far.answers["/file.csv"] = body(bad.encode())
    with pytest.raises(ValueError):
        fetch(slug, far, "/file.csv")


BANK = ("EN.GHG.CO2.PC.CE.AR5", "HD.HCI.OVRL", "RL.EST", "EN.GHG.ALL.MT.CE.AR5", "NY.GDP.MKTP.CD")


def page(*rows: tuple[str, Any], pages: int = 1) -> Any:
    told = [{"country": {"id": code}, "date": "2023", "value": value} for code, value in rows]
    return body(json.dumps([{"page": 1, "pages": pages}, told]).encode())


def test_the_world_bank_gives_each_country_and_no_group_of_them(far: Loopback) -> None:
    for code in BANK:
        far.answers[f"/country/all/indicator/{code}"] = page(
            ("SE", 0.5), ("1W", 0.4), ("EU", 0.3), ("DE", None)
        )
    found = fetch("world-bank", far)
    assert {one.subject for one in found} == {"SE"} and len(found) == len(BANK)
    assert told(found)["country_ghg_t"] == (Decimal(500_000), "2023")


@pytest.mark.parametrize(
    "answer", [body(b'[{"message": [{"id": "120"}]}]'), page(("SE", 1), pages=2), page(("SE", "x"))]
)
def test_the_world_bank_is_refused_as_a_whole(far: Loopback, answer: Any) -> None:
    for code in BANK:
        far.answers[f"/country/all/indicator/{code}"] = page(("SE", 0.5))
    far.answers[f"/country/all/indicator/{BANK[2]}"] = answer
    with pytest.raises(ValueError):
        fetch("world-bank", far)


@pytest.mark.parametrize("slug", ["epa-ghgrp", "epa-echo", "sec", "world-bank"])
def test_a_source_that_fails_is_an_error_of_upstreams(far: Loopback, slug: str) -> None:
    for path in (ghgrp(2025), ECHO, TICKERS, f"/country/all/indicator/{BANK[0]}"):
        far.answers[path] = status(503)
    with pytest.raises(UpstreamError):
        fetch(slug, far)


def test_which_sources_are_asked_is_said_by_the_setting(settings: Any) -> None:
    def named(*parts: str) -> dict[str, str]:
        settings.ESG_SOURCES = list(parts)
        return {
            configured_source.slug: configured_source.url
            for of in ("entity", "country")
            for configured_source in list_configured_sources(of=of)
        }

    own = {source.slug: source.url for source in SOURCES if source.url}
    assert named() == {}
    assert named("all") == own and {"osha", "sbti"} & set(own) == set()
    assert named("all", "osha=https://a.example/x") == own | {"osha": "https://a.example/x"}
    assert named("sec=https://b.example/") == {"sec": "https://b.example"}
    with pytest.raises(ValueError):
        named("nothing")


def test_no_connector_claims_to_be_verified() -> None:
    assert not any(source.verified for source in SOURCES)

"""The glossary: in order, one sentence each, and true of the places that it names."""

import inspect
import re
from pathlib import Path

from apps.platform.api import idempotency
from apps.platform.api.authentication import Grant
from apps.platform.api.viewsets import OperationViewSet
from config.desk_roles import ROLES

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| `?([^|`]+)`? \|$", TEXT, flags=re.M)[2:]
TERMS = {term.casefold() for term, _, _ in ROWS}
# what anybody knows who reads this at all, parts of proper names, and values of fields
COMMON = {
    word
    for line in (
        "AA API ASCII ASGI CDN CI CPU CSV ETag EU GB GET GiB HEAD HTML HTTP HTTPS ID ISO JSON KiB",
        "MB MIT MiB NAT NaN NUL OpenAPI PATCH POST PUT README REST RFC SHA SIGTERM SQL TLS UK UN",
        "URL US USD UTC UTF WAL WCAG WSGI XML DELETE TRUNCATE UPDATE",
        "BY CC NC CDF RR CFR FSF FCDO ECB SDMX SDN",
        "CLEAR HIGH MEDIUM LOW NONE FULL",
        "XRP XRPL",
        "DE DL EIA FRED IMF NASA NOAA NSIDC USGS USDM VIX WSV XLSX ZIP ML OFR PEGELONLINE",
        "BLS EDGAR GDP GWh EUR LIVE NACE OECD TRACE",
        "AUD CAD CHF CNY GBP INR JPY MXN SEK USDT GBR JPN USA DeFi",
        "BIS CLS CPSS CPI CRU TS FAO IEA ILO SDG UNDP WMO AER AJS JIE JRSS",
        "PRIOR BROAD SWIFT",
        "BSEE DR EONET FAS FERC GDACS ICCO MMS NASS NERC POWER PSD USDA RED GREEN IFRS",
    )
    for word in line.split()
}


def test_terms_stand_in_order_and_once() -> None:
    named = [term.casefold() for term, _, _ in ROWS]
    assert len(named) > 70
    assert named == sorted(set(named))


def test_each_is_one_sentence() -> None:
    for term, meaning, _ in ROWS:
        assert meaning[0].isupper() and meaning.endswith("."), term
        assert not re.search(r"[a-z]\. [A-Z]", meaning), term


def test_each_term_is_found_where_it_is_said_to_be() -> None:
    for term, _, where in ROWS:
        if where == "–":
            continue
        text = " ".join((ROOT / where).read_text(encoding="utf-8").split()).casefold()
        spelt = re.escape(term.casefold()).replace(r"\ ", "[ _-]")
        assert re.search(rf"(?<![a-z]){spelt}", text), f"{term} is not in {where}"


def test_what_comes_is_not_there_yet() -> None:
    coming = [term for term, _, where in ROWS if where == "–"]
    rows = [path.read_text(encoding="utf-8") for path in ROOT.glob("apps/**/api/viewsets.py")]
    for term in coming:
        assert not any(re.search(rf"\b{term}\b", text, flags=re.I) for text in rows), (
            f"{term} has come: say in docs/glossary.md where it is at home"
        )


def test_every_step_of_a_call_and_every_role_is_explained() -> None:
    steps = {"gather", "conclude"} & set(inspect.signature(OperationViewSet.run).parameters)
    steps |= {"settle"} & set(vars(Grant)) | {"claim"} & {
        name.lower() for name in vars(idempotency)
    }
    assert len(steps) == 4
    roles = {"officer", "examiner"}
    assert all(any(role in name.casefold() for name in ROLES) for role in roles)
    assert steps | roles <= TERMS


def test_every_abbreviation_of_the_documents_is_explained() -> None:
    missing = {}
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        text = page.read_text(encoding="utf-8")
        for quoted in (r"```.*?```", r"`[^`]*`", r"\]\([^)]*\)"):
            text = re.sub(quoted, " ", text, flags=re.S)
        for word in re.findall(r"\b[A-Z][A-Za-z]*[A-Z][a-z]?\b", text):
            one = word.removesuffix("s")
            if not {word, one} & COMMON and one.casefold() not in TERMS and len(word) < 6:
                missing[word] = page.name
    assert missing == {}

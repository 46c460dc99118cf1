"""What officers read on pages of the SAR log are words: no names of tables, codes or columns."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.backoffice.sar import search
from apps.backoffice.sar.models import SarEntry
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from tests.review.people import NOON, NOTE, check_page
from tests.sar.matters import LOG, matter, post

TECHNICAL = re.compile(
    r"\b[a-z]+\.[a-z]+\b(?!@)|\w+_\w+|[{}]|\bEta\b|payload|\bNone\b|\b(?:SAR|OFAC)-\d|§|us-ofac|"
    r"\b[A-Z]{4,}\b(?<!OFAC)(?<!HADAD)(?<!SDGT)(?<!SANDBOX)(?<!FATF)(?<!USDC)"
)
LISTS = ("us-ofac-sdn", "eu-fsf", "a-list-that-left")


def technical(text: str) -> list[str]:
    return [match[0] for match in TECHNICAL.finditer(text)]


def read(desk: Client, address: str) -> str:
    """Return what is read of a page: nothing of its code, addresses and options."""
    html = check_page(desk.get(address)).split("<main")[1].split("</main>")[0]
    html = re.sub(r"<(script|svg|style|template)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html)))


@pytest.fixture
def one(samir: Client) -> SarEntry:
    """A matter with lists that matched, rules, a report that was corrected, and a screening."""
    sar_entry = matter(ago=40, rules=["1 §2.7 rule 3 match"], reasons=["It matches."], lists=LISTS)
    report = {"on": "2026-11-13", "reference": "R-1", "amount": "1 usdc"}
    post(samir, sar_entry, action="OFAC_BLOCKED", **report)
    said = report | {"seen": "1", "corrects": str(sar_entry.filings.get().pk), "why": NOTE}
    samir.post(f"{LOG}{sar_entry.pk}/correct/", said | {"on": "2026-11-12"})
    post(samir, sar_entry, action="TO_FILE", rationale=NOTE, seen="2")
    return sar_entry


def test_a_matter_is_read_in_words(samir: Client, one: SarEntry) -> None:
    found = read(samir, f"{LOG}{one.pk}/")
    assert "Matched on US OFAC Specially Designated" in found and "Correction of step 1" in found
    assert "Screen one" in found and "Report to OFAC (United States)" in found
    assert technical(found.replace("a-list-that-left", "")) == []


def test_the_list_and_who_opened_it_are_read_in_words(samir: Client, one: SarEntry) -> None:
    assert technical(read(samir, LOG)) == []
    samir.get(f"{LOG}{one.pk}/")
    found = read(samir, "/admin/sar/sarread/")
    assert f"20{NOON:%y}" in found and f"Entry of the SAR log {one.pk}" in found
    assert "SAR log –" in found and technical(found) == []
    assert f'href="{LOG}{one.pk}/">Entry of the SAR log' in check_page(
        samir.get("/admin/sar/sarread/")
    )


def test_what_is_purged_says_so_in_words(samir: Client, one: SarEntry) -> None:
    sealer.seal_all_ledgers(now=NOON)
    given: dict[str, Any] = {"reason": PurgeReason.ERASURE, "by": "dpo", "now": NOON, "why": "7/26"}
    assert retention.purge_payload(ledger="sar", record_id=one.pk, **given)
    found = read(samir, f"{LOG}{one.pk}/")
    assert "Party purged" in found and "Its record was purged on 20 Nov 2026" in found
    assert technical(found) == technical(read(samir, LOG)) == []


def test_a_search_finds_an_entry_in_words(samir: Client, one: SarEntry) -> None:
    found = read(samir, "/admin/search/?q=Hadad")
    assert f"SAR log entry {one.pk} · 11 Oct 2026 · Screen one" in found
    assert technical(found) == []


@pytest.mark.parametrize("older", ["number", "record", "party"])
def test_a_search_finds_an_older_entry_by_number_or_record_alone(
    samir: Client, monkeypatch: pytest.MonkeyPatch, older: str
) -> None:
    monkeypatch.setattr(search, "MOST_NEWEST", 2)
    first = matter("older-record", party="Vellum Trading")
    matter("newer", party="Boris Hadad")
    text = {"number": str(first.pk), "record": "older-record", "party": "Vellum"}[older]
    reader = User.objects.get(username="samir")

    def found(asked: str) -> list[str]:
        group = search.search_entries(reader, asked, NOON)
        return [hit.record for hit in group.hits] if group else []

    assert found(text) == [f"sar:{first.pk}"]  # it is one of the newest two
    newest = matter("newest", party="Boris Hadad")
    assert found(text) == ([] if older == "party" else [f"sar:{first.pk}"])
    assert f"sar:{newest.pk}" in found("Hadad")


def test_a_record_of_a_kind_that_has_no_name_is_a_record(samir: Client) -> None:
    made = SarEntry.write(payload={"party": "Ann"}, now=NOON, kind="future_kind", ref="7")
    found = read(samir, f"{LOG}{made.pk}/") + read(samir, LOG)
    assert "Record 7" in found and technical(found) == []

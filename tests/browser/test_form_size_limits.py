"""A form that is too large for the server is not sent, and nothing that was typed is gone."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apps.compliance.payees.models import WalletImport
from apps.platform.server.request_inbox import MOST_BODY
from tests.browser.page_checks import DESKTOP, PHONE, Seen, axe, too_wide
from tests.review.people import SENIOR, person

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Any]
HEAD = b"walletAddress,legalName,lei,country,aliases\n"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_file_that_is_too_large_is_told_on_the_page_and_another_can_be_chosen(
    opened: Open, live_server: Any, tmp_path: Path, size: Any
) -> None:
    large, small = tmp_path / "large.csv", tmp_path / "small.csv"
    large.write_bytes(HEAD + b"x" * 5_000_000)
    small.write_bytes(HEAD + b"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,Northwind,,DE,\n")
    page = opened(person("ruth", "Registrar"), dark=True, size=size)
    seen = Seen(page, live_server.url)
    page.goto("/admin/registry/walletimport/upload/")
    page.get_by_label("CSV file").set_input_files(large)
    page.get_by_role("button", name="Upload and check").click()
    by_role = page.get_by_role("alert")
    by_role.wait_for()
    assert "Nothing was sent: this form with its files is 4.8 MiB" in by_role.inner_text()
    assert page.get_by_label("CSV file").input_value().endswith("large.csv")
    assert axe(page) == [] and too_wide(page) <= 0 and seen.faults == []
    assert not WalletImport.objects.exists()
    page.get_by_label("CSV file").set_input_files(small)
    page.get_by_role("button", name="Upload and check").click()
    page.wait_for_url(re.compile(r"/walletimport/[0-9]+/$"))
    assert WalletImport.objects.get().total == 1 and seen.faults == []


@pytest.mark.parametrize("more", [0, 1])
def test_a_text_is_sent_up_to_the_bound_and_stays_on_the_page_above_it(
    opened: Open, live_server: Any, more: int
) -> None:
    page = opened(person("samir", SENIOR), size=DESKTOP)
    page.goto("/admin/countries/countrychange/add/")
    form = page.locator("form[data-draft]")
    note = form.locator("textarea").first
    around = form.evaluate("(form) => new URLSearchParams(new FormData(form)).toString().length")
    text = "y" * (MOST_BODY - around + more)
    note.evaluate("(box, text) => { box.value = text; }", text)
    cancelled = form.evaluate(
        """(form) => {
          const sent = new SubmitEvent("submit", { bubbles: true, cancelable: true });
          return !form.dispatchEvent(sent);
        }"""
    )
    assert cancelled is bool(more)
    assert note.evaluate("(box) => box.value.length") == len(text)
    assert form.get_by_role("alert").count() == more

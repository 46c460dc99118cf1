"""AML screens and wallets are found from every page, listed, filtered and exported."""

import csv
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.compliance.aml.models import AmlScreen
from apps.compliance.aml.search import search_aml_screens, search_wallet_profiles
from tests.conftest import NOON
from tests.payees.registration.conftest import wallet
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
Screen = Callable[..., dict[str, Any]]
EXAMINER = "Examiner"


def test_a_screen_is_found_by_its_id_and_by_its_wallet_however_written(screen: Screen) -> None:
    told = screen()
    emma = person("emma", EXAMINER)
    for text in (told["screenId"], wallet(1), wallet(1).lower(), f"eth:{wallet(1)}"):
        group = search_aml_screens(emma, text, NOON)
        assert group is not None and [hit.label for hit in group.hits] == [wallet(1)], text
    exact = search_aml_screens(emma, told["screenId"], NOON)
    assert exact is not None and exact.hits[0].exact and exact.hits[0].record
    assert (
        search_aml_screens(emma, "haddad", NOON) is None
        and search_wallet_profiles(emma, "haddad", NOON) is None
    )
    for text in (wallet(9), "00000000-0000-4000-8000-000000000000"):
        group = search_aml_screens(emma, text, NOON)
        assert group is not None and not group.hits


def test_a_counterparty_is_found_by_its_profile(screen: Screen) -> None:
    screen()
    group = search_wallet_profiles(person("emma", EXAMINER), wallet(2), NOON)
    assert group is not None and group.hits[0].detail == "1 payments · standing: nothing"


def test_who_may_not_see_screens_finds_none(screen: Screen) -> None:
    told = screen()
    olivia = person("rita", "Registrar")
    assert search_aml_screens(olivia, told["screenId"], NOON) is None
    assert search_wallet_profiles(olivia, wallet(1), NOON) is None


def test_the_search_of_every_page_leads_to_the_screen(screen: Screen) -> None:
    told = screen()
    answer = at_desk(person("emma", EXAMINER)).get("/admin/search/", {"q": told["screenId"]})
    page = AmlScreen.objects.get().pk
    where = getattr(answer, "url", "") or check_page(answer)
    assert f"/admin/aml/amlscreen/{page}/" in where


def test_the_list_is_filtered(screen: Screen) -> None:
    screen(amount=20)
    emma = at_desk(person("emma", EXAMINER))
    assert wallet(1) in check_page(emma.get("/admin/aml/amlscreen/?action__exact=PROCEED"))
    assert wallet(1) not in check_page(emma.get("/admin/aml/amlscreen/?action__exact=BLOCK"))
    assert wallet(1) in check_page(emma.get(f"/admin/aml/amlscreen/?q={wallet(1)}"))


def test_an_examiner_exports_screens_as_a_stream_in_few_queries(screen: Screen) -> None:
    for _ in range(3):
        told = screen()
    emma = at_desk(person("emma", EXAMINER))
    day = f"{AmlScreen.objects.latest('pk').recorded_at:%Y-%m-%d}"
    span = {"what": "aml-screens", "since": day, "until": day}
    with CaptureQueriesContext(connection) as queries:
        answer = emma.post("/admin/oversight/exportevent/run/", span)
        assert answer.streaming  # type: ignore[attr-defined]
        archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))  # type: ignore[attr-defined]
    name = next(one for one in archive.namelist() if one.endswith(".csv"))
    rows = list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8-sig"))))
    assert len(rows) == 3 and rows[-1]["screen"] == told["screenId"]
    assert (rows[0]["wallet"], rows[0]["action"]) == (wallet(1), "PROCEED")
    asked = [query for query in queries if "aml_amlscreen" in query["sql"]]
    assert len(asked) <= 4, asked

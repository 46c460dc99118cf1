"""No text that is typed at the desk holds what nobody can see; no day is read from nonsense."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.test import Client

from apps.access.keys.models import Account, ApiKey, KeyRequest
from apps.backoffice.review.models import Case
from apps.backoffice.sar import rules as sar
from apps.platform.ledger.models import LegalHold
from apps.reference.countries.models import CountryChange
from tests.desk_table import make_things
from tests.review.people import NOTE, OFFICER, at_desk, case, check_page, person

pytestmark = pytest.mark.django_db
HIDDEN = "\u202eOlivia\u200b"


def superuser() -> Client:
    return at_desk(person("ada", superuser=True))


def test_a_note_of_zero_width_spaces_decides_no_case() -> None:
    new_case = case(evidence={})
    desk = at_desk(person("olivia", OFFICER))
    said = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY"}
    for note in ("\u200b" * 10, f"{NOTE}\u202e"):
        html = check_page(
            desk.post(f"/admin/review/case/{new_case.pk}/decide/", said | {"note": note}), 400
        )
        assert "hidden character" in html
    assert Case.objects.get().status == "OPEN"


def test_names_of_accounts_and_labels_of_keys_are_what_they_look_like() -> None:
    desk = superuser()
    asked: dict[str, Any] = {"name": f"Alice {HIDDEN}"}
    assert "hidden character" in check_page(desk.post("/admin/access/account/add/", asked))
    assert desk.post("/admin/access/account/add/", {"name": "Alice Ltd"}).status_code == 302
    account = Account.objects.get()
    desk.get("/admin/access/apikey/issue/")
    asked = {"account": account.pk, "kind": "DATA", "once": desk.session["access_once"]}
    html = check_page(desk.post("/admin/access/apikey/issue/", asked | {"label": HIDDEN}))
    assert "hidden character" in html and not ApiKey.objects.exists()
    asked = {"account": account.pk, "kind": "DATA", "label": HIDDEN, "reason": NOTE}
    assert "hidden character" in check_page(desk.post("/admin/access/keyrequest/add/", asked))
    asked |= {"label": "", "reason": f"{NOTE}\n\u2066"}
    assert "hidden character" in check_page(desk.post("/admin/access/keyrequest/add/", asked))
    assert not KeyRequest.objects.exists()


def test_reasons_of_proposals_and_holds_are_what_they_look_like() -> None:
    make_things()
    desk, before = superuser(), (CountryChange.objects.count(), LegalHold.objects.count())
    asked = {"kind": "ADD", "list": "FATF_CALL_FOR_ACTION", "country": "FR", "source": "x",
             "effective": "2026-11-27", "reason": f"{NOTE}\u200b"}  # fmt: skip
    html = check_page(desk.post("/admin/countries/countrychange/add/", asked))
    assert "hidden character" in html
    held = {"find": "Haddad", "record": "screens:1", "reason": f"{NOTE}\u200b"}
    page = desk.post("/admin/core/legalhold/place/", held)
    assert "hidden character" in page.content.decode()
    assert before == (CountryChange.objects.count(), LegalHold.objects.count())


@pytest.mark.parametrize("day", ["20991122", "2099-W47-7", "2099-11-22xx"])
def test_a_case_is_not_put_aside_until_nonsense(day: str) -> None:
    new_case = case(evidence={})
    desk = at_desk(person("olivia", OFFICER))
    answer = desk.post(f"/admin/review/case/{new_case.pk}/snooze/", {"until": day, "note": NOTE})
    assert "Choose the day" in check_page(answer, 400)


@pytest.mark.parametrize("where", ["review/case/?opened", "screening/screen/?since"])
def test_a_filter_reads_no_day_from_nonsense(where: str) -> None:
    desk = superuser()
    for day, kept in (("2026-11-20", True), ("20261120", False), ("2026-W47-5", False)):
        answer = desk.get(f"/admin/{where}={day}")
        html = answer.content.decode().partition('id="content-start"')[2]
        assert (day in html or "20 Nov 2026" in html) is kept, day


@pytest.mark.parametrize(
    ("field", "text"),
    [("reference", "31000123\u200b456789"), ("on", "20261120"), ("on", "2026-W47-5"),
     ("amount", "0 USD"), ("amount", "٣ USD"), ("amount", "5 ZZZ"),
     ("rationale", f"{NOTE}\u202e")],
)  # fmt: skip
def test_a_step_of_the_sar_log_takes_no_such_text(field: str, text: str) -> None:
    day = date(2026, 11, 20)
    said = {"reference": "31000123456789", "on": "2026-11-20", "rationale": NOTE,
            "amount": "9800 USD", "suspect": "YES"}  # fmt: skip
    step_fields = tuple(sar.StepField(name, name) for name in said)
    step = replace(sar.STEPS[0], fields=step_fields)

    def faults(**given: str) -> set[str]:
        step_input = sar.StepInput(**(said | given))
        return set(
            sar.find_input_faults(
                step=step, given=step_input, matter=sar.Matter(day, False), today=day
            )
        )

    assert faults() == set() and faults(**{field: text}) == {field}

"""True matches and referrals open a matter in the SAR log, and show nobody else that they did."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.admin import cases as admin
from apps.backoffice.review.models import Case
from apps.backoffice.sar.integrity import verify_matters
from apps.backoffice.sar.models import FilingEvent, SarEntry, SarMatter
from apps.backoffice.sar.rules import list_running_clocks
from apps.backoffice.sar.services.filing_steps import StepInput, record_filing_step
from tests.review import sample_case_type
from tests.review.people import (
    NOON,
    NOTE,
    OFFICER,
    SENIOR,
    approve,
    at_desk,
    case,
    check_page,
    confirm,
    person,
    steps,
)

EMBARGO = "D §4 countries, embargo"
BOTH = [
    {"ref": one, "sentence": "Because."}
    for one in (sample_case_type.RESEMBLES, sample_case_type.COUNTRY)
]
WORDS = "Zebra quartz: the invoices are invented."
TRUE = {"outcome": "REJECT", "reason_code": "LISTED_PARTY", "note": WORDS}


@pytest.fixture(autouse=True)
def _matches(monkeypatch: pytest.MonkeyPatch, db: Any) -> None:
    monkeypatch.setattr(admin, "now", lambda: NOON)
    sample_case_type.use(monkeypatch, true_matches=("LISTED_PARTY",), concerns_ofac=concerns)


def concerns(refs: Any, *, owed: bool) -> bool:
    """Say of OFAC what a kind says: an embargo always concerns it, a match by its lists."""
    return EMBARGO in refs or (owed and sample_case_type.RESEMBLES in refs)


def sound() -> bool:
    return list(verify_matters(lambda done: None)) == []


def test_a_true_match_opens_a_matter_with_the_clock_of_its_report(olivia: User) -> None:
    one = approve(case(), olivia, **TRUE)
    entry = SarEntry.objects.get()
    assert (entry.kind, entry.ref, entry.matter.next_clock) == ("screen", one.ref, "OFAC-1")
    assert entry.matter.next_by == date(2026, 12, 7) and sound()
    assert entry.data["reasons"][-1] == f"olivia: {WORDS}" and entry.data["party"] == "Chen Haddad"


@pytest.mark.parametrize(
    "given",
    [
        {"outcome": "APPROVE", "reason_code": "NAME_ONLY"},
        {"outcome": "REJECT", "reason_code": "OTHER"},
    ],
)
def test_no_other_decision_opens_one(olivia: User, given: dict[str, str]) -> None:
    approve(case(), olivia, **given)
    assert not SarEntry.objects.exists()


def test_a_first_decision_opens_none_and_the_second_officer_does(olivia: User, samir: User) -> None:
    first = approve(case(risk="HIGH"), olivia, **TRUE)
    assert not SarEntry.objects.exists()
    confirm(first, samir, reason_code="LISTED_PARTY", note=WORDS)
    assert SarEntry.objects.get().data["reasons"][-1].startswith("samir")


@pytest.mark.parametrize("code", ["OTHER", "COUNTRY_DECLINED"])
def test_a_match_that_one_officer_found_is_not_confirmed_away(
    olivia: User, samir: User, code: str
) -> None:
    first = approve(case(risk="HIGH", reasons=BOTH), olivia, **TRUE)
    with pytest.raises(services.InvalidDecision, match="Confirm the proposed reason"):
        confirm(first, samir, reason_code=code, note=WORDS)
    first.refresh_from_db()
    assert first.status == "AWAITING_SECOND" and not SarEntry.objects.exists()


def test_each_payment_of_a_merge_has_a_matter_of_its_own(olivia: User) -> None:
    one, twin = case("1"), case("2")
    services.merge_case(duplicate=twin, into=one, by=olivia, note=NOTE, now=NOON)
    approve(one, olivia, **TRUE)
    assert set(SarEntry.objects.values_list("ref", flat=True)) == {"1", "2"}


def test_what_cannot_be_logged_is_not_decided(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("apps.backoffice.review.services.sar_referrals.enter_referral", fail)
    with pytest.raises(RuntimeError):
        approve(case(), olivia, **TRUE)
    assert Case.objects.get().status == "OPEN"


@pytest.mark.parametrize(
    ("ref", "clock"), [(sample_case_type.RESEMBLES, "OFAC-1"), (sample_case_type.COUNTRY, "SAR-1")]
)
def test_a_referral_starts_the_clock_that_its_rules_ask_for(
    olivia: User, ref: str, clock: str
) -> None:
    new_case = case(reasons=[{"ref": ref, "sentence": "Because."}])
    services.refer_to_sar_log(case=new_case, by=olivia, note=WORDS, now=NOON)
    assert SarMatter.objects.get().next_clock == clock
    new_case.refresh_from_db()
    assert new_case.status == "OPEN" and steps(new_case) == ["OPENED"]


def test_a_referral_under_an_embargo_concerns_ofac_whoever_lists_the_party(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"concerns_ofac": concerns, "lists": lambda evidence: ["un-sc"]}
    sample_case_type.use(monkeypatch, true_matches=("LISTED_PARTY",), **given)
    for ref in (EMBARGO, sample_case_type.RESEMBLES):
        new_case = case(ref[-7:], reasons=[{"ref": ref, "sentence": "Because."}])
        services.refer_to_sar_log(case=new_case, by=olivia, note=WORDS, now=NOON)
    matters = SarMatter.objects.order_by("pk")
    assert [matter.next_clock for matter in matters] == ["OFAC-1", "SAR-1"] and sound()


def test_the_matter_keeps_what_the_case_knew(olivia: User) -> None:
    services.refer_to_sar_log(case=case(wallet="0xabc"), by=olivia, note=WORDS, now=NOON)
    facts = SarEntry.objects.get().data["facts"]
    told = {name: facts[name] for name in ("amount", "currency", "country", "reference", "wallet")}
    assert list(told.values()) == ["25245.30", "USD", "AE", "REF-1", "0xabc"]
    assert facts["picture"]["matches"][0]["name"] == "HADAD, Chen Ali"
    assert facts["picture"]["chain"][0]["name"] == "Haddad Trading"


def test_a_case_that_cannot_be_drawn_is_referred_all_the_same(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(evidence: Any) -> Any:
        raise KeyError("it cannot be drawn")

    sample_case_type.use(monkeypatch, picture=broken)
    services.refer_to_sar_log(case=case(), by=olivia, note=WORDS, now=NOON)
    assert "picture" not in SarEntry.objects.get().data["facts"]


def heard() -> list[tuple[str, str, str]]:
    events = FilingEvent.objects.select_related("by").order_by("number")
    return [(event.action, event.by.get_username(), event.data["rationale"]) for event in events]


def test_a_case_is_in_the_log_once_and_each_referral_is_kept(olivia: User, ben: User) -> None:
    new_case = case()
    for officer in (olivia, olivia, ben, ben, olivia):
        services.refer_to_sar_log(case=new_case, by=officer, note=WORDS, now=NOON)
    approve(new_case, olivia, **TRUE)
    assert SarEntry.objects.count() == 1 and sound()
    assert heard() == [("REFERRED", "ben", WORDS), ("REFERRED", "olivia", WORDS),
                       ("MATCHED", "olivia", WORDS)]  # fmt: skip
    html = check_page(at_desk(person("samir", SENIOR)).get(page(SarEntry.objects.get())))
    assert html.count("New suspicion</strong> by") == 2 and "Referred by <strong>olivia" in html
    assert "Why it was referred" in html and "Why it was blocked" not in html
    assert "Reason: <b>The party is the listed one (FATF R.6)</b>" in html
    assert "Case opened" in html and "when an officer found facts" in html


LATER = NOON + timedelta(days=40)


def settled(one: Case, olivia: User, samir: User, *recorded: str) -> SarMatter:
    """Refer a case and settle its matter as a senior does."""
    services.refer_to_sar_log(case=one, by=olivia, note=WORDS, now=NOON)
    matter = SarMatter.objects.get()
    for seen, action in enumerate(recorded):
        step_input = StepInput(rationale="Nothing suspicious was found.")
        given = {"entry_id": matter.pk, "action": action, "seen": seen, "said": step_input}
        record_filing_step(**given, by=samir, now=NOON)
    matter.refresh_from_db()
    assert matter.next_by is None
    return matter


def test_a_true_match_opens_a_settled_matter_again_with_both_clocks(
    olivia: User, samir: User
) -> None:
    new_case = case()
    matter = settled(new_case, olivia, samir, "NOT_FILED", "OFAC_NONE")
    approve(new_case, olivia, **TRUE, now=LATER)
    matter.refresh_from_db()
    stands = matter.after(list(FilingEvent.objects.order_by("number")))
    due = {clock.ref: clock.by for clock in list_running_clocks(stands)}
    assert due == {"OFAC-1": date(2027, 1, 14), "SAR-1": date(2027, 1, 29)}
    assert matter.next_clock == "OFAC-1" and sound()
    html = check_page(at_desk(samir).get(page(matter.entry)))
    assert "opened again on 30 Dec 2026" in html
    assert "runs from 30 Dec 2026, when a new suspicion reopened" in html


def test_a_referral_opens_a_settled_matter_again_and_leaves_ofacs_clock(
    olivia: User, samir: User
) -> None:
    new_case = case()
    matter = settled(new_case, olivia, samir, "NOT_FILED", "OFAC_NONE")
    services.refer_to_sar_log(case=new_case, by=olivia, note="The invoices come again.", now=LATER)
    matter.refresh_from_db()
    assert (matter.next_clock, matter.next_by) == ("SAR-1", date(2027, 1, 29)) and sound()


def test_a_match_on_no_list_of_ofacs_is_kept_too(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample_case_type.use(
        monkeypatch, true_matches=("LISTED_PARTY",), lists=lambda evidence: ["un-sc"]
    )
    new_case = case()
    services.refer_to_sar_log(case=new_case, by=olivia, note=WORDS, now=NOON)
    approve(new_case, olivia, **TRUE)
    assert heard() == [("REFERRED", "olivia", WORDS)] and sound()
    assert SarMatter.objects.get().next_clock == "SAR-1"


def test_a_decided_case_is_referred_from_its_page(olivia: User, samir: User) -> None:
    one = approve(case(), olivia)
    address, desk = f"/admin/review/case/{one.pk}/", at_desk(olivia)
    html = check_page(desk.get(address))
    assert f'action="{address}refer/"' in html and f'action="{address}escalate/"' not in html
    assert "Referral recorded." in check_page(
        desk.post(f"{address}refer/", {"note": WORDS}, follow=True)
    )
    assert SarEntry.objects.get().data["reasons"][-1] == f"olivia: {WORDS}"
    one.refresh_from_db()
    assert one.status == "DECIDED" and "refer/" not in check_page(
        at_desk(person("e", "Examiner")).get(address)
    )


def page(entry: SarEntry) -> str:
    return f"/admin/sar/sarentry/{entry.pk}/"


def test_a_match_that_is_found_later_starts_the_clock_of_the_report(olivia: User) -> None:
    new_case = case(reasons=[{"ref": sample_case_type.COUNTRY, "sentence": "Because."}])
    services.refer_to_sar_log(case=new_case, by=olivia, note=WORDS, now=NOON)
    approve(new_case, olivia, **TRUE)
    matter = SarMatter.objects.get()
    assert (matter.next_clock, matter.next_by) == ("OFAC-1", date(2026, 12, 7)) and sound()
    assert FilingEvent.objects.get().action == "MATCHED"


def test_who_may_decide_refers_any_case(olivia: User, ben: User) -> None:
    one = services.claim_case(case=case(), by=ben, now=NOON)
    services.refer_to_sar_log(case=one, by=olivia, note=WORDS, now=NOON)
    with pytest.raises(services.StepNotAllowed):
        services.refer_to_sar_log(case=one, by=person("eve", "Examiner"), note=WORDS, now=NOON)
    with pytest.raises(services.InvalidCaseStep):
        services.refer_to_sar_log(case=one, by=olivia, note="short", now=NOON)
    assert SarEntry.objects.count() == 1


def shown(desk: Any, one: Case) -> list[str]:
    """Return what the desk shows of a case, without what differs from call to call."""
    pages = (
        f"/admin/review/case/{one.pk}/", f"/admin/review/case/{one.pk}/evidence/",
        "/admin/review/case/?view=all", "/admin/review/case/?q=zebra", "/admin/search/?q=zebra",
        "/admin/",
    )  # fmt: skip
    found = []
    for address in pages:
        html = check_page(desk.get(address))
        found.append("\n".join(line for line in html.splitlines() if "csrfmiddleware" not in line))
    return found


@pytest.mark.parametrize("group", [OFFICER, "Examiner"])
def test_nothing_at_the_desk_tells_that_a_case_was_referred(
    group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, reader = case(), at_desk(person("reader", group))
    shown(reader, one)
    before = shown(reader, one)
    services.refer_to_sar_log(case=one, by=person("olivia", OFFICER), note=WORDS, now=NOON)
    after = shown(reader, one)
    told = [a for a, b in zip(after, before, strict=True) if "Zebra" in a or "olivia" in a]
    assert not told and [len(a) for a in after] == [len(b) for b in before]


def test_an_officer_is_told_the_same_the_first_and_the_second_time() -> None:
    one, desk = case(), at_desk(person("olivia", OFFICER))
    address = f"/admin/review/case/{one.pk}/"
    told = []
    for _ in range(2):
        answer = desk.post(f"{address}refer/", {"note": WORDS})
        assert answer.headers["Location"] == address
        html = check_page(desk.get(address))
        assert "Referral recorded." in html and "Zebra" not in html
        told.append(html.count("Refer"))
    assert told[0] == told[1] and "Referred" not in check_page(desk.get(address))
    assert "Zebra" in check_page(
        at_desk(person("samir", SENIOR)).get(f"/admin/sar/sarentry/{SarEntry.objects.get().pk}/")
    )


def test_exports_and_the_ledger_of_decisions_know_nothing_of_it(olivia: User) -> None:
    from apps.backoffice.review import exports
    from apps.platform.desk.export_registry import ExportRequest

    new_case = case()
    services.refer_to_sar_log(case=new_case, by=olivia, note=WORDS, now=NOON)
    export_request = ExportRequest(what="", since=NOON.replace(hour=0), until=NOON.replace(hour=23))
    for export in (exports.CASES, exports.DECISIONS):
        rows = repr(list(export.rows(export_request)))
        assert "Zebra" not in rows and "olivia" not in rows and "REFER" not in rows.upper()


@pytest.mark.parametrize(
    ("lists", "clock"),
    [(["un-sc"], "SAR-1"), (["un-sc", "us-ofac-sdn"], "OFAC-1"), (["in-house"], "OFAC-1")],
)
def test_the_clock_of_ofac_runs_for_parties_of_its_own_lists(
    olivia: User, monkeypatch: pytest.MonkeyPatch, lists: list[str], clock: str
) -> None:
    sample_case_type.use(
        monkeypatch,
        true_matches=("LISTED_PARTY",),
        concerns_ofac=concerns,
        lists=lambda evidence: lists,
    )
    approve(case(), olivia, **TRUE)
    services.refer_to_sar_log(case=case("other"), by=olivia, note=WORDS, now=NOON)
    matters = SarMatter.objects.select_related("entry")
    assert {matter.next_clock for matter in matters} == {clock} and len(matters) == 2 and sound()
    assert {tuple(matter.entry.data["lists"]) for matter in matters} == {tuple(lists)}

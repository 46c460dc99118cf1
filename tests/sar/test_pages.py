"""The log's pages for those who may know of it, and that nobody else can tell it is there."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from apps.backoffice.oversight.models import ReadEvent
from apps.backoffice.sar import admin
from apps.backoffice.sar.date_formats import format_days_left
from apps.backoffice.sar.models import FilingEvent, SarEntry, SarRead
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import LegalHold, PurgeReason
from config.desk_roles import ROLES
from tests.review.people import NOON, NOTE, SENIOR, at_desk, check_page, person

LOG = "/admin/sar/sarentry/"
OTHERS = sorted(set(ROLES) - {SENIOR})
FILED = {"action": "FILED", "reference": "BSA-2026-17", "on": "2026-11-20", "suspect": "YES"}
WORDS = re.compile(r"suspicious|\bsar\b|sar_|/sar/|boris hadad|filing", re.IGNORECASE)


def entry(ref: str = "one", ago: int = 0, **payload: Any) -> SarEntry:
    written: SarEntry = SarEntry.write(
        payload={
            "party": "Boris Hadad",
            "owner": "account:1",
            "reasons": ["Sanctions match at 96%: HADAD."],
            "rules": ["1 §2.7 rule 3 match"],
            "riskScore": 96,
            "sanctions": True,
        }
        | payload,
        now=NOON - timedelta(days=ago),
        kind="screen",
        ref=ref,
    )
    return written


def post(client: Client, of: SarEntry, **given: str) -> Any:
    return client.post(f"{LOG}{of.pk}/step/", {"seen": "0"} | given)


# --- for those who may ----------------------------------------------------------------


def test_the_list_shows_what_is_due_first(samir: Client) -> None:
    entry("new"), entry("old", ago=40, party="Igor Late"), entry("mid", ago=10, party="Ann Mid")
    html = check_page(samir.get(LOG))
    assert html.index("Igor Late") < html.index("Ann Mid") < html.index("Boris Hadad")
    assert "Overdue <b>1</b>" in html and "Deadlines running <b>3</b>" in html
    late = check_page(samir.get(f"{LOG}?view=late"))
    assert "Igor Late" in late and "Ann Mid" not in late
    assert "Nothing in this view" in check_page(samir.get(f"{LOG}?view=settled"))
    check_page(samir.get(f"{LOG}?view=nonsense&page=99"))


def test_an_entry_shows_its_grounds_its_clocks_and_what_can_be_recorded(samir: Client) -> None:
    html = check_page(samir.get(f"{LOG}{entry().pk}/"))
    for words in ("Boris Hadad", "1 §2.7 rule 3 match", "31 CFR 1020.320(b)(3)", "07 Dec 2026",
                  "30 days left", "SAR filed", "No SAR"):  # fmt: skip
        assert words in html
    assert "Annual report of blocked property made" not in html


def test_an_entry_by_country_alone_says_by_when_ofac_would_be_told(samir: Client) -> None:
    plain = check_page(samir.get(f"{LOG}{entry(sanctions=False).pk}/"))
    assert "reported to OFAC by 07 Dec 2026" in plain
    assert "Rejected transaction reported to OFAC" in plain
    assert "reported to OFAC by" not in check_page(samir.get(f"{LOG}{entry('two').pk}/"))


@pytest.mark.parametrize(
    ("zone", "left"), [("UTC", "29 days left"), ("Asia/Tokyo", "28 days left")]
)
def test_days_left_are_counted_where_the_desk_is(
    samir: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, zone: str, left: str
) -> None:
    sar_entry = entry(sanctions=False)
    evening = datetime(2026, 11, 21, 20, tzinfo=UTC)
    monkeypatch.setattr(admin, "now", lambda: evening)
    settings.DESK_TIME_ZONE = zone
    assert left in check_page(samir.get(f"{LOG}{sar_entry.pk}/"))


def test_a_decision_is_recorded_and_shown(samir: Client) -> None:
    sar_entry = entry()
    answer = post(samir, sar_entry, **FILED)
    assert answer.status_code == 302
    sealer.seal_all_ledgers(now=NOON)
    html = check_page(samir.get(f"{LOG}{sar_entry.pk}/"))
    assert "BSA-2026-17" in html and "sealed at ledger position 1" in html and "by samir" in html
    assert "Review continuing activity" in html
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize(
    ("given", "status", "told"),
    [
        ({"action": "NOT_FILED", "rationale": "too short"}, 400, "at least 10 characters"),
        ({"action": "FILED"}, 400, "Give the reference"),
        ({"action": "SHREDDED"}, 400, "Choose what"),
        ({"action": "NOT_FILED", "rationale": NOTE, "seen": "1"}, 409, "Review the entry again"),
        ({"action": "NOT_FILED", "rationale": NOTE, "seen": "x"}, 409, "Review the entry again"),
        (
            {"action": "ANNUAL", "reference": "ref", "on": "2026-11-20"},
            409,
            "Review the entry again",
        ),
    ],
)
def test_a_refusal_shows_the_page_again_with_what_was_typed(
    samir: Client, given: dict[str, str], status: int, told: str
) -> None:
    html = check_page(post(samir, entry(), **given), status)
    assert told in html
    assert all(value in html for name, value in given.items() if name in ("rationale", "reference"))
    assert not FilingEvent.objects.exists()


def test_a_purged_entry_still_has_its_page(samir: Client) -> None:
    sar_entry = entry()
    SarEntry.objects.filter(pk=sar_entry.pk).update(payload="", salt="")
    assert "purged" in check_page(samir.get(f"{LOG}{sar_entry.pk}/")) and "purged" in check_page(
        samir.get(LOG)
    )


@pytest.mark.parametrize(
    ("reason", "told"),
    [(PurgeReason.ERASURE, "an erasure order"), (PurgeReason.RETENTION, "its retention ended")],
)
def test_a_purged_entry_says_why_it_is(samir: Client, reason: PurgeReason, told: str) -> None:
    sar_entry = entry()
    sealer.seal_all_ledgers(now=NOON)
    retention.purge_payload(
        ledger="sar", record_id=sar_entry.pk, reason=reason, by="dpo", now=NOON, why="7/26"
    )
    assert f"purged on 20 Nov 2026: {told}." in check_page(samir.get(f"{LOG}{sar_entry.pk}/"))


def test_a_payload_that_went_unrecorded_is_said_to_be_so(samir: Client) -> None:
    sar_entry = entry()
    SarEntry.objects.filter(pk=sar_entry.pk).update(payload="", salt="")
    assert "no purge is recorded" in check_page(samir.get(f"{LOG}{sar_entry.pk}/"))


def test_reads_of_the_log_are_recorded_apart(samir: Client) -> None:
    sar_entry = entry()
    samir.get(LOG)
    samir.get(f"{LOG}{sar_entry.pk}/")
    samir.get(f"{LOG}999/")
    seen = list(SarRead.objects.order_by("pk").values_list("what", "ref", "by__username"))
    assert seen == [("sar.sarentry", "", "samir"), ("sar.sarentry", str(sar_entry.pk), "samir")]
    assert not ReadEvent.objects.filter(what__startswith="sar").exists()
    assert "Entry of the SAR log" in check_page(samir.get("/admin/sar/sarread/"))


def test_who_may_look_but_not_file_gets_no_form_and_no_step(db: Any) -> None:
    from django.contrib.auth.models import Permission

    vera = person("vera")
    vera.user_permissions.add(Permission.objects.get(codename="view_sarentry"))
    one, desk = entry(), at_desk(vera)
    assert "<textarea" not in check_page(desk.get(f"{LOG}{one.pk}/"))
    assert post(desk, one, action="NOT_FILED", rationale=NOTE).status_code == 403


def test_the_list_takes_as_many_queries_for_many_entries_as_for_few(
    samir: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(60):
        entry(str(number), ago=number)
    # 2 session, 1 record of the account, 4 counts, 2 rows, 1 record
    with django_assert_max_num_queries(13):
        samir.get(LOG)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (-2, "2 days late"),
        (-1, "1 day late"),
        (0, "today"),
        (1, "1 day left"),
        (30, "30 days left"),
    ],
)
def test_days_left_are_said_in_words(days: int, words: str) -> None:
    today = NOON.date()
    assert format_days_left(by=today + timedelta(days=days), today=today) == words


# --- for everybody else ---------------------------------------------------------------


@pytest.fixture
def secret(db: Any) -> SarEntry:
    """An entry with everything around it that could give it away."""
    sar_entry = entry()
    sybil = person("sybil", SENIOR)
    desk = at_desk(sybil)
    assert post(desk, sar_entry, **FILED).status_code == 302
    desk.get(f"{LOG}{sar_entry.pk}/")
    LegalHold.objects.create(
        ledger="sar",
        record_id=sar_entry.pk,
        reason="Boris Hadad",
        placed_by="sybil",
        placed_at=NOON,
    )
    sealer.seal_all_ledgers(now=datetime.now(UTC))
    return sar_entry


def pages_of(desk: Client) -> list[str]:
    """Return the addresses of all lists in somebody's menu, and their searches."""
    html = check_page(desk.get("/admin/"))
    found = set(re.findall(r'href="(/admin/[a-z_]+/[a-z_]+/)"', html))
    searches = {f"{address}?q=Hadad" for address in found}
    return ["/admin/", *sorted(found | searches)]


@pytest.mark.parametrize("group", OTHERS)
def test_no_menu_count_search_job_ledger_hold_or_read_gives_it_away(
    secret: SarEntry, group: str
) -> None:
    desk = at_desk(person("somebody", group))
    for address in pages_of(desk):
        answer = desk.get(address)
        html = (
            answer.content.decode().replace("Hadad", "")
            if "?q=" in address
            else (answer.content.decode())
        )
        assert answer.status_code in (200, 302), address
        assert not WORDS.search(html), (address, WORDS.search(html))


def plain(answer: Any) -> bytes:
    """Return a page without its form's token and the second it was drawn at."""
    token = rb'name="csrfmiddlewaretoken" value="\w+"'
    return re.sub(token + rb"|\d\d:\d\d:\d\d UTC", b"", answer.content)


@pytest.mark.parametrize("group", OTHERS)
def test_no_shortcut_of_the_admin_gives_it_away(secret: SarEntry, group: str) -> None:
    desk = at_desk(person("somebody", group))
    number = ContentType.objects.get_for_model(SarEntry).pk
    pairs = [
        ("/admin/sar/", "/admin/nothing/"),
        (f"/admin/r/{number}/{secret.pk}/", "/admin/r/99999/1/"),
        (f"/admin/r/{number}/{secret.pk}/", f"/admin/r/{number}/99999/"),
        (f"{LOG}{secret.pk}/", f"{LOG}99999/"),
        (f"{LOG}{secret.pk}/history/", "/admin/nothing/1/history/"),
        (LOG.rstrip("/"), "/admin/nothing/at-all"),
    ]
    for address, nothing in pairs:
        asked, missing = desk.get(address), desk.get(nothing)
        same = (missing.status_code, plain(missing))
        assert (asked.status_code, plain(asked)) == same, address
        assert asked.status_code == 404
    auto = "/admin/autocomplete/?term=a&app_label=sar&model_name={}&field_name=entry"
    assert plain(desk.get(auto.format("filingevent"))) == plain(desk.get(auto.format("nix")))


@pytest.mark.parametrize("group", OTHERS)
def test_a_step_that_somebody_guesses_is_not_there(secret: SarEntry, group: str) -> None:
    desk = at_desk(person("somebody", group))
    given = {"action": "NOT_FILED", "rationale": NOTE, "seen": "1"}
    assert post(desk, secret, **given).status_code == 404
    assert FilingEvent.objects.count() == 1


def test_refused_tries_leave_no_trace_that_others_can_read(secret: SarEntry) -> None:
    at_desk(person("olivia", "Compliance officer")).get(f"{LOG}{secret.pk}/")
    assert not ReadEvent.objects.exists()

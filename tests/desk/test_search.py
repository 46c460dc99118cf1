"""One search on every page: grouped, bounded, each reader's own, straight to an exact id."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.access.keys.models import Account
from apps.backoffice.oversight.models import ReadEvent
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry, SarRead
from apps.compliance.screening.models import Screen
from apps.platform.desk import search
from apps.platform.ledger import sealer
from apps.platform.ledger.models import Seal
from apps.reference.watchlists import engine
from tests import desk_table
from tests.review.people import NOON, OFFICER, SENIOR, at_desk, case, check_page, person

SEARCH = "/admin/search/"
SCREEN = "3f0a1d52-7a51-4c62-9d2c-5b8b4b0f7c11"


@pytest.fixture
def olivia(db: Any) -> User:
    return person("olivia", OFFICER)


def ask(user: User, text: str) -> Any:
    return at_desk(user).get(SEARCH, {"q": text})


def found(user: User, text: str) -> dict[str, list[str]]:
    """Return the labels of what is shown, by group."""
    html = check_page(ask(user, text))
    content = html.partition('id="content-start"')[2].partition("<footer")[0]
    return {
        part.split("<")[0]: [one.split(">")[1].split("<")[0] for one in part.split("<a ")[1:]]
        for part in content.split("<h2>")[1:]
        if "<a " in part  # a group may say why nothing could be looked up
    }


def screened(reference: str = "", owner: str = "account:1", **given: Any) -> Screen:
    columns = {"screen_id": SCREEN, "decision": "FLAGGED", "risk_score": 61, "rules": ""} | given
    key = Screen.key_of(owner=owner, reference=reference)
    request = {"name": "Chen Haddad", "reference": reference}
    return Screen.write(
        payload={"request": request}, now=NOON, owner=owner, reference_key=key,
        rules_version="1", lists="", sample=True, **columns,
    )  # fmt: skip


def test_a_party_is_found_in_cases_and_many_lead_to_the_queue(olivia: User) -> None:
    for number in range(7):
        case(str(number), party="Zoë Lindqvist" if number else "Omar Haddad")
    assert found(olivia, "lindqvist zoe") == {"Cases": ["Zoë Lindqvist"] * 5 + ["All 6 cases"]}
    html = check_page(ask(olivia, "lindqvist"))
    assert '/admin/review/case/?view=all&amp;q=lindqvist" data-row>All 6 cases' in html
    assert html.count("data-row") == 6


@pytest.mark.parametrize("text", ["{pk}", "case {pk}", " Case  {pk} ", "#{pk}", "{ref}", "{REF}"])
def test_a_number_or_a_records_id_leads_straight_to_the_case(olivia: User, text: str) -> None:
    new_case = case(SCREEN)
    answer = ask(olivia, text.format(pk=new_case.pk, ref=SCREEN, REF=SCREEN.upper()))
    assert (answer.status_code, answer["Location"]) == (302, f"/admin/review/case/{new_case.pk}/")


def test_a_number_that_is_also_a_reference_shows_both(olivia: User) -> None:
    new_case = case("1", party="First")
    case("2", party="Second", reference=str(new_case.pk))
    assert found(olivia, "no. 999999") == {}
    answer = ask(olivia, str(new_case.pk))
    assert answer.status_code == 302  # one thing has this number; what else holds it is behind it


@pytest.mark.parametrize(
    "text", ["0xABcd", "549300ABCDEFGHIJKL12", "549300abcdefghijkl12", "tms-77"]
)
def test_wallet_lei_and_reference_find_their_case(olivia: User, text: str) -> None:
    case("1", wallet="0xabCD", lei="549300ABCDEFGHIJKL12", reference="TMS-77-a")
    case("2", reference="")
    assert found(olivia, text) == {"Cases": ["Chen Haddad"]}


def test_a_client_is_found_for_its_cases_and_by_its_account(olivia: User) -> None:
    account = Account.objects.create(name="Bob Bank", created_at=NOON)
    case("1", owner=f"account:{account.pk}")
    assert found(olivia, "bob") == {"Cases of a client": ["Bob Bank"]}
    assert f"?view=all&amp;owner=account%3A{account.pk}" in check_page(ask(olivia, "bob"))
    assert found(person("otto", "Operator"), "BOB") == {"Clients": ["Bob Bank"]}


def test_a_screen_is_found_by_its_id_and_the_clients_reference(db: Any) -> None:
    edgar = person("edgar", "Examiner")
    account = Account.objects.create(name="Bob Bank", created_at=NOON)
    screen = screened("INV-42", owner=f"account:{account.pk}")
    assert found(edgar, "INV-42") == {"Screens": ["Chen Haddad"]}
    assert ask(edgar, SCREEN)["Location"] == f"/admin/screening/screen/{screen.pk}/"
    assert found(edgar, "inv-42") == {}  # references are the client's own spelling


def test_a_digest_leads_to_its_record(db: Any) -> None:
    screen = screened()
    screened(screen_id="3f0a1d52-7a51-4c62-9d2c-5b8b4b0f7c12")
    sealer.seal_all_ledgers(now=NOON)
    edgar = person("edgar", "Examiner")
    page = f"/admin/screening/screen/{screen.pk}/"
    first, last = Seal.objects.filter(ledger="screens").order_by("position")
    assert ask(edgar, first.digest)["Location"] == page
    assert ask(edgar, first.content.upper())["Location"] == page
    assert ask(edgar, last.digest).status_code == 302  # the head of the chain
    assert found(person("olivia", OFFICER), first.digest) == {}


@pytest.mark.parametrize("group", [OFFICER, SENIOR, "Examiner"])
def test_the_digests_on_the_page_of_a_case_lead_to_it(db: Any, group: str) -> None:
    one, other = case("1"), case("2", party="Somebody Else")
    reader = person("reader", group)
    page = f"/admin/review/case/{one.pk}/"
    known = one.facts_digest()
    assert known in check_page(at_desk(reader).get(page))
    for text in (known, known.upper()):
        assert ask(reader, text)["Location"] == page
    assert known != other.facts_digest()
    assert found(reader, known[:-1]) == found(reader, "0" * 64) == {}


def test_the_digest_of_a_step_leads_officers_to_its_case(olivia: User) -> None:
    new_case = case("1")
    case("2")
    sealer.seal_all_ledgers(now=NOON)
    first = Seal.objects.filter(ledger="decisions").earliest("position")
    page = f"/admin/review/case/{new_case.pk}/"
    assert ask(olivia, first.digest)["Location"] == page
    assert ask(olivia, first.content)["Location"] == page
    edgar = person("edgar", "Examiner")  # may open the step itself
    assert ask(edgar, first.digest)["Location"].startswith("/admin/review/decisionevent/")


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the plan is SQLite's")
def test_a_digest_is_looked_up_by_an_index(olivia: User) -> None:
    new_case = case()
    with CaptureQueriesContext(connection) as queries:
        ask(olivia, new_case.facts_digest())
    [sql] = [
        q["sql"] for q in queries.captured_queries if "OPENED" in q["sql"] and "payload" in q["sql"]
    ]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        assert "decision_opening" in str(cursor.fetchall())


def test_a_listed_party_leads_to_its_cases(olivia: User) -> None:
    call_command("load_sample_lists", verbosity=0, stdout=_Quiet(), stderr=_Quiet())
    call_command("build_index", verbosity=0, stdout=_Quiet(), stderr=_Quiet())
    engine.reset_engine()
    slug = "sample-sanctions"
    key = f"{slug}:{slug}:sample-lazarus-group"
    case("1", party="Lazzarus", entity_key=key, evidence={})
    case("2", party="Other", entity_key=f"a:b {key}", evidence={})
    case("3", party="Neither", entity_key=f"{key}-2", evidence={})
    try:
        assert found(olivia, "hidden cobra") == {"Listed parties": ["Hidden Cobra"]}
        assert found(olivia, "Sánchez") == {"Listed parties": ["Pedro Sánchez"]}
        assert found(olivia, "sample-lazarus-group") == {"Listed parties": ["Lazarus Group"]}
        assert found(person("otto", "Operator"), "hidden cobra") == {}
        html = check_page(
            at_desk(olivia).get("/admin/review/case/", {"view": "all", "listed": key})
        )
        names = [name for name in ("Lazzarus", "Other", "Neither") if f"{name}</a>" in html]
        assert names == ["Lazzarus", "Other"]
        root = person("root", superuser=True)
        assert "/admin/watchlists/entitystate/" in check_page(ask(root, "sample-lazarus-group"))
    finally:
        engine.reset_engine()


def test_without_an_index_names_of_listed_parties_are_said_not_to_be_looked_up(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: Any, **__: Any) -> None:
        raise engine.ListsUnavailable("The index is not built yet.")

    monkeypatch.setattr(engine, "load_current_engine", missing)
    assert "cannot be looked up now. The index is not built yet." in check_page(
        ask(olivia, "haddad")
    )


def test_the_sar_log_is_found_by_those_alone_who_may_know_of_it(db: Any) -> None:
    screened(decision="BLOCKED")
    payload = {"party": "Boris Hadad", "owner": "account:1", "sanctions": True}
    entry = SarEntry.write(payload=payload, now=NOON, kind="screen", ref=SCREEN)
    samir, edgar = person("samir", SENIOR), person("edgar", "Examiner")
    assert found(samir, "hadad boris") == {"SAR log": ["Boris Hadad"]}
    assert found(samir, SCREEN) == {"Screens": ["Chen Haddad"], "SAR log": ["Boris Hadad"]}
    assert f"/admin/sar/sarentry/{entry.pk}/" in check_page(ask(samir, "boris"))
    assert SarRead.objects.filter(what="sar.sarentry").exists()
    for reader in (edgar, person("olivia", OFFICER), person("otto", "Operator")):
        for text in ("hadad boris", "boris", f"sar {entry.pk}", "SAR"):
            answer = check_page(ask(reader, text))
            assert "SAR log" not in answer and "Boris" not in answer
    assert ask(edgar, SCREEN).status_code == 302  # the screen alone, as if there were no entry


@pytest.mark.parametrize("text", ["", "  ", "\t"])
def test_nothing_is_asked_for_an_empty_text(
    olivia: User, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "FINDERS", {"nothing": None})
    assert "Enter a case number" in check_page(ask(olivia, text))
    assert not ReadEvent.objects.exists()


@pytest.mark.parametrize(
    "text", ["'\"><script>x</script>", "%", "_", "9" * 18, "9" * 19, "9" * 400, "²", "-1", "|"]
)
def test_strange_texts_are_answered_and_escaped(text: str, db: Any) -> None:
    desk_table.make_things()
    check_page(ask(person("root", superuser=True), text))


def test_a_search_is_recorded_for_each_kind_of_personal_data_that_was_searched(
    olivia: User,
) -> None:
    case()
    ask(olivia, "haddad")
    rows = ReadEvent.objects.order_by("pk")
    assert [(row.by, row.what, row.ref) for row in rows] == [
        (olivia, "review.case", ""),
        (olivia, "registry.registration", ""),
        (olivia, "registry.vopcheck", ""),
        (olivia, "payments.payment", ""),
        (olivia, "settlement.settlement", ""),
        (olivia, "banking.banktransaction", ""),
        (olivia, "chain.order", ""),
        (olivia, "travelrule.travelrecord", ""),
        (olivia, "watchlists.entitystate", ""),
    ]
    assert rows[0].data == {"address": SEARCH, "query": "q=haddad"}
    assert "haddad" not in str(rows[0].envelope()).lower()


def test_a_search_costs_the_same_whatever_is_there(
    db: Any, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    samir = person("samir", SENIOR)
    desk = at_desk(samir)
    for number in range(12):
        case(str(number), owner=f"account:{number}")
    desk.get(SEARCH, {"q": "haddad"})
    # 2 session, 2 permissions, 9 of cases, screens, SAR log, lists and clients; 4 reads recorded
    with django_assert_max_num_queries(40):
        check_page(desk.get(SEARCH, {"q": "haddad"}))
    assert Case.objects.count() == 12


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the plan is SQLite's")
def test_finding_cases_reads_indexes_and_no_evidence(db: Any) -> None:
    case()
    with CaptureQueriesContext(connection) as queries:
        assert len(Case.objects.numbers("haddad", most=10)) == 1
    assert len(queries) == 3
    with connection.cursor() as cursor:
        for query in queries.captured_queries:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            plan = str(cursor.fetchall())
            assert "INDEX" in plan and "SCAN review_case'" not in plan, plan


def test_who_has_nothing_to_see_has_no_box(db: Any) -> None:
    desk = at_desk(person("gus"))
    assert 'data-key="/"' not in check_page(desk.get("/admin/"))
    assert "No results" in check_page(desk.get(SEARCH, {"q": "haddad"}))


def test_strangers_search_nothing(client: Client, db: Any) -> None:
    assert client.get(SEARCH, {"q": "x"}).status_code == 302


class _Quiet:
    def write(self, *_: Any) -> None: ...

    def flush(self) -> None: ...

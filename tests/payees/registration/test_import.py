"""Many wallets from a file: checked line by line, started once, worked off whatever happens."""

import csv
import io
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.payees.imports import line_outcomes, services, tasks
from apps.compliance.payees.imports.csv_parser import ImportRefused
from apps.compliance.payees.integrity import verify_all_registrations
from apps.compliance.payees.models import (
    ImportLine,
    Registration,
    RegistrationEvent,
    Stage,
    WalletImport,
)
from apps.compliance.payees.rules.import_lines import WAITS
from apps.compliance.payees.selectors import registration_checks
from apps.compliance.payees.selectors.registration_checks import LeiUnavailable
from apps.platform.common.clock import now
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job
from tests.payees.registration.conftest import LAPSED, MICROSOFT, NORTHWIND, wallet
from tests.review.people import at_desk, check_page, person
from tests.strangers.readers import read_csv

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
HEAD = "walletAddress,legalName,country,lei,aliases"
PLACE = "/admin/registry/walletimport/"


def row(number: int, entity: dict[str, str] = NORTHWIND, aliases: str = "") -> str:
    cells = [wallet(number), entity["legalName"], entity["country"], entity.get("lei", ""), aliases]
    return ",".join(f'"{cell}"' for cell in cells)


def content(*rows: str) -> bytes:
    return "\r\n".join((HEAD, *rows)).encode()


@pytest.fixture
def ruth(sample: Any) -> User:
    return person("ruth", "Registrar")


@pytest.fixture
def registrar(ruth: User) -> Client:
    return at_desk(ruth)


@pytest.fixture
def taken(ruth: User) -> Call:
    """Upload lines; they are checked unless it is told otherwise."""

    def call(*rows: str, check: bool = True) -> WalletImport:
        batch, _ = services.upload_wallet_file(
            content=content(*rows), name="a.csv", by=ruth, now=now()
        )
        while check and not tasks.check_next_lines(batch, now=now()):
            pass
        return batch

    return call


@pytest.fixture
def done(taken: Call, ruth: User) -> Call:
    """Upload lines, check, start and work them off."""

    def call(*rows: str) -> WalletImport:
        batch: WalletImport = taken(*rows)
        services.start_import(batch=batch, by=ruth, now=now())
        work_off(batch)
        return batch

    return call


def work_off(batch: WalletImport) -> None:
    moment = now()
    while (again := tasks.run_next_lines(batch, now=moment)) is not None:
        moment = max(again, moment)
    batch.refresh_from_db()


def foreseen(batch: WalletImport) -> list[str]:
    return list(batch.lines.order_by("number").values_list("foreseen", flat=True))


def outcomes(batch: WalletImport) -> list[str]:
    return list(batch.lines.order_by("number").values_list("outcome", flat=True))


# one of everything: a line, and what it comes to
LINES = (
    (row(1, MICROSOFT), "REGISTER"),
    (row(2, LAPSED), "REGISTER"),
    (row(3, MICROSOFT | {"legalName": "Redmond Sandwich Company"}), "REGISTER"),
    (row(4), "SAME"),
    (row(5, MICROSOFT), "UPGRADE"),
    (row(6, aliases="Northwind | Norwind"), "CHANGE"),
    (row(7, {"legalName": "Blue Heron Limited", "country": "GB"}), "CONFLICT"),
    (row(8, {"legalName": "Lazarus Group", "country": "DE"}), "REFUSED"),
    (row(1, MICROSOFT), "TWICE"),
    (row(9, NORTHWIND | {"country": "XX"}), "FAULTY"),
    (row(10, MICROSOFT | {"lei": MICROSOFT["lei"][:-1]}), "FAULTY"),
)


@pytest.fixture
def stands(register: Call) -> None:
    """Wallets that stand before: four of Northwind's, one of a Microsoft without an LEI."""
    for number in (4, 6, 7):
        register(number)
    register(5, legalName="Microsoft Corporation", country="US")


def test_the_check_says_what_would_come_of_each_line_and_writes_nothing(
    stands: None, taken: Call
) -> None:
    before = list(Registration.objects.order_by("pk").values())
    batch = taken(*(line for line, _ in LINES))
    assert foreseen(batch) == [code for _, code in LINES]
    assert list(Registration.objects.order_by("pk").values()) == before
    assert not SarEntry.objects.exists() and not Case.objects.exists()
    assert batch.stage == Stage.CHECKED


def test_what_was_foreseen_is_what_comes_of_it(stands: None, done: Call) -> None:
    batch = done(*(line for line, _ in LINES))
    assert outcomes(batch) == foreseen(batch) == [code for _, code in LINES]
    assert batch.stage == Stage.DONE and batch.finished_at is not None
    reviewed = batch.lines.filter(review=True)
    assert list(reviewed.values_list("number", flat=True)) == [3, 4, 7]
    assert all(one.foreseen_why == one.outcome_why for one in reviewed)
    assert all(line.foreseen_review == line.review for line in batch.lines.all())
    assert list(verify_all_registrations(lambda done: None)) == []


def test_each_event_names_who_started_the_import_and_its_line(done: Call) -> None:
    batch = done(row(1))
    event = RegistrationEvent.objects.get()
    assert (event.by.username, event.caller) == ("ruth", "desk")  # type: ignore[union-attr]
    assert event.data["via"] == f"import {batch.pk}, line 2"


def test_gleifs_name_stands_beside_the_submitted_one(taken: Call, registrar: Client) -> None:
    batch = taken(row(1, MICROSOFT | {"legalName": "Redmond Sandwich Company"}))
    assert batch.lines.get().gleif_name == "MICROSOFT CORPORATION"
    html = check_page(registrar.get(f"{PLACE}{batch.pk}/"))
    assert "MICROSOFT CORPORATION" in html and "Redmond Sandwich Company" in html
    assert "Would be registered" in html and "Under review" in html


def test_a_listed_party_is_refused_as_neutrally_as_by_the_api_and_logged_once(
    done: Call, registrar: Client
) -> None:
    batch = done(row(1, {"legalName": "Lazarus Group", "country": "DE"}))
    line = batch.lines.get()
    assert line.outcome_why == line.foreseen_why == "This registration cannot be made."
    assert SarEntry.objects.count() == 1 and not Registration.objects.exists()
    html = check_page(registrar.get(f"{PLACE}{batch.pk}/"))
    assert "sanction" not in html.lower() and "match" not in html.partition("<table")[2].lower()


def test_another_entity_is_never_changed_by_a_file_but_opens_a_case(
    register: Call, done: Call
) -> None:
    register(1)
    done(row(1, MICROSOFT))
    assert Registration.objects.get().legal_name == NORTHWIND["legalName"]
    assert Case.objects.get().ref.startswith("contest.")


def test_the_same_entity_under_two_names_in_one_file_is_foreseen(done: Call) -> None:
    other = MICROSOFT | {"legalName": "Microsft Corporation"}
    batch = done(row(1, MICROSOFT), row(2, other))
    second = batch.lines.get(number=3)
    assert "under another name" in second.foreseen_why
    assert second.outcome_why == second.foreseen_why


def test_of_a_wallet_that_comes_twice_the_first_good_line_counts(done: Call) -> None:
    batch = done(row(1, NORTHWIND | {"country": "XX"}), row(1), row(1).replace("0x", "0X"))
    assert outcomes(batch) == ["FAULTY", "REGISTER", "TWICE"]
    assert batch.lines.get(number=4).outcome_why == "Line 3 has this wallet."


# --- uploaded again, started once, cut off ----------------------------------------------


def test_the_same_file_again_is_the_import_that_stands(
    taken: Call, registrar: Client, ruth: User
) -> None:
    batch = taken(row(1))
    file = SimpleUploadedFile("b.csv", content(row(1)), "text/csv")
    page_text = check_page(registrar.post(f"{PLACE}upload/", {"file": file}, follow=True))
    assert "was uploaded on" in page_text and "by ruth" in page_text
    assert WalletImport.objects.get() == batch


def test_an_import_is_started_once_and_only_when_it_is_checked(taken: Call, ruth: User) -> None:
    batch = taken(row(1), check=False)
    with pytest.raises(services.ImportNotReady):
        services.start_import(batch=batch, by=ruth, now=now())
    tasks.check_next_lines(batch, now=now())
    services.start_import(batch=batch, by=ruth, now=now())
    with pytest.raises(services.ImportNotReady):
        services.start_import(batch=WalletImport.objects.get(), by=ruth, now=now())
    assert Job.objects.filter(name=services.RUN).count() == 1


def test_a_run_that_is_cut_off_goes_on_where_it_stopped(
    taken: Call, ruth: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = taken(*(row(number) for number in range(1, 6)))
    services.start_import(batch=batch, by=ruth, now=now())
    real, left = line_outcomes.submit_registration, iter((True, True, False))

    def dies(**given: Any) -> Any:
        found = real(**given)
        if not next(left):
            raise KeyboardInterrupt  # the process ends after it wrote, before it committed
        return found

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(line_outcomes, "submit_registration", dies)
        work_off(batch)
    assert Registration.objects.count() == 2 and batch.lines.open().count() == 3
    work_off(batch)
    assert outcomes(batch) == ["REGISTER"] * 5
    assert RegistrationEvent.objects.count() == Registration.objects.count() == 5


def test_a_line_that_another_run_took_is_not_registered_twice(taken: Call, ruth: User) -> None:
    batch = taken(row(1))
    services.start_import(batch=batch, by=ruth, now=now())
    seen = batch.lines.get()
    line_outcomes.submit_line(seen, batch=batch, now=now())
    events = RegistrationEvent.objects.count()
    with pytest.raises(line_outcomes.LineTaken), transaction.atomic():
        line_outcomes.submit_line(seen, batch=batch, now=now())
    assert RegistrationEvent.objects.count() == events == 1


def test_the_jobs_check_and_register_some_lines_at_a_time(
    taken: Call, ruth: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "AT_ONCE", 2)
    batch = taken(*(row(number) for number in range(1, 6)), check=False)
    assert rounds(services.CHECK) == 3
    batch.refresh_from_db()
    assert batch.stage == Stage.CHECKED
    services.start_import(batch=batch, by=ruth, now=now())
    assert rounds(services.RUN) == 3
    batch.refresh_from_db()
    assert batch.stage == Stage.DONE and Registration.objects.count() == 5


def rounds(name: str) -> int:
    """Run a job until it is done; return how often."""
    for count in range(1, 20):
        job_queue.run_job(Job.objects.get(name=name).pk)
        if Job.objects.get(name=name).state == "DONE":
            return count
    raise AssertionError(f"{name} does not end")


# --- GLEIF or the lists cannot be asked -------------------------------------------------


@pytest.fixture
def gleif_down(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """GLEIF cannot be asked, until what this gives is called."""

    def fails(**_: Any) -> Any:
        raise LeiUnavailable("GLEIF could not be asked. Nothing was decided.")

    with monkeypatch.context() as patched:
        patched.setattr(registration_checks, "look_up_entity", fails)
        yield patched.undo


def test_what_could_not_be_checked_is_said_and_checked_again_on_request(
    taken: Call, registrar: Client, gleif_down: Call
) -> None:
    batch = taken(row(1, MICROSOFT), row(2))
    assert foreseen(batch) == ["UNCHECKED", "REGISTER"]
    assert "Retry lines that could not be checked" in check_page(
        registrar.get(f"{PLACE}{batch.pk}/")
    )
    gleif_down()
    registrar.post(f"{PLACE}{batch.pk}/again/")
    batch.refresh_from_db()
    assert batch.stage == Stage.CHECKING
    tasks.check_next_lines(batch, now=now())
    assert foreseen(batch) == ["REGISTER", "REGISTER"] and batch.stage == Stage.CHECKED


def test_a_line_waits_for_gleif_while_the_others_are_registered(
    taken: Call, ruth: User, gleif_down: Call
) -> None:
    batch, moment = taken(row(1, MICROSOFT), row(2)), now()
    services.start_import(batch=batch, by=ruth, now=moment)
    assert tasks.run_next_lines(batch, now=moment) == moment + WAITS[0]
    assert outcomes(batch) == ["", "REGISTER"]
    gleif_down()
    assert tasks.run_next_lines(batch, now=moment + WAITS[0]) is None
    assert outcomes(batch) == ["REGISTER", "REGISTER"]


def test_after_the_last_wait_a_line_is_given_up_and_can_be_taken_up_again(
    taken: Call, ruth: User, gleif_down: Call
) -> None:
    batch, moment = taken(row(1, MICROSOFT)), now()
    services.start_import(batch=batch, by=ruth, now=moment)
    for pause in WAITS:
        again = tasks.run_next_lines(batch, now=moment)
        assert again == moment + pause and outcomes(batch) == [""]
        assert tasks.run_next_lines(batch, now=again - timedelta(seconds=1)) == again
        moment = again
    assert tasks.run_next_lines(batch, now=moment) is None
    assert outcomes(batch) == ["UNCHECKED"] and batch.stage == Stage.DONE
    gleif_down()
    assert services.retry_unchecked_lines(batch=batch, now=moment) == 1
    work_off(batch)
    assert outcomes(batch) == ["REGISTER"]
    with pytest.raises(services.ImportNotReady):
        services.retry_unchecked_lines(batch=batch, now=moment)
    batch.refresh_from_db()
    assert batch.stage == Stage.DONE


# --- hostile files ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (b"", "The header lacks walletAddress"),
        (b"\n\n", "The header lacks walletAddress"),
        (HEAD.encode(), "no line"),
        (HEAD.encode() + b"\r\n\r\n", "no line"),
        (content(row(1)).replace(b"country", b"land"), "The header lacks country"),
        (content(row(1)).replace(b"aliases", b"LEl"), "Unknown columns: LEl"),
        (content(row(1)).replace(b"aliases", b"wallet"), "names a column twice"),
        (content(row(1)).replace(b"aliases", b""), "one without a name"),
        (content(row(1)) + b"\x00", "NUL"),
        (content(row(1)).decode().encode("utf-16"), "NUL"),
        (content(row(1)).replace(b"Northwind", b"N\xf6rdwind"), "not UTF-8"),
        (content(row(1)) + b'\r\n"never closed', "not CSV"),
        (content(row(1)) + b'\r\n"a"b,c,d,e,f', "not CSV"),
        (content(*["x"] * 10_001), "more than 10,000 lines"),
        (b"x" * (2 * 1024 * 1024 + 1), "more than 2 MiB"),
    ],
)
def test_what_is_no_table_of_registrations_is_refused_whole(
    registrar: Client, ruth: User, file: bytes, told: str
) -> None:
    with pytest.raises(ImportRefused, match=told):
        services.upload_wallet_file(content=file, name="a.csv", by=ruth, now=now())
    if file:
        upload = SimpleUploadedFile("a.csv", file, "text/csv")
        assert told in check_page(registrar.post(f"{PLACE}upload/", {"file": upload}))
    assert not WalletImport.objects.exists()


PLAIN = {"walletAddress": wallet(1), "legalName": "Müller, Söhne", "country": "DE"}


@pytest.mark.parametrize(
    "file",
    [
        f'walletAddress,legalName,country\n{wallet(1)},"Müller, Söhne",DE\n',
        f'\ufeffWallet_Address;Legal Name;COUNTRY\r\n{wallet(1)};"Müller, Söhne";DE\r\n',
        f"name\twallet\tcountry\r{'Müller, Söhne'}\t{wallet(1)}\tDE",
        f"name;wallet;country;aliases\rMüller, Söhne;{wallet(1)};DE;A, B, C, D|E, F, G, H, I",
        f'"country","legalName","walletAddress"\n\n"DE"," Müller, Söhne ","{wallet(1)}"\n\n',
    ],
)
def test_a_table_is_read_however_it_was_saved(ruth: User, file: str) -> None:
    batch, _ = services.upload_wallet_file(content=file.encode(), name="a.csv", by=ruth, now=now())
    line = batch.lines.get()
    assert {name: line.given[name] for name in PLAIN} == PLAIN


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"{wallet(1)},Northwind", "2 cells, and the header 5"),
        (f"{wallet(1)},Northwind,DE,,,more", "6 cells, and the header 5"),
        ("0x12,Northwind,DE,,", "walletAddress: This is not a wallet"),
        (f"0x{'1' * 39},Northwind,DE,,", "walletAddress: An EVM address"),
        (",Northwind,DE,,", "walletAddress: This field is required."),
        (f"{wallet(1)},…,DE,,", "legalName: A name must contain letters"),
        (f"{wallet(1)},North\u202ewind,DE,,", "legalName: Control, bidirectional"),
        (f"{wallet(1)},{'x' * 301},DE,,", "legalName"),
        (f"{wallet(1)},Northwind,DE,NOTANLEI,", "lei: This is not an LEI"),
        (f"{wallet(1)},Northwind,DE,,{'|'.join('abcdefghijk')}", "aliases"),
        (f"{wallet(1)},Northwind,DE,,{'x' * 4001}", "aliases: This is longer"),
        (f"{wallet(1)},Northwind,DE,{MICROSOFT['lei'][:-2]}00,", "lei"),
    ],
)
def test_what_is_wrong_with_a_line_is_told_of_that_line_alone(
    done: Call, line: str, told: str
) -> None:
    batch = done(line, row(2))
    assert outcomes(batch) == ["FAULTY", "REGISTER"]
    assert told in batch.lines.get(number=2).outcome_why


def test_ten_thousand_lines_are_taken_and_their_page_stays_as_light(
    ruth: User, registrar: Client, django_assert_max_num_queries: Any
) -> None:
    many = content(*(f"{wallet(number)},Firm {number},DE,," for number in range(1, 10_001)))
    batch, _ = services.upload_wallet_file(content=many, name="a.csv", by=ruth, now=now())
    assert batch.total == batch.lines.count() == 10_000
    with django_assert_max_num_queries(8):
        html = check_page(registrar.get(f"{PLACE}{batch.pk}/"))
    assert html.count("Not checked yet") == 50 and "0 of 10000 lines" in html
    after = html.partition("after=")[2].partition('"')[0]
    assert "Firm 51<" in check_page(registrar.get(f"{PLACE}{batch.pk}/", {"after": after}))


# --- the desk ---------------------------------------------------------------------------


def test_a_registrar_uploads_looks_starts_and_follows(registrar: Client) -> None:
    file = SimpleUploadedFile("wallets.csv", content(row(1, MICROSOFT), row(2)), "text/csv")
    answer = registrar.post(f"{PLACE}upload/", {"file": file})
    batch = WalletImport.objects.get()
    page = f"{PLACE}{batch.pk}/"
    assert answer["Location"] == page and not Registration.objects.exists()
    html = check_page(registrar.get(page))
    assert "Being checked" in html and "0 of 2 lines" in html and "Start:" not in html
    rounds(services.CHECK)
    html = check_page(registrar.get(page))
    assert "2 of 2 lines" in html and "Start: register the wallets" in html
    registrar.post(f"{page}start/")
    assert "Being registered" in check_page(registrar.get(page))
    rounds(services.RUN)
    html = check_page(registrar.get(page))
    assert "Done" in html and "Registered" in html and "Start:" not in html
    assert Registration.objects.count() == 2
    assert "wallets.csv" in check_page(registrar.get(PLACE))


def test_lines_are_narrowed_by_what_they_come_to(
    stands: None, taken: Call, registrar: Client
) -> None:
    batch = taken(*(line for line, _ in LINES))

    def shown(**query: str) -> int:
        return check_page(registrar.get(f"{PLACE}{batch.pk}/", query)).count('data-label="Line"')

    assert shown() == len(LINES) == shown(come="NOTHING", after="x")
    assert (shown(come="REGISTER"), shown(come="CONFLICT"), shown(review="yes")) == (3, 1, 3)


def test_the_result_is_a_csv_that_no_spreadsheet_runs(done: Call, registrar: Client) -> None:
    bad = '=HYPERLINK("http://a.example")'
    batch = done(row(1, MICROSOFT), f'{wallet(2)},"{bad.replace(chr(34), chr(34) * 2)}",XX,,')
    answer = registrar.post(f"{PLACE}{batch.pk}/result/")
    assert answer.streaming and answer["Content-Type"].startswith("text/csv")
    assert f'filename="import-{batch.pk}.csv"' in answer["Content-Disposition"]
    raw = b"".join(answer.streaming_content)
    assert read_csv(raw)[0][0] == "line"
    text = raw.decode("utf-8-sig")
    first, second = csv.DictReader(io.StringIO(text))
    assert (first["line"], first["outcome"], first["gleifName"]) == (
        "2", "REGISTER", "MICROSOFT CORPORATION",
    )  # fmt: skip
    assert first["registration"] == str(Registration.objects.get().pk) and first["doneAt"]
    assert second["legalName"] == f"'{bad}" and second["outcome"] == "FAULTY"
    assert "not an ISO 3166-1" in second["why"]


@pytest.mark.parametrize(("group", "status"), [("Examiner", 200), ("Compliance officer", 403)])
def test_others_start_nothing(taken: Call, group: str, status: int) -> None:
    batch, reader = taken(row(1)), at_desk(person("edgar", group))
    assert reader.get(f"{PLACE}{batch.pk}/").status_code == status
    assert reader.get(f"{PLACE}upload/").status_code == 403
    assert reader.post(f"{PLACE}{batch.pk}/start/").status_code == 403
    assert reader.post(f"{PLACE}{batch.pk}/again/").status_code == 403
    batch.refresh_from_db()
    assert batch.stage == Stage.CHECKED and not ImportLine.objects.exclude(outcome="").exists()


def test_an_import_is_stopped_behind_its_line_and_gone_on_with(
    registrar: Client, taken: Call, ruth: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = taken(*(row(number) for number in range(1, 6)))
    page = f"{PLACE}{batch.pk}/"
    assert "nothing to stop" in check_page(registrar.post(f"{page}stop/", follow=True))
    services.start_import(batch=batch, by=ruth, now=now())
    assert "Stop registering" in check_page(registrar.get(page))
    real = line_outcomes.submit_registration

    def stops(**given: Any) -> Any:
        if Registration.objects.count() == 1:
            registrar.post(f"{page}stop/")
        return real(**given)

    with monkeypatch.context() as patched:
        patched.setattr(line_outcomes, "submit_registration", stops)
        assert rounds(services.RUN) == 1
    assert outcomes(batch) == ["REGISTER", "REGISTER", "", "", ""]
    html = check_page(registrar.get(page))
    assert "Stopped" in html and "Continue: register the remaining wallets" in html
    assert "Stop registering" not in html
    registrar.post(f"{page}start/")
    assert Job.objects.filter(name=services.RUN, state="PENDING").count() == 1
    work_off(batch)
    assert batch.stage == Stage.DONE and outcomes(batch) == ["REGISTER"] * 5
    assert RegistrationEvent.objects.count() == 5

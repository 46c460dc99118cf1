"""A message of several transactions: a file that is worked off, however often it is interrupted."""

import hashlib
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ
from lxml import etree

from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.pain001 import tasks
from apps.payments.payments.pain001.models import FilePiece, FileTransaction, PaymentFile
from apps.payments.payments.pain001.services import process_file
from apps.payments.payments.rules import messages
from apps.platform.jobs.models import Job
from tests.api.endpoint_walk import key_client
from tests.payments.conftest import INITIATE, work
from tests.payments.pain001.conftest import FILES, JSON, several, work_off
from tests.payments.pain001.messages import account, message, transaction, wallet
from tests.shared_data import shared

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(post: Callable[..., Any]) -> Callable[..., str]:
    """Send a message of several transactions; return its fileId."""

    def call(body: str = "", **rest: Any) -> str:
        answer = post(body or several(), **JSON, **rest)
        assert answer.status_code == 202, answer.content
        assert "svcPaymentId" not in answer.json()
        return str(answer.json()["file"]["fileId"])

    return call


def test_a_file_is_accepted_at_once_and_worked_off_by_a_job(
    sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    file_id = sent()
    body = bank.get(f"{FILES}/{file_id}").json()
    assert (body["state"], body["groupStatus"], body["judged"]) == ("WORKING", "ACTC", 0)
    assert Job.objects.filter(name="pain001.work").count() == 1
    work_off(today)
    body = bank.get(f"{FILES}/{file_id}").json()
    assert (body["state"], body["groupStatus"]) == ("DONE", "ACCP")
    assert (body["transactions"], body["accepted"], body["refused"]) == (5, 5, 0)
    assert Payment.objects.count() == 5


def test_each_transaction_tells_what_of_it_was_not_read(
    sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    taxed = transaction(1, after="<Tax><RefNb>7</RefNb></Tax>")
    file_id = sent(message(taxed, transaction(2), transaction(3, account="")))
    work_off(today)
    lines = bank.get(f"{FILES}/{file_id}/transactions").json()["items"]
    assert [line.get("unmapped") for line in lines] == [["PmtInf/CdtTrfTxInf/Tax/RefNb"], [], None]


def test_each_transaction_is_judged_alone(
    sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    some = (transaction(1), transaction(2, account=""), transaction(3))
    file_id = sent(message(*some))
    work_off(today)
    assert bank.get(f"{FILES}/{file_id}").json()["groupStatus"] == "PART"
    lines = bank.get(f"{FILES}/{file_id}/transactions").json()["items"]
    assert [line["status"] for line in lines] == ["ACTC", "RJCT", "ACTC"]
    assert [reason["code"] for reason in lines[1]["reasons"]] == ["AC03"]
    assert lines[1]["reasons"][0]["path"] == "PmtInf[1]/CdtTrfTxInf[2]/CdtrAcct"
    assert "svcPaymentId" in lines[0] and "svcPaymentId" not in lines[1]


def test_a_file_of_which_nothing_is_taken_is_rejected(
    sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    file_id = sent(message(transaction(1, account=""), transaction(2, account="")))
    work_off(today)
    assert bank.get(f"{FILES}/{file_id}").json()["groupStatus"] == "RJCT"
    assert not Payment.objects.exists()


def stand(file_id: str, bank: Any) -> tuple[dict[str, Any], list[Any], Any]:
    """Return a file in JSON, its transactions, and its report."""
    body = bank.get(f"{FILES}/{file_id}").json()
    lines = bank.get(f"{FILES}/{file_id}/transactions").json()["items"]
    answer = bank.get(f"{FILES}/{file_id}", headers={"Accept": "application/xml"})
    return body, lines, etree.fromstring(b"".join(answer.streaming_content))


BLOCKED = "<Nm>Lazarus Group</Nm>"


@pytest.mark.parametrize(
    ("some", "group", "statuses"),
    [
        (("", BLOCKED, ""), "PART", ["ACSC", "RJCT", "ACSC"]),
        ((BLOCKED, BLOCKED), "RJCT", ["RJCT", "RJCT"]),
        ((BLOCKED, "refused"), "RJCT", ["RJCT", "RJCT"]),
        (("", ""), "ACCP", ["ACSC", "ACSC"]),
    ],
)
def test_a_message_is_told_in_part_or_rejected_where_payments_of_it_were_blocked(
    sent: Callable[..., str],
    bank: Any,
    today: datetime,
    some: tuple[str, ...],
    group: str,
    statuses: list[str],
) -> None:
    parts = [{"account": ""} if one == "refused" else {"creditor": one} if one else {}
             for one in some]  # fmt: skip
    file_id = sent(message(*(transaction(at, **one) for at, one in enumerate(parts, 1))))
    work_off(today)
    work()
    told, lines, report = stand(file_id, bank)
    assert (told["groupStatus"], report.findtext(".//{*}GrpSts")) == (group, group)
    assert bank.get(FILES).json()["items"][0]["groupStatus"] == group
    assert [line["status"] for line in lines] == statuses
    assert [one.text for one in report.iterfind(".//{*}TxSts")] == statuses


def test_a_blocked_payment_has_the_same_reason_in_json_as_in_xml_and_is_no_refusal(
    sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    file_id = sent(message(transaction(1, creditor=BLOCKED), transaction(2, account="")))
    work_off(today)
    work()
    told, lines, report = stand(file_id, bank)
    blocked = {"code": "NARR", "text": messages.BLOCKED, "path": "", "line": 0}
    assert lines[0]["reasons"] == [blocked]
    first = report.find(".//{*}TxInfAndSts")
    assert first.findtext(".//{*}Cd") == "NARR"
    assert first.findtext(".//{*}AddtlInf") == messages.BLOCKED
    assert (told["accepted"], told["refused"]) == (1, 1)
    for outcome, number in (("TAKEN", 1), ("REFUSED", 2)):
        listed = bank.get(f"{FILES}/{file_id}/transactions?outcome={outcome}").json()["items"]
        assert [one["number"] for one in listed] == [number]


@pytest.mark.parametrize("many", [1, 4])
def test_the_statuses_of_listed_messages_are_found_in_one_query(
    sent: Callable[..., str], bank: Any, many: int
) -> None:
    for at in range(many):
        sent(several(2, id=f"MSG-{at}").replace("E2E-", f"X{at}-"))
    with CaptureQueriesContext(connection) as queries:
        assert len(bank.get(FILES).json()["items"]) == many
    assert len([query for query in queries if "pain001_filetransaction" in query["sql"]]) == 1


def test_pain_002_has_a_status_for_each_transaction(
    sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    file_id = sent(message(transaction(1), transaction(2, account="")))
    for status, statuses in (("ACTC", []), ("PART", ["ACTC", "RJCT"])):
        answer = bank.get(f"{FILES}/{file_id}", headers={"Accept": "application/xml"})
        root = etree.fromstring(b"".join(answer.streaming_content))
        assert root.findtext(".//{*}GrpSts") == status
        assert [one.text for one in root.iterfind(".//{*}TxSts")] == statuses
        schema = etree.parse(str(shared("pain001/xsd/pain.002.001.10.xsd")))
        etree.XMLSchema(schema).assertValid(root)
        work_off(today)


def test_the_same_file_again_is_the_same_import(
    sent: Callable[..., str], post: Callable[..., Any], today: datetime
) -> None:
    file_id = sent()
    for _ in range(2):
        again = post(several(), **JSON)
        assert again.status_code == 200
        assert again.json()["file"]["fileId"] == file_id
        work_off(today)
    assert Payment.objects.count() == 5
    assert post(several(4), **JSON).status_code == 409


@pytest.mark.parametrize("step", ["bulk_accept_payments", "_judge_transaction"])
def test_a_batch_that_is_killed_leaves_nothing_half_done(
    sent: Callable[..., str], today: datetime, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    sent(several(9))
    monkeypatch.setattr(process_file, "BATCH", 2)
    file, real, killed = PaymentFile.objects.get(), getattr(process_file, step), iter([1, 0, 2, 1])
    left = next(killed)

    class Killed(BaseException):
        """Nothing that the code may catch."""

    def dying(*args: Any, **given: Any) -> Any:
        nonlocal left
        made = real(*args, **given)
        left -= 1
        if left < 0:  # what was written before is not committed
            raise Killed
        return made

    monkeypatch.setattr(process_file, step, dying)
    for _ in range(16):
        try:
            process_file.accept_next_transactions(file, now=today)
        except Killed:
            left = next(killed, 99)
        file = PaymentFile.objects.get()
        assert file.done == FileTransaction.objects.count() == Payment.objects.count()
    assert (file.state, file.done) == ("DONE", 9)
    assert sorted(file.transactions.values_list("number", flat=True)) == list(range(1, 10))


def test_of_two_runners_one_wins(sent: Callable[..., str], today: datetime) -> None:
    sent()
    first, second = PaymentFile.objects.get(), PaymentFile.objects.get()
    assert process_file.accept_next_transactions(first, now=today)
    assert process_file.accept_next_transactions(second, now=today)
    assert Payment.objects.count() == FileTransaction.objects.count() == 5


def test_a_batch_that_another_runner_had_is_undone(
    sent: Callable[..., str], today: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent()
    slow, real = PaymentFile.objects.get(), process_file.bulk_accept_payments

    def overtaken(**given: Any) -> Any:
        made = real(**given)
        PaymentFile.objects.filter(pk=slow.pk).update(done=5, finished_at=today)
        return made

    monkeypatch.setattr(process_file, "bulk_accept_payments", overtaken)
    assert process_file.accept_next_transactions(slow, now=today)
    assert not Payment.objects.exists() and not FileTransaction.objects.exists()


def test_a_run_comes_again_while_transactions_are_left(
    sent: Callable[..., str], today: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.platform.jobs.job_queue import RetryLater

    sent()
    monkeypatch.setattr(process_file, "BATCH", 2)
    monkeypatch.setattr(process_file, "AT_ONCE", 2)
    monkeypatch.setitem(process_file.accept_next_transactions.__kwdefaults__, "at_once", 2)
    key = str(PaymentFile.objects.get().pk)
    for done in (2, 4):
        with pytest.raises(RetryLater):
            process_file.accept_file(key, today)
        assert PaymentFile.objects.get().done == done
    process_file.accept_file(key, today)
    assert PaymentFile.objects.get().state == "DONE"


@pytest.mark.parametrize("digest", [False, True], ids=["bytes", "bytes and their digest"])
def test_bytes_that_were_altered_are_not_worked_off(
    digest: bool, sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    file_id = sent()
    altered = several().replace("250.00", "950.00").encode()
    FilePiece.objects.update(packed=zlib.compress(altered))
    if digest:
        PaymentFile.objects.update(digest=hashlib.sha256(altered).hexdigest())
    process_file.accept_file(str(PaymentFile.objects.get().pk), today)
    body = bank.get(f"{FILES}/{file_id}").json()
    assert body["state"] == "STOPPED" and "differs from the file received" in body["trouble"]
    assert not Payment.objects.exists()


def test_a_fault_of_ours_refuses_one_transaction_alone(
    sent: Callable[..., str], bank: Any, today: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = process_file.accept_payment

    def accept(**given: Any) -> Any:
        if given["instruction"].reference == "E2E-2":
            raise KeyError("a mistake")
        return real(**given)

    monkeypatch.setattr(process_file, "accept_payment", accept)
    monkeypatch.setattr(process_file, "bulk_accept_payments", lambda **_: {})
    file_id = sent()
    work_off(today)
    lines = bank.get(f"{FILES}/{file_id}/transactions?outcome=REFUSED").json()["items"]
    assert [(line["number"], line["reasons"][0]["code"]) for line in lines] == [(2, "FF10")]
    assert Payment.objects.count() == 4


def test_what_was_lost_is_planned_again(sent: Callable[..., str], today: datetime) -> None:
    sent()
    Job.objects.all().delete()
    tasks.enqueue_unfinished_files("", today)
    assert Job.objects.filter(name="pain001.work").count() == 1
    work_off(today)
    Job.objects.all().delete()
    tasks.enqueue_unfinished_files("", today)
    assert not Job.objects.filter(name="pain001.work").exists()


def test_files_go_at_the_end_of_their_retention(sent: Callable[..., str], today: datetime) -> None:
    sent()
    work_off(today)
    tasks.delete_expired_files("", today + tasks.KEPT - (today - today.replace(hour=11)))
    assert PaymentFile.objects.exists()
    tasks.delete_expired_files("", today + tasks.KEPT)
    assert not PaymentFile.objects.exists() and not FilePiece.objects.exists()
    assert Payment.objects.count() == 5


def test_more_files_than_are_read_at_once_go_in_one_run(
    sent: Callable[..., str], today: datetime, monkeypatch: Any
) -> None:
    for number in range(3):
        sent(several(id=f"MSG-{number}").replace("E2E-", f"X{number}-"))
    work_off(today)
    monkeypatch.setattr(tasks, "AT_ONCE", 2)
    tasks.delete_expired_files("", today + tasks.KEPT)
    assert not PaymentFile.objects.exists()


def test_files_are_listed_and_found_by_their_msgid(sent: Callable[..., str], bank: Any) -> None:
    first, second = sent(), sent(several(id="MSG-2").replace("E2E-", "X-"))
    listed = bank.get(FILES).json()["items"]
    assert [one["fileId"] for one in listed] == [second, first]
    items = bank.get(f"{FILES}?messageId=MSG-1").json()["items"]
    assert [one["fileId"] for one in items] == [first]


def test_transactions_are_paged_in_their_order(
    sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    address: str | None = f"{FILES}/{sent()}/transactions?limit=2"
    work_off(today)
    seen = []
    while address:
        page = bank.get(address).json()
        seen += [item["number"] for item in page["items"]]
        address = page["next"]
    assert seen == [1, 2, 3, 4, 5]


def test_nobody_sees_the_files_of_others(sent: Callable[..., str], today: datetime) -> None:
    file_id = sent()
    work_off(today)
    other = key_client("Birch Bank", "INSTITUTION")
    assert other.get(FILES).json()["items"] == []
    for path in (f"{FILES}/{file_id}", f"{FILES}/{file_id}/transactions"):
        assert other.get(path).status_code == 404
        assert other.get(path, headers={"Accept": "application/xml"}).status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="one writer at a time hides races")
def test_the_same_file_sent_in_parallel_is_one_import(bank: Any, today: datetime) -> None:
    raw = several().encode()

    def send(_: int) -> int:
        try:
            answer = bank.generic("POST", INITIATE, raw, content_type="application/xml")
            return int(answer.status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(send, range(16)))
    assert sorted(statuses) == [200] * 15 + [202]
    assert PaymentFile.objects.count() == 1
    work_off(today)
    assert Payment.objects.count() == 5


def test_instructions_are_accepted_together_as_one_by_one(
    sent: Callable[..., str], today: datetime, monkeypatch: pytest.MonkeyPatch, bank: Any
) -> None:
    sent()
    work_off(today)
    monkeypatch.setattr(process_file, "bulk_accept_payments", lambda **_: {})
    sent(several(id="MSG-2").replace("E2E-", "X-"))
    work_off(today)
    together, alone = (_written(prefix) for prefix in ("E2E-", "X-"))
    assert together == alone
    assert together["events"] == together["jobs"] == together["tasks"] == 5


def _written(prefix: str) -> dict[str, Any]:
    rows = Payment.objects.filter(reference__startswith=prefix)
    ids = [str(pk) for pk in rows.values_list("pk", flat=True)]
    waiting = Job.objects.filter(name="payments.advance", key__in=ids)
    numbers = {task.task["args"][0] for task in OrmQ.objects.all()}
    events = PaymentEvent.objects.filter(payment__in=rows)
    names = {name for event in events for name in event.data}
    return {
        "states": sorted(rows.values_list("state", "steps", "amount", "creditor_key")),
        "events": events.count(),
        "turns": sorted(set(events.values_list("turn", "event", "state", "number"))),
        "said": names,
        "stands": all(event.data["stands"] == event.payment.stands for event in events),
        "jobs": waiting.filter(state="PENDING").count(),
        "tasks": len(numbers & set(waiting.values_list("pk", flat=True))),
    }


def test_a_reference_that_was_used_is_refused_in_a_file_too(
    sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    sent()
    work_off(today)
    file_id = sent(several(6, id="MSG-2"))
    work_off(today)
    assert Payment.objects.count() == 6
    body = bank.get(f"{FILES}/{file_id}").json()
    assert (body["accepted"], body["refused"]) == (1, 5)


def test_a_wallet_that_pays_itself_is_refused(
    sent: Callable[..., str], bank: Any, today: datetime
) -> None:
    file_id = sent(several(2, **{"from": account(wallet(1))}))
    work_off(today)
    lines = bank.get(f"{FILES}/{file_id}/transactions?outcome=REFUSED").json()["items"]
    assert [(line["number"], line["reasons"][0]["code"]) for line in lines] == [(1, "AC03")]

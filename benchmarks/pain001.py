"""How fast a message of pain.001 is taken: `./run bench pain001 [--transactions N]`.

Sends a message to the service in a process of its own, then works it off into payments, on a test
database beside the one of DATABASE_URL. Prints seconds, the peak memory beside that of a message of
a tenth of the size, and the time beside that of lxml, which parses the same bytes and holds them
against the published schema (where SHARED_DATA has it; else it parses alone).
"""

import argparse
import json
import logging
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

LOT = 7  # runs of lxml, of which the median counts
DEFAULT = 10_000
SCHEMA = "pain001/xsd/pain.001.001.09.xsd"


def main() -> None:
    """Measure a message and one of a tenth of it, each in a fresh process; print both."""
    asked = _asked()
    if asked.child:
        print(json.dumps(_measured(asked.transactions, asked.kind)))
        return
    for kind in ("XML", "JSON"):
        small, large = (_child(n, kind) for n in (asked.transactions // 10, asked.transactions))
        _print(kind, small, large)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench pain001", description=__doc__)
    parser.add_argument("--transactions", type=int, default=DEFAULT)
    parser.add_argument("--kind", choices=("XML", "JSON"), default="XML", help=argparse.SUPPRESS)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def _child(transactions: int, kind: str) -> dict[str, Any]:
    """Measure in a process of its own: peak memory is a process's, and never falls."""
    asked = ["--child", "--transactions", str(transactions), "--kind", kind]
    command = [sys.executable, "-m", "benchmarks.pain001", *asked]
    process = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(process.stdout.strip().splitlines()[-1]))


def _print(kind: str, small: dict[str, Any], large: dict[str, Any]) -> None:
    count = large["transactions"]
    print(f"\n{kind}, {large['database']}: {count:,} transactions, {large['bytes'] / 1e6:.1f} MB")
    print(f"  answered 202 in          {large['answered']:6.2f} s")
    print(f"  all are payments after   {large['answered'] + large['worked']:6.2f} s (one worker)")
    print(f"  looked over in           {large['looked']:6.2f} s")
    print(f"  lxml parses{large['beside']} in {large['lxml']:6.2f} s")
    print(f"  ratio to lxml            {large['looked'] / large['lxml']:6.1f}")
    for name, words in (
        ("grown_look", "to look it over"),
        ("grown_all", "to answer and work it off"),
    ):
        print(f"  memory {words}: +{large[name]:.0f} MB (a tenth of it: +{small[name]:.0f} MB)")
    ratio = large["peak"] / small["peak"]
    print(f"  peak of the process      {large['peak']:.0f} MB, ratio {ratio:.2f}")


def _measured(transactions: int, kind: str) -> dict[str, Any]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    place = tempfile.mkdtemp(prefix="bench-")
    os.environ["VAR_DIR"] = place
    import django

    django.setup()
    logging.disable(logging.INFO)
    from django.db import connection

    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = f"{place}/bench.sqlite3"
    name = connection.creation.create_test_db(verbosity=0)
    try:
        return {"database": connection.vendor} | _run(transactions, kind)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _run(transactions: int, kind: str) -> dict[str, Any]:
    from apps.payments.payments.pain001.message_overview import summarize_message

    raw = _message(transactions)
    beside, seconds = _lxml(raw) if kind == "XML" else _json(raw)
    if kind == "JSON":
        raw = _twin(raw)
    version = "pain.001.001.09"
    _peak_again()
    before = _peak()
    begun = time.perf_counter()
    summarize_message(raw, kind=kind, version=version)
    looked, grown = time.perf_counter() - begun, _peak() - before
    answered, worked = _sent(raw, kind)
    return {
        "transactions": transactions,
        "bytes": len(raw),
        "looked": looked,
        "grown_look": grown,
        "answered": answered,
        "worked": worked,
        "grown_all": _peak() - before,
        "peak": _peak(),
        "lxml": seconds,
        "beside": beside,
    }


def _sent(raw: bytes, kind: str) -> tuple[float, float]:
    """Send a message as an institution does, and work it off; seconds of both."""
    from apps.payments.payments.models import Payment
    from apps.payments.payments.pain001.models import PaymentFile
    from apps.payments.payments.pain001.services.process_file import accept_next_transactions
    from tests.api.endpoint_walk import key_client

    client = key_client("Bench Bank", "INSTITUTION")
    media = "application/xml" if kind == "XML" else "application/json"
    headers = {"Accept": "application/json"} | ({} if kind == "XML" else {"Version": "09"})
    begun = time.perf_counter()
    path = "/integration/payments/initiate"
    answer = client.generic("POST", path, raw, content_type=media, headers=headers)
    answered = time.perf_counter() - begun
    if answer.status_code != 202:
        raise SystemExit(f"the message was answered {answer.status_code}: {answer.content[:500]!r}")
    file = PaymentFile.objects.get()
    begun = time.perf_counter()
    while not accept_next_transactions(file, now=file.received_at):
        pass
    worked = time.perf_counter() - begun
    if file.taken != file.total or Payment.objects.count() != file.total:
        raise SystemExit(f"{file.taken} of {file.total} transactions became payments")
    return answered, worked


def _lxml(raw: bytes) -> tuple[str, float]:
    """Return what lxml does with the bytes alone, and the median of its seconds."""
    from lxml import etree

    from tests.shared_data import folder

    path = folder() / SCHEMA
    schema = etree.XMLSchema(etree.parse(str(path))) if path.exists() else None

    def once() -> None:
        tree = etree.fromstring(raw)
        if schema is not None and not schema.validate(tree):
            raise SystemExit(f"the message is not of its schema: {schema.error_log.last_error}")

    return (" and validates" if schema is not None else ", no schema here,"), _median(once)


def _json(raw: bytes) -> tuple[str, float]:
    """Return what the standard library does with the twin alone, and its seconds."""
    made = _twin(raw)
    return " is not used; json.loads reads", _median(lambda: json.loads(made))


def _median(call: Any) -> float:
    found = []
    for _ in range(LOT):
        begun = time.perf_counter()
        call()
        found.append(time.perf_counter() - begun)
    return sorted(found)[LOT // 2]


def _message(count: int) -> bytes:
    """Return a message of about 1,400 bytes a transaction, as banks' samples are laid out."""
    from lxml import etree

    from tests.payments.pain001.messages import message, transaction

    place = (
        "<PstlAdr><PstCd>94104</PstCd><TwnNm>San Francisco</TwnNm><CtrySubDvsn>CA</CtrySubDvsn>"
        "<Ctry>US</Ctry><AdrLine>600 Market Street</AdrLine></PstlAdr>"
    )
    agent = f"<CdtrAgt><FinInstnId><BICFI>DZKNUSB0</BICFI>{place}</FinInstnId></CdtrAgt>"
    some = (
        transaction(
            number,
            agent=agent,
            creditor=f"<Nm>Golden Gate Timber {number}</Nm>{place}",
            after=f"<RmtInf><Ustrd>Contract 2026-31 milestone {number}</Ustrd></RmtInf>",
        )
        for number in range(1, count + 1)
    )
    day = time.strftime("%Y-%m-%d", time.gmtime())
    tree = etree.fromstring(message(*some, id="BENCH-1", day=f"<Dt>{day}</Dt>").encode())
    etree.indent(tree)
    return bytes(etree.tostring(tree, xml_declaration=True, encoding="UTF-8"))


def _twin(raw: bytes) -> bytes:
    from tests.payments.pain001.messages import twin

    return json.dumps(twin(raw), indent=1).encode()


def _peak_again() -> None:
    """Let the peak of memory begin anew (Linux)."""
    Path("/proc/self/clear_refs").write_text("5")


def _peak() -> float:
    """Return the peak of memory since then, in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()

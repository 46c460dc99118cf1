"""Two instances of this platform: what one sends, the other takes as the counterparty's message."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.payments.travelrule.models import Transmission, TravelEvent
from apps.payments.travelrule.sending import attempts
from apps.platform.common.clock import now
from tests import template_databases
from tests.payees.registration.conftest import wallet
from tests.test_run import free_port
from tests.travelrule.directory import enter
from tests.travelrule.peers import due, run_until

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.processes,
    pytest.mark.once,
    pytest.mark.timeout(600),
]
ROOT = Path(__file__).parents[2]
SHARED = "7d1f0c9be24a6385f0b1c7d29e84a35d6c1097fe"
STARTS_WITHIN = 120


class Instance:
    """A web process of this platform with a database of its own."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        own = {"VAR_DIR": str(folder), "TRAVEL_RULE_SIGNING_KEY": SHARED}
        self.env = os.environ | own | {"OPERATOR_NAME": "Heron Custody Limited"}
        for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "DJANGO_ENV"):
            self.env.pop(name, None)
        made = template_databases.copy_template(folder)
        self.env["DATABASE_URL"] = f"sqlite:///{made}"
        self.manage("migrate", "--verbosity", "0")
        key = self.manage("issue_key", "MASTER", "--owner", "Examiner", "--json")
        self.key = json.loads(key)["key"]
        serve = ["runserver", "--noreload", "--nothreading", f"127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", *serve], cwd=ROOT, env=self.env,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._until_up()

    def manage(self, *words: str) -> str:
        command = [sys.executable, "manage.py", *words]
        process = subprocess.run(
            command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=150
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    def _until_up(self) -> None:
        ends = time.monotonic() + STARTS_WITHIN
        while time.monotonic() < ends:
            try:
                self.get("travel-rule/export")
            except urllib.error.URLError:
                time.sleep(0.2)
            else:
                return
        raise AssertionError("the second instance did not start")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/integration/"

    def get(self, path: str) -> Any:
        request = urllib.request.Request(self.url + path)
        request.add_header("Authorization", f"Bearer {self.key}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@pytest.fixture
def second(tmp_path: Path) -> Iterator[Instance]:
    instance = Instance(tmp_path)
    yield instance
    instance.process.terminate()
    instance.process.wait(30)


def test_what_one_instance_sends_is_inbound_at_the_other_and_known_when_it_comes_again(
    pay: Any, read: Any, second: Instance
) -> None:
    enter(secret=SHARED, endpoint=f"{second.url}travel-rule/receive")
    one = pay()
    (job,) = due(now())
    run_until(now())
    one.refresh_from_db()
    assert one.status == "SENT"
    (theirs,) = second.get("travel-rule/export")["records"]
    assert (theirs["direction"], theirs["status"], theirs["applies"]) == ("INBOUND", "STORED", True)
    assert (theirs["amount"], theirs["currency"]) == ("4000", "USD")
    facts = TravelEvent.objects.get(record=one, event="DELIVERED").data
    assert facts["receiverId"] == theirs["id"]
    ours = read(str(one.payment_id))["ivms101"]
    for side in ("originator", "beneficiary"):
        assert theirs["ivms101"][side] == ours[side]
    assert theirs["ivms101"]["beneficiary"]["accountNumber"] == [wallet(41)]

    # a sender that was killed after the POST: the same bytes come once more, as a duplicate
    number = int(job.key.partition("/")[0])
    Transmission.objects.filter(pk=number).update(due_at=now(), sending=False)
    claimed = attempts.claim_attempt(number, now=now())
    assert claimed is not None
    again = attempts.post_message(claimed, now=now())
    assert again.status == 200 and b'"duplicate":true' in again.beginning.replace(b" ", b"")
    (same,) = second.get("travel-rule/export")["records"]
    assert same["id"] == theirs["id"]

"""The platform as a user starts it: ./run, the README's first call, and what kill -9 loses."""

import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
STARTS_WITHIN = 240  # on a busy machine; the first start also makes the environment
pytestmark = [pytest.mark.processes, pytest.mark.timeout(STARTS_WITHIN * 2)]


def free_port() -> int:
    """A port that nobody has, and that no connection that goes out is given meanwhile."""
    for port in random.sample(range(20_000, 32_000), 50):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")


class Platform:
    """A running ./run with a folder and a port of its own."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.folder = folder
        self.env = os.environ | {"VAR_DIR": str(folder), "PORT": str(self.port)}
        for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "DJANGO_ENV"):
            self.env.pop(name, None)
        self.log = (folder / "run.log").open("w+")
        try:
            self.start()
        except BaseException:
            self.stop()  # one that comes up later must not be left running
            self.log.close()
            raise
        self.keys = json.loads((folder / "keys.json").read_text())

    def start(self) -> None:
        said = self.printed().count("Ready: ")
        self.process = subprocess.Popen(
            ["./run"], cwd=ROOT, env=self.env, stdout=self.log, stderr=self.log
        )
        self._until(self._up, STARTS_WITHIN)
        self._until(lambda: self.printed().count("Ready: ") > said, 60)

    def _up(self) -> bool:
        assert self.process.poll() is None, self.printed()
        return self.get("/")[0] == 200

    def _until(self, done: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if done():
                    return
            except OSError:
                pass
            time.sleep(0.2)
        raise AssertionError(f"not within {seconds} s:\n{self.printed()}")

    def printed(self) -> str:
        return (self.folder / "run.log").read_text()

    def call(self, path: str, body: Any = None, key: str = "") -> tuple[int, Any]:
        head = {"X-API-Key": key, "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, head)
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def get(self, path: str, key: str = "") -> tuple[int, Any]:
        return self.call(path, key=key)

    def manage(self, *words: str) -> str:
        process = subprocess.run(
            ["./run", "manage", *words], cwd=ROOT, env=self.env, capture_output=True, text=True
        )
        assert process.returncode == 0, process.stdout + process.stderr
        return process.stdout

    def part(self, words: str) -> list[int]:
        """Return the processes of one part of this platform, by command line."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                environ = (entry / "environ").read_bytes()
            except OSError:
                continue
            if words in line and str(self.folder).encode() in environ:
                found.append(int(entry.name))
        return found

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    if not Path("/proc").exists():
        pytest.skip("needs /proc to find the processes it kills")
    started = Platform(tmp_path_factory.mktemp("platform"))
    yield started
    started.stop()
    started.log.close()


def test_a_start_loads_each_sample_once_and_says_so_once(platform: Platform) -> None:
    printed = platform.printed()
    for line in (
        "sample-sanctions 1:",
        "LEI records (level 1)",
        "new sample rates",
        "A first call:",
    ):
        assert printed.count(line) == 1, line


def test_it_prints_who_may_sign_in_and_a_first_call(platform: Platform) -> None:
    printed = platform.printed()
    for role in ("Compliance officer", "Senior officer", "Registrar", "Examiner", "Operator"):
        assert role in printed
    assert platform.keys["subscription"] in printed


def test_the_first_call_works_as_printed_and_is_the_readmes(platform: Platform) -> None:
    blocks = re.findall(r"```(sh|json)\n(.*?)```", README, re.S)
    shown = next(text for kind, text in blocks if "curl" in text)
    promised = json.loads(next(text for kind, text in blocks if kind == "json"))
    printed = platform.printed().partition("A first call:\n\n")[2].partition("\n\n")[0] + "\n"
    here = printed.replace(f"127.0.0.1:{platform.port}", "127.0.0.1:8000")
    assert here.replace(str(platform.folder / "keys.json"), "var/keys.json") == shown
    env = {name: value for name, value in os.environ.items() if name != "KEY"}
    process = subprocess.run(["sh", "-eu", "-c", printed], env=env, capture_output=True, check=True)
    answer = json.loads(process.stdout)
    for name, value in promised.items():
        if name == "checks":
            assert value["sanctions"].items() <= answer[name]["sanctions"].items()
        elif name != "screenId":
            assert answer[name] == value, name


def test_every_page_answers(platform: Platform) -> None:
    for path in ("/", "/compliance/docs", "/compliance/openapi.json", "/admin/login/"):
        assert platform.get(path)[0] == 200, path
    status, health = platform.get("/compliance/health")
    assert (status, json.loads(health)["checks"]["lists"]["status"]) == (200, "degraded")
    bundle = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
    assert platform.get(bundle)[0] == 200


def test_killing_web_and_workers_loses_no_answered_screen_and_no_case(platform: Platform) -> None:
    key, answered = platform.keys["subscription"], []
    for number in range(60):
        if number in (10, 30, 50):
            for pid in platform.part("gunicorn"):
                os.kill(pid, signal.SIGKILL)
        if number in (20, 40):
            for pid in platform.part("qcluster"):
                os.kill(pid, signal.SIGKILL)
        body = {"name": f"Harbour Orchid {number} Ltd", "country": "HT"}
        try:
            status, text = platform.call("/compliance/compliance/screen", body, key)
        except OSError:  # killed under this call: the caller knows that it has no answer
            # a start takes as long as the machine is busy: the next kill is for what runs again
            platform._until(lambda: platform.get("/")[0] == 200, STARTS_WITHIN)
            continue
        assert status == 200, text
        answered.append(json.loads(text)["screenId"])
    assert len(answered) > 50
    platform._until(lambda: platform.get("/")[0] == 200, 60)
    counted = platform.manage("shell", "-v", "0", "-c", COUNT.format(ids=answered))
    assert counted.split() == [str(len(answered))] * 2
    assert "screens:" in platform.manage("verify_ledger", "--seal")
    assert platform.part("qcluster"), "the supervisor did not start the workers again"


COUNT = """
from apps.compliance.screening.models import Screen
from apps.backoffice.review.models import Case
ids = {ids}
print(Screen.objects.filter(screen_id__in=ids).count(), Case.objects.filter(ref__in=ids).count())
"""


PARTS = ("gunicorn", "qcluster", "keep_index")


def test_a_second_start_says_who_holds_the_port(platform: Platform) -> None:
    done = subprocess.run(["./run"], cwd=ROOT, env=platform.env, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"Port {platform.port} is in use by process {platform.process.pid}" in done.stderr
    assert platform.get("/")[0] == 200


def test_slow_clients_keep_nobody_from_an_answer(platform: Platform) -> None:
    slow = []
    try:
        for number in range(200):
            connection = socket.create_connection(("127.0.0.1", platform.port), timeout=10)
            slow.append(connection)
            half = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            if number % 2:
                half += b"Content-Length: 100\r\n\r\nhalf a body"
            connection.sendall(half)
        key = platform.keys["subscription"]
        for number in range(20):
            body = {"name": f"Willow Anchor {number} Ltd", "country": "DE"}
            assert platform.call("/compliance/compliance/screen", body, key)[0] == 200
    finally:
        for connection in slow:
            connection.close()


@pytest.mark.parametrize("deaf", [pytest.param(False, marks=pytest.mark.nightly), True])
def test_after_the_supervisor_was_killed_nothing_is_left_and_it_starts_again(
    platform: Platform, deaf: bool
) -> None:
    if deaf:  # stopped processes hear nothing: the next start ends them
        for name in PARTS:
            for pid in platform.part(name):
                os.kill(pid, signal.SIGSTOP)
    os.kill(platform.process.pid, signal.SIGKILL)
    platform.process.wait(20)
    if not deaf:
        platform._until(lambda: not any(platform.part(name) for name in PARTS), 30)
    platform.start()
    assert platform.get("/")[0] == 200
    if deaf:
        assert "that an earlier start left behind" in platform.printed()


def test_ctrl_c_stops_all_of_it(platform: Platform) -> None:
    assert platform.stop() == 0
    left = [platform.part(name) for name in PARTS]
    assert left == [[], [], []]

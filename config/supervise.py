"""Run web workers, index keeper and background workers together, for `./run`.

`python -m config.supervise [web] [index] [jobs] [outbound] [callbacks] [payments] [mcp] [bank]`
runs those parts, all by default; `mcp` is the MCP server, `bank` the simulated bank of a sandbox.

A part that ends by itself is started again; one that keeps ending stops the whole. When this
process is killed, Linux signals the parts, and the next start ends those that remain.
"""

import contextlib
import http.client
import importlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import FrameType

from django.core.exceptions import ImproperlyConfigured

from config import deployment_mode, free_port, start_guard
from config.lanes import CALLBACKS, OUTBOUND, PAYMENTS

# more than the 10 s in which gunicorn lets its workers finish (config/gunicorn.py)
GRACE_SECONDS = 15.0
MOST_STARTS = 5
WITHIN_SECONDS = 60.0


@dataclass
class ServerPart:
    """One long-running command, and the moments of its recent starts (`time.monotonic`)."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    starts: list[float] = field(default_factory=list)

    def start(self, mark: str = "") -> None:
        """Start it in a session of its own; `mark` is how a later start knows its processes."""
        self.starts = [s for s in self.starts if time.monotonic() - s < WITHIN_SECONDS]
        self.starts.append(time.monotonic())
        self.process = subprocess.Popen(  # noqa: S603
            self.command,
            # Ctrl-C then reaches the supervisor alone, and `clear` can end a part with its children
            start_new_session=True,
            env=os.environ | {start_guard.MARK: mark},
            preexec_fn=start_guard.die_with_parent(os.getpid()),
        )

    def ended(self) -> int | None:
        """Return its exit status, None while it runs."""
        return self.process.poll() if self.process else 0

    def clear(self) -> None:
        """End whatever it left behind."""
        if self.process:
            # orphaned job workers would go on running tasks
            with contextlib.suppress(ProcessLookupError):
                # the session's first process leads its group, so its pid is the group's id
                os.killpg(self.process.pid, signal.SIGKILL)


def build_parts(python: str, wanted: Sequence[str] = ()) -> list[ServerPart]:
    """Return the parts of one host of the platform; SystemExit for an unknown name."""
    manage = [python, "manage.py"]
    gunicorn = [python, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
    commands: dict[str, list[str]] = {
        "web": gunicorn,
        "index": [*manage, "keep_index"],
        "jobs": [*manage, "qcluster"],
    }
    for lane in (OUTBOUND, CALLBACKS, PAYMENTS):
        # django-q2 reads the lane of a cluster from the environment
        commands[lane] = ["/usr/bin/env", f"Q_CLUSTER_NAME={lane}", *manage, "qcluster"]
    # from the environment, as the settings read them: this process does not set up Django
    if os.environ.get("MCP_PORT", "").strip() != "0":
        commands["mcp"] = [python, "-m", "apps.entry.discovery.tools"]
    if not (deployment_mode.PRODUCTION or os.environ.get("BANK_API_URL", "").strip()):
        commands["bank"] = [python, "-m", "apps.payments.banking.simulator"]
    unknown = set(wanted) - set(commands)
    if unknown:
        raise SystemExit(f"no such part: {', '.join(unknown)}; there are {', '.join(commands)}")
    return [ServerPart(name, commands[name]) for name in wanted or commands]


class Supervisor:
    """Keeps the parts running until a signal, or until one of them cannot be kept."""

    def __init__(
        self, parts: list[ServerPart], mark: str = "", welcome: "WelcomeMessage | None" = None
    ) -> None:
        self.parts, self.mark, self.welcome = parts, mark, welcome
        self.stopping = False

    def run(self) -> int:
        """Run until stopped; 0 after a signal, 1 when a part kept ending."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        for part in self.parts:
            part.start(self.mark)
        status = 0
        while not self.stopping:
            failed = self._mend()
            if failed is not None:
                _print_line(f"{failed.name} ended {MOST_STARTS} times within a minute: stopping.")
                status, self.stopping = 1, True
            if self.welcome and self.welcome.said():
                self.welcome = None
            time.sleep(0.2)
        self._end()
        return status

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def _mend(self) -> ServerPart | None:
        """Start again what ended; return a part that ended too often."""
        for part in self.parts:
            code = part.ended()
            if code is None or self.stopping:
                continue
            part.clear()
            if len(part.starts) >= MOST_STARTS:
                return part
            _print_line(f"{part.name} ended with status {code}; starting it again.")
            part.start(self.mark)
        return None

    def _end(self) -> None:
        _print_line("Stopping …")
        # every part is asked to stop before any is waited for: they share one deadline
        for part in self.parts:
            if part.process and part.ended() is None:
                part.process.terminate()
        deadline = time.monotonic() + GRACE_SECONDS
        for part in self.parts:
            if part.process:
                try:
                    part.process.wait(max(0.1, deadline - time.monotonic()))
                except subprocess.TimeoutExpired:
                    _print_line(f"{part.name} did not stop in time and was ended.")
            # also after a clean end: job workers outlive a cluster that was killed
            part.clear()
        _print_line("Stopped.")


class WelcomeMessage:
    """The message printed once web workers answer; earlier calls would be refused."""

    def __init__(self, *, port: int, text: Sequence[str] = ()) -> None:
        """`text` is the command that prints who may sign in, and a first call."""
        host = os.environ.get("HOST", "").strip() or "127.0.0.1"
        self._host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
        self._port, self._text = port, text

    def said(self) -> bool:
        """Print it if the web workers answer now; return whether it was printed."""
        if not self._answers():
            return False
        if self._text:
            subprocess.run(self._text, check=False)  # noqa: S603
        shown = f"[{self._host}]" if ":" in self._host else self._host
        _print_line(f"Ready: http://{shown}:{self._port}/ answers. Stop with Ctrl-C.")
        return True

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(self._host, self._port, timeout=1)
        try:
            connection.request("HEAD", "/")
            return connection.getresponse().status > 0  # a refusal is an answer too
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def _print_line(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(wanted: Sequence[str]) -> int:
    """Run the parts that are wanted, once what an earlier start left behind is gone.

    Nothing is started, and the status is 2, while the settings are not complete.
    """
    try:
        importlib.import_module("config.settings")
    except ImproperlyConfigured as error:
        _print_line(f"The settings are incomplete: {error}")
        return 2
    if deployment_mode.MCP_ALONE and list(wanted) != ["mcp"]:
        _print_line("MCP_ALONE is set: only the MCP server can run here.")
        return 2
    parts = build_parts(sys.executable, wanted)
    serves = any(part.name == "web" for part in parts)
    port = free_port.read_port() if serves else None
    start_guard.prepare_start(port=port)
    with start_guard.record_start(start_guard.var_dir() / "starts", port=port) as mark:
        welcome = WelcomeMessage(port=port, text=_show_sandbox_command()) if port else None
        return Supervisor(parts, mark, welcome).run()


def _show_sandbox_command() -> list[str]:
    """Return the command that shows a sandbox; none in production."""
    return (
        []
        if deployment_mode.PRODUCTION
        else [sys.executable, "manage.py", "setup_sandbox", "--show"]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A process with the libraries imported, which forks a child for each run of pytest.

Started as a script with the names of the libraries, so that nothing under apps/, config/ or tests/
is imported here: a child imports those from the copy that it runs in. A line of JSON on standard
input asks for a run and one on standard output answers with pytest's exit status, -1 when it ran
out of time.
"""

import gc
import importlib
import json
import os
import signal
import sys
import time
from typing import Any

# what takes long to import and reads no settings of Django while it is imported
LIBRARIES = (
    "pytest", "hypothesis", "django.test", "psycopg", "redis", "numpy", "lxml.etree", "eth_account",
    "cryptography.x509", "fido2.server", "holidays", "jsonschema", "jwt", "mcp.server", "opencc",
    "orjson", "PIL.Image", "pycountry", "qrcode", "rapidfuzz", "reportlab.pdfgen.canvas",
    "requests_hardened", "rfc3161_client", "rigour.names", "stdnum.us.rtn", "xlsxwriter", "yaml",
    "zipcodes",
)  # fmt: skip
OUT_OF_TIME = -1
_LOOK_AGAIN = 0.02  # seconds


def main() -> None:
    """Import the libraries and run what is asked for, one run after the other."""
    sys.path.pop(0)  # the folder of this script
    for name in sys.argv[1:]:
        try:
            importlib.import_module(name)
        except ImportError:  # a child that needs it says so
            continue
    gc.freeze()  # a child need not look through what never becomes garbage
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            run_pytest(request)
        print(json.dumps({"status": wait_for(child, request["seconds"])}), flush=True)


def run_pytest(request: dict[str, Any]) -> None:
    """Run pytest in this process, and exit with its status."""
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    output = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in ((0, nothing), (1, output), (2, output)):
        os.dup2(source, target)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.path.insert(0, request["folder"])
    sys.argv = ["pytest", *request["arguments"]]
    import pytest

    sys.exit(int(pytest.main(request["arguments"])))  # not os._exit: what is left over is removed


def wait_for(child: int, seconds: float) -> int:
    """Return the exit status of a run; end it and all that it started when its time is over."""

    def stop(*_: object) -> None:
        end_group(child)
        os.waitpid(child, 0)
        sys.exit(1)

    signal.signal(signal.SIGTERM, stop)
    deadline = time.monotonic() + seconds
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done or time.monotonic() > deadline:
            break
        time.sleep(_LOOK_AGAIN)
    end_group(child)  # whatever it left running, too
    if not done:
        os.waitpid(child, 0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # there is no child to end any more
    return os.waitstatus_to_exitcode(status) if done else OUT_OF_TIME


def end_group(child: int) -> None:
    """Kill a run with everything of its session."""
    for kill in (os.killpg, os.kill):  # one that has just been forked has no session yet
        try:
            kill(child, signal.SIGKILL)
        except ProcessLookupError:
            continue


if __name__ == "__main__":
    main()

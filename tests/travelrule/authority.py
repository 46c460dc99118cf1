"""A time-stamping authority on the loopback, which signs by `openssl ts` or answers otherwise."""

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

OPENSSL = shutil.which("openssl")
POLICY, OTHER_POLICY = "1.2.3.4.1", "1.2.3.4.5"
CONFIG = """
[authority]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = {digests}
accuracy = secs:1
"""
USE = "extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature\n"
KEY = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"


@dataclass
class Authority:
    """What it was asked, and `changed`: what becomes of a query before it is signed."""

    folder: Path
    url: str = ""
    status: int = 200
    slow: float = 0.0
    digests: str = "sha256"
    garbage: bytes | None = None
    changed: Callable[[bytes], bytes] = bytes
    asked: list[tuple[bytes, dict[str, str]]] = field(default_factory=list)

    @property
    def certificates(self) -> str:
        """The file of the root certificate that its own is from."""
        return str(self.folder / "root.pem")

    def openssl(self, words: str) -> None:
        command = [str(OPENSSL), *words.split()]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True, timeout=30)

    def answer(self, query: bytes) -> bytes:
        """Return what it answers: a token of the query, or of what was made of it."""
        if self.garbage is not None:
            return self.garbage
        (self.folder / "query").write_bytes(self.changed(query))
        (self.folder / "config").write_text(CONFIG.format(digests=self.digests))
        self.openssl(
            "ts -reply -config config -section authority -queryfile query -signer own.pem "
            "-inkey own.key -out answer"
        )
        return (self.folder / "answer").read_bytes()


def founded(folder: Path) -> Authority:
    """Make a root, the authority's certificate under it, and the authority."""
    folder.mkdir()
    authority = Authority(folder)
    (folder / "use").write_text(USE)
    (folder / "serial").write_text("01\n")
    authority.openssl(f"req -x509 {KEY} -keyout root.key -out root.pem -subj /CN=Root -days 30")
    authority.openssl(f"req {KEY} -keyout own.key -out own.csr -subj /CN=Authority")
    authority.openssl(
        "x509 -req -in own.csr -CA root.pem -CAkey root.key -CAcreateserial -out own.pem -days 30 "
        "-extfile use"
    )
    return authority


@contextmanager
def serving(made: Authority) -> Iterator[Authority]:
    """Run an authority at a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = self.rfile.read(int(self.headers["Content-Length"]))
            made.asked.append((query, {k.lower(): v for k, v in self.headers.items()}))
            time.sleep(made.slow)
            body = made.answer(query) if made.status == 200 else b""
            self.send_response(made.status)
            self.send_header("Content-Type", "application/timestamp-reply")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/tsr"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield made
    server.shutdown()
    server.server_close()

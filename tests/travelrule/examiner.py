"""The place of an examiner: a folder, the operator's keys, and the verifier as a command."""

import subprocess
import sys
from pathlib import Path

from apps.payments.travelrule.export import verify_export
from apps.platform.crypto.canonical import canonical_json
from apps.platform.crypto.signatures import build_jwks

SCRIPT = Path(verify_export.__file__)
GOOD, BAD, UNREADABLE, UNTRUSTED = 0, 1, 2, 3


class Desk:
    """A folder with the verifier, the operator's keys and exports."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "jwks.json").write_bytes(canonical_json(build_jwks()))

    def put(self, name: str, raw: bytes) -> Path:
        (self.folder / name).write_bytes(raw)
        return self.folder / name

    def verify(self, raw: bytes, *words: str, name: str = "export.ndjson") -> tuple[int, str]:
        """Verify bytes as a file; the exit code and what was printed."""
        given = words or ("--keys", "jwks.json")
        path = self.put(name, raw)
        command = [sys.executable, "-I", "-W", "error", str(SCRIPT), str(path), *given]
        process = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False
        )
        assert "Traceback" not in process.stderr, process.stderr
        return process.returncode, process.stdout

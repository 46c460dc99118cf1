"""Settings of the test suite: the project's own, with a folder and secrets of each process."""

import atexit
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from tests.template_databases import ROOT, SECRETS, write_secrets

_folder = tempfile.mkdtemp(prefix="oracle-tests-")
_owner = os.getpid()
# outside the folder of this process: other processes and later runs begin with the same templates
os.environ.setdefault(
    "TEST_TEMPLATES", str(Path(os.environ.get("VAR_DIR") or ROOT / "var") / "test-templates")
)
os.environ["VAR_DIR"] = _folder
write_secrets(Path(_folder))
for _name in ("DJANGO_ENV", "LEDGER_KEYS", *SECRETS):
    os.environ.pop(_name, None)
os.environ["MCP_PORT"] = "0"  # tests of the MCP server start one of their own


def _remove() -> None:
    if os.getpid() == _owner:  # not in processes that tests fork
        shutil.rmtree(_folder, ignore_errors=True)


atexit.register(_remove)

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, SECRET_KEY, VAR_DIR  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # the tests' own file need not survive a power cut
    _options = DATABASES["default"]["OPTIONS"]
    _options["init_command"] = _options["init_command"].replace("=FULL", "=OFF")
DATABASES["default"]["CONN_MAX_AGE"] = 0
# what a sandbox derives, written out: a test that turns to production still knows its own records
LEDGER_KEYS = "sandbox:" + hashlib.sha256(b"ledgers:" + SECRET_KEY.encode()).hexdigest()
# threads do not see what a test has not committed
FLOW_CHECK_THREADS = 0
FLOW_CHECK_KEEPS = 0  # another test has other wallets
WHITENOISE_AUTOREFRESH = True
(VAR_DIR / "static").mkdir(parents=True, exist_ok=True)

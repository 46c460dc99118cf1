"""Settings of the test suite: the project's own, with a folder and secrets of each process."""

import atexit
import os
import shutil
import tempfile

_folder = tempfile.mkdtemp(prefix="oracle-tests-")
_owner = os.getpid()
os.environ["VAR_DIR"] = _folder
os.environ.pop("DJANGO_ENV", None)
os.environ["MCP_PORT"] = "0"  # tests of the MCP server start one of their own


def _remove() -> None:
    if os.getpid() == _owner:  # not in processes that tests fork
        shutil.rmtree(_folder, ignore_errors=True)


atexit.register(_remove)

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, VAR_DIR  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # a real file: triggers, WAL and several processes behave as in production
    # (TEST_SQLITE: one that is migrated already, for runs that are many; with --reuse-db)
    made = os.environ.get("TEST_SQLITE") or str(VAR_DIR / "test.sqlite3")
    DATABASES["default"]["TEST"] = {"NAME": made}
DATABASES["default"]["CONN_MAX_AGE"] = 0
# threads do not see what a test has not committed
FLOW_CHECK_THREADS = 0
FLOW_CHECK_KEEPS = 0  # another test has other wallets
WHITENOISE_AUTOREFRESH = True
(VAR_DIR / "static").mkdir(parents=True, exist_ok=True)

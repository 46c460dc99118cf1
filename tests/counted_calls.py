"""What stands beside the database of a test, where no rollback takes it back."""

import shutil

from django.conf import settings

from apps.access.windows import side_database
from apps.core import witness


def forget_counted_calls() -> None:
    """Empty the windows in which calls are counted, and the notes of records."""
    side_database(settings.VAR_DIR / "rates.sqlite3").forget()
    shutil.rmtree(witness.folder(), ignore_errors=True)

"""What stands beside the database of a test, where no rollback takes it back."""

import shutil

from django.conf import settings

from apps.access.keys.rate_windows import open_side_database
from apps.platform.ledger import written_record_log


def forget_counted_calls() -> None:
    """Empty the windows in which calls are counted, and the notes of records."""
    open_side_database(settings.VAR_DIR / "rates.sqlite3").forget()
    shutil.rmtree(written_record_log.witness_folder(), ignore_errors=True)

"""`manage.py load_sample_lei`: load the bundled sample of LEIs; does nothing when it is live."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.platform.common.clock import now
from apps.reference.lei.services import file_imports

FOLDER = Path(__file__).resolve().parents[2] / "sample"
# of GLEIF's golden copy of this day, with the exceptions named in the folder's README
AS_OF = datetime(2025, 5, 15, tzinfo=UTC)


class Command(BaseCommand):
    """Sample rows never rule over real ones, and leave when a golden copy is loaded."""

    help = "Load the bundled sample of LEIs and their owners."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("Production does not use sample LEIs.")
        for path in sorted(FOLDER.glob("*.csv")):
            order = file_imports.ImportOrder(path, source="SAMPLE", as_of=AS_OF, accept_shrink=True)
            try:
                file = file_imports.import_golden_copy(order=order, clock=now)
            except file_imports.FileRefused as refused:
                self.stdout.write(refused.detail)
            else:
                self.stdout.write(f"{file.get_kind_display()}: {file.rows} sample rows live")

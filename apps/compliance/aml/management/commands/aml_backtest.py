"""`manage.py aml_backtest PATH [--json OUT]`: replays labelled payments through the engine."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.compliance.aml.backtest.dataset_parser import read_dataset
from apps.compliance.aml.backtest.report import compare_calibration, format_report


class Command(BaseCommand):
    """Replay static and calibrated, and print how well each ranks the labelled accounts."""

    help = "Replay labelled payments through the AML engine and print how well it ranks accounts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="a folder of payments and labels")
        parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there too")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            data = read_dataset(options["path"])
        except (ValueError, OSError, EOFError, KeyError) as error:
            raise CommandError(f"Nothing was replayed: {error}") from error
        calibration = compare_calibration(data, progress=self.stderr.write)
        for line in format_report(calibration):
            self.stdout.write(line)
        if options["json"]:
            options["json"].write_text(json.dumps(calibration, indent=2, sort_keys=True) + "\n")

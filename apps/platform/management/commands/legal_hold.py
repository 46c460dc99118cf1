"""manage.py legal_hold: place, lift and list the holds that keep payloads from being purged."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.ledger import retention
from apps.platform.ledger.models import LegalHold


class Command(BaseCommand):
    help = (
        "Place, lift or list legal holds. A record on hold keeps its payload regardless of its age."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        place = what.add_parser("place", help="keep a record's payload")
        place.add_argument("ledger")
        place.add_argument("record", type=int)
        place.add_argument(
            "--reason", required=True, help="the order or case that requires the hold"
        )
        place.add_argument("--by", required=True, help="who places it")
        lift = what.add_parser("lift", help="lift a hold")
        lift.add_argument("hold", type=int, help="number of the hold, from `list`")
        lift.add_argument("--reason", required=True, help="why the hold is no longer needed")
        lift.add_argument("--by", required=True, help="who lifts it")
        what.add_parser("list", help="show active holds")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, f"_{options['what']}")(options)

    def _place(self, options: dict[str, Any]) -> None:
        try:
            hold = retention.place_hold(
                ledger=options["ledger"],
                record_id=options["record"],
                reason=options["reason"],
                by=options["by"],
                now=now(),
            )
        except DomainError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"hold {hold.pk} placed on {hold}")

    def _lift(self, options: dict[str, Any]) -> None:
        arguments = {"hold_id": options["hold"], "reason": options["reason"], "by": options["by"]}
        try:
            lifted = retention.lift_hold(**arguments, now=now())
        except DomainError as error:
            raise CommandError(error.detail) from error
        if not lifted:
            raise CommandError(f"no active hold {options['hold']}")
        self.stdout.write(f"hold {options['hold']} lifted")

    def _list(self, options: dict[str, Any]) -> None:
        active_holds = LegalHold.objects.filter(lifted_at=None).order_by("pk")
        for hold in active_holds.iterator(1000):
            placed = f"{hold.placed_at:%Y-%m-%d} by {hold.placed_by}"
            self.stdout.write(f"{hold.pk}: {hold}, placed {placed}: {hold.reason}")

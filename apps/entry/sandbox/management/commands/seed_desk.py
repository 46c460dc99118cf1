"""manage.py seed_desk: a month of made-up work, to see the desk's pages filled."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.backoffice.review.models import Case
from apps.entry.sandbox import sample_usage, stories, wallets
from apps.entry.sandbox.seed import seed_desk
from apps.entry.sandbox.services import NotASandbox
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError


def _plan_stories(work: stories.SeedWork) -> None:
    """Plan the demo content other than cases."""
    stories.plan_stories(work)
    wallets.plan_wallets(work)


class Command(BaseCommand):
    help = "Fill a sandbox's desk with made-up work: a month of cases, and one of everything."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--cases", type=int, default=200, help="how many cases (200)")
        parser.add_argument("--seed", type=int, default=1, help="another number, other work (1)")
        parser.add_argument("--more", action="store_true", help="add to the cases that are there")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["cases"] < 1:
            raise CommandError("--cases must be at least 1.")
        if Case.objects.exists() and not options["more"]:
            raise CommandError("There are cases already: --more adds to them.")
        total = options["cases"]

        def progress(done: int) -> None:
            if done % 20 == 0 or done == total:
                self.stderr.write(f"{done} of {total} cases")

        try:
            moment, more = now(), {} if options["more"] else {"stories": _plan_stories}
            counts = seed_desk(
                now=moment, cases=total, seed=options["seed"], progress=progress, **more
            )
            counts["billed calls"] += sample_usage.seed_usage(now=moment)
            counts["failed jobs"] += sample_usage.seed_failed_job(now=moment)
        except NotASandbox as error:
            raise CommandError(str(error)) from error
        except (DomainError, KeyError) as error:
            hint = "Run `./run manage setup_sandbox` and `./run manage build_index` first."
            raise CommandError(f"{error} {hint}") from error
        self.stdout.write(", ".join(f"{number} {what}" for what, number in sorted(counts.items())))

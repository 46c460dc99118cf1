"""manage.py seed_desk: a month of made-up work, so that the desk's pages can be judged full."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.review.models import Case
from apps.sandbox import figures, stories, wallets
from apps.sandbox.actions import NotASandbox
from apps.sandbox.seed import seed_desk


def _stories(work: stories.Work) -> None:
    """Plan all that is to be seen besides the cases."""
    stories.plan(work)
    wallets.plan(work)


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
            moment, more = now(), {} if options["more"] else {"stories": _stories}
            made = seed_desk(
                now=moment, cases=total, seed=options["seed"], progress=progress, **more
            )
            made["billed calls"] += figures.usage(now=moment)
            made["failed jobs"] += figures.failed_job(now=moment)
        except NotASandbox as error:
            raise CommandError(str(error)) from error
        except (DomainError, KeyError) as error:
            hint = "Run `./run manage setup_sandbox` and `./run manage build_index` first."
            raise CommandError(f"{error} {hint}") from error
        self.stdout.write(", ".join(f"{number} {what}" for what, number in sorted(made.items())))

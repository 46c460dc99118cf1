"""manage.py reset_second_factor USER --reason … --by …: reset a lost second factor."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.backoffice.staff import services
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError


class Command(BaseCommand):
    help = (
        "Remove all second factors of a person who lost them and end their sign-ins. The "
        "reason is recorded. Verify the person's identity first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", help="the person's sign-in name")
        parser.add_argument("--reason", required=True, help="why, in at least ten characters")
        parser.add_argument("--by", required=True, help="your name")

    def handle(self, *args: Any, **options: Any) -> None:
        person = User.objects.filter(username=options["user"], is_staff=True).first()
        if person is None:
            raise CommandError(f"No staff account is named {options['user']!r}.")
        operator = options["by"].strip()
        if not 0 < len(operator) <= 140:
            raise CommandError("--by is your name: 1 to 140 characters.")
        try:
            count = services.reset_second_factors(
                person=person,
                by=None,
                operator=f"operator {operator}",
                reason=options["reason"],
                now=now(),
            )
        except DomainError as error:
            raise CommandError(error.detail) from None
        self.stdout.write(f"{person}: {count} second factors removed, all sign-ins ended.")

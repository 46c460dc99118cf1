"""`./run manage payment_sender`: how an institution writes its messages."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.access.keys.models import Account
from apps.payments.payments.callback_urls import CallbackUrlRefused, require_callable_url
from apps.payments.payments.pain001.models import SenderProfile


class Command(BaseCommand):
    """Set and print the profile of one sender."""

    help = "Set how an institution writes its pain.001 messages (docs/pain001.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--account", required=True, help="Name of the institution's account")
        parser.add_argument(
            "--initiator",
            nargs="*",
            default=[],
            help="LEIs and other ids it sends for (default: any)",
        )
        parser.add_argument(
            "--wallet-in-name",
            action="store_true",
            help="In .03 and .08 a name may be WALLET:address",
        )

        parser.add_argument(
            "--callback-url", default="", help="URL called when a payment ends (default: none)"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        account = Account.objects.filter(name=given["account"]).first()
        if account is None:
            raise CommandError("No account has that name.")
        url = given["callback_url"]
        try:
            require_callable_url(url)
        except CallbackUrlRefused as error:
            raise CommandError(error.detail) from error
        profile_fields = {
            "initiators": given["initiator"],
            "wallet_in_name": given["wallet_in_name"],
        }
        profile_fields["callback_url"] = url
        SenderProfile.objects.update_or_create(account=account, defaults=profile_fields)
        ids = ", ".join(given["initiator"]) or "any"
        names = "may" if given["wallet_in_name"] else "may not"
        text = f"callback URL {url}" if url else "no callback URL"
        self.stdout.write(
            f"{account}: initiating parties: {ids}; a name {names} be a wallet; {text}."
        )

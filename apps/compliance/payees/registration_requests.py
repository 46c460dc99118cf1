"""The data of a registration request, in the forms for records and for the rules."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.compliance.payees.rules.submission_steps import SubmittedEntity
from apps.compliance.payees.wallets import Wallet, parse_wallet

if TYPE_CHECKING:
    from django.contrib.auth.models import User


DESK = "desk"  # who registers there is a person, whom the event names


@dataclass(frozen=True, slots=True)
class RegistrationRequest:
    """A wallet, and who is said to be behind it."""

    wallet: Wallet
    submitted: SubmittedEntity

    def recorded(self) -> dict[str, Any]:
        """Return it as records and cases keep it."""
        submitted = self.submitted
        return {
            "wallet": self.wallet.address,
            "chain": self.wallet.family.value,
            "legalName": submitted.legal_name,
            "country": submitted.country,
            "lei": submitted.lei,
            "aliases": None if submitted.aliases is None else list(submitted.aliases),
        }


@dataclass(frozen=True, slots=True)
class RegistrationActor:
    """Who does something to a registration: a client's key, or a person at the desk.

    `via` says by which line of which import.
    """

    caller: str
    by: "User | None" = None
    via: str = ""


def build_registration_request(
    *,
    wallet_address: str,
    legal_name: str,
    country: str,
    lei: str = "",
    aliases: list[str] | None = None,
) -> RegistrationRequest:
    """Return what the validated values of a request ask for; an alias that says no more goes."""
    names = None
    if aliases is not None:
        # each once, in their order, and none that only repeats the legal name
        names = tuple(alias for alias in dict.fromkeys(aliases) if alias != legal_name)
    return RegistrationRequest(
        parse_wallet(wallet_address), SubmittedEntity(legal_name, country, lei, names)
    )

"""Facts about the screened wallet, apart from its payments."""

from apps.compliance.aml.models import WalletProfile
from apps.compliance.aml.rules.expected_activity import ExpectedActivity
from apps.compliance.aml.rules.signal_context import WalletBackground
from apps.compliance.aml.screening.wallet_sanctions import ScreenedWallet


def build_wallet_background(
    *,
    party: ScreenedWallet,
    row: WalletProfile | None,
    expected: ExpectedActivity | None,
    payee: WalletProfile | None = None,
    owner: str = "",
) -> WalletBackground:
    """Return whether a wallet is registered, its expected activity, and its refused attempts.

    `row` is its profile and `payee` that of the wallet that it pays, if they have one; `owner` is
    the caller of the attempts. `parties` leaves out a registration that fails the integrity check.
    """
    return WalletBackground(
        # no name either where a registration failed its integrity check: then nobody vouches for
        # the wallet
        registered=bool(party.name),
        expected=expected,
        tried_listed_at=row.tried_listed_at(owner) if row is not None else 0,
        refused_at=payee.refused_at(owner) if payee is not None else 0,
    )

"""What is known of the wallet that is screened, beside its payments."""

from apps.compliance.aml.models import WalletProfile
from apps.compliance.aml.rules.expected_activity import ExpectedActivity
from apps.compliance.aml.rules.signal_context import WalletBackground
from apps.compliance.aml.screening.wallet_sanctions import ScreenedWallet


def build_wallet_background(
    *,
    party: ScreenedWallet,
    row: WalletProfile | None,
    expected: ExpectedActivity | None,
    owner: str = "",
) -> WalletBackground:
    """Return whether the registry knows a wallet, what is expected of it, and what it tried.

    `row` is its profile, if it has one; `owner` is by whom it would have tried. A registration that
    is not as it was recorded vouches for nobody: `parties` leaves it out.
    """
    return WalletBackground(
        registered=bool(party.name),
        expected=expected,
        tried_listed_at=row.tried_listed_at(owner) if row is not None else 0,
    )

"""The engine in memory: the same rules over profiles that are held in a dictionary."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.compliance.aml.rules.expected_activity import ExpectedActivity
from apps.compliance.aml.rules.payment_judgement import (
    PaymentView,
    find_neighbours,
    flag_neighbours,
    update_profiles,
)
from apps.compliance.aml.rules.profile import EMPTY_PROFILE, Payment, Profile
from apps.compliance.aml.rules.profile_inclusion import ScreenAttempt, find_exclusion
from apps.compliance.aml.rules.scorecard import Judgement, Weights
from apps.compliance.aml.rules.signal_context import WalletBackground


@dataclass(slots=True)
class MemoryEngine:
    """Profiles by wallet, and the background of wallets.

    `flagged` are the wallets that officers found to be bad, `tried` when a wallet tried to pay a
    listed one.
    """

    weights: Weights
    profiles: dict[str, Profile] = field(default_factory=dict)
    flagged: set[str] = field(default_factory=set)
    listed: frozenset[str] = frozenset()
    registered: frozenset[str] = frozenset()
    expected: Mapping[str, ExpectedActivity] = field(default_factory=dict)
    tried: dict[str, int] = field(default_factory=dict)

    def screen(self, payment: Payment, *, holds: bool = False) -> tuple[Judgement, Judgement]:
        """Screen a payment for its sender, then for its receiver; count it at most once.

        It is not counted if its sender's screen flags it and it is not released (`holds`).
        """
        before = self.of(payment.sender), self.of(payment.receiver)
        listed = not self.listed.isdisjoint((payment.sender, payment.receiver))
        sent = self.view(payment, 1, *before)
        judgement = sent.judged(weights=self.weights, listed=listed)
        if payment.receiver in self.listed:
            self.tried[payment.sender] = payment.at
        out = find_exclusion(ScreenAttempt(judgement.action, holds=holds))
        gone, came = update_profiles(sent, judgement, new=not out)
        received = self.view(payment, 0, *reversed(before))
        seen = received.judged(weights=self.weights, listed=listed)
        # counted by the sender's screen or not at all: what that blocked, the receiver's keeps out,
        # too, and adds only its running risk
        came, gone = update_profiles(PaymentView(payment, 0, came, gone), seen, new=False)
        self.profiles[payment.sender], self.profiles[payment.receiver] = gone, came
        return judgement, seen

    def of(self, wallet: str) -> Profile:
        """Return a wallet's profile; an empty one for an unknown wallet."""
        return self.profiles.get(wallet, EMPTY_PROFILE)

    def view(self, payment: Payment, out: int, own: Profile, other: Profile) -> PaymentView:
        """Return a payment as one of its wallets sees it."""
        around = find_neighbours(payment=payment, out=out, own=own, other=other)
        flagged = dict.fromkeys(self.flagged.intersection(around), False)
        # last, so that a wallet that is both counts as listed
        flagged |= dict.fromkeys(self.listed.intersection(around), True)
        wallet = payment.sender if out else payment.receiver
        standing = WalletBackground(
            wallet in self.registered, self.expected.get(wallet), self.tried.get(wallet, 0)
        )
        return PaymentView(
            payment, out, own, other, flag_neighbours(around, flagged), standing=standing
        )

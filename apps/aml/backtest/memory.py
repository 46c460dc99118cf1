"""The engine in memory: the same rules over profiles that are held in a dictionary."""

from dataclasses import dataclass, field

from apps.aml.rules.counting import Tried, kept_out
from apps.aml.rules.engine import View, counted, near, neighbours
from apps.aml.rules.profile import NOTHING, Payment, Profile
from apps.aml.rules.scoring import Judgement, Weights


@dataclass(slots=True)
class Memory:
    """Profiles by wallet, and the wallets that officers found to be bad."""

    weights: Weights
    profiles: dict[str, Profile] = field(default_factory=dict)
    flagged: set[str] = field(default_factory=set)

    def screen(self, payment: Payment) -> tuple[Judgement, Judgement]:
        """Screen a payment for its sender, then for its receiver; it is counted at most once."""
        before = self.of(payment.sender), self.of(payment.receiver)
        sent = self.view(payment, 1, *before)
        found = sent.judged(weights=self.weights)
        out = kept_out(Tried(found.action))
        gone, came = counted(sent, found, new=not out)
        received = self.view(payment, 0, *reversed(before))
        seen = received.judged(weights=self.weights)
        # what its sender's screen blocked is kept out by its receiver's too
        came, gone = counted(View(payment, 0, came, gone), seen, new=False)
        self.profiles[payment.sender], self.profiles[payment.receiver] = gone, came
        return found, seen

    def of(self, wallet: str) -> Profile:
        """Return a wallet's profile; of one that nobody saw, an empty one."""
        return self.profiles.get(wallet, NOTHING)

    def view(self, payment: Payment, out: int, own: Profile, other: Profile) -> View:
        """Return a payment as one of its wallets sees it."""
        around = neighbours(payment=payment, out=out, own=own, other=other)
        flagged = dict.fromkeys(self.flagged.intersection(around), False)
        return View(payment, out, own, other, near(around, flagged))

"""Recognize the dialect of a message by marks that are noted while it is read."""

from apps.payments.travelrule.ivms.model import VASPS, fold_key

# The first mark that was noted decides. `transferAmount` comes last: it makes a message one of the
# platform only if there is no other mark.
DIALECT_ORDER = (
    ("platform", "platform"),
    ("2023", "ivms101-2023"),
    ("pascal", "code"),
    ("snake", "trisa-protojson"),
    ("flat", "npm"),
    ("amount", "platform"),
)
STANDARD = "trisa-json"
_TOPS = frozenset({"IdentityPayload", "Originator", "Beneficiary", "TransferPath"}) | {
    vasp.name for vasp in VASPS.values()
}


class DialectMarks:
    """The marks of one message."""

    def __init__(self) -> None:
        self.left: set[str] = set()

    def key(self, component: str, key: str, rule: str) -> None:
        """Note how a key of a component is spelled; `rule` tells why it is another spelling."""
        if rule == "P1":
            self.left.add("platform")
        elif component == "IdentityPayload" and fold_key(key) == "transferamount":
            self.left.add("amount")
        elif rule in ("S2b", "D8") and "_" not in key:
            self.left.add("2023")
        elif component == "IdentityPayload" and key[:1].isupper():
            self.left.add("pascal")
        elif component in _TOPS and "_" in key:
            self.left.add("snake")

    def version(self) -> None:
        """Note that the message says that it is of 2023."""
        self.left.add("2023")

    def code(self, *, long: bool) -> None:
        """Note a code; `long`: with the beginning that protocol buffers give it."""
        self.left |= {"snake"} if long else set()

    def shape(self, rule: str) -> None:
        """Note another shape: a VASP without its second key, a name as a list."""
        self.left.add("platform" if rule == "P1" else "flat")

    def dialect(self) -> str:
        """Return the name of the dialect; without any mark it is the standard's own JSON."""
        return next((name for mark, name in DIALECT_ORDER if mark in self.left), STANDARD)

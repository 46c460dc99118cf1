"""The cases of AML screens: their severity, and what an officer's decision means. Pure."""

from apps.compliance.aml.rules.signals import SIGNALS

HIGH_FROM = 65  # of 50 to 74, in which cases open
SAMPLED = "D §4 2.4 sample"
SAMPLE_WORDS = "Selected at random from low scores, so that not only flagged payments are decided."
FLAGGED = "1 §2.4 HIGH"
TRIED_LISTED = "tried_listed"  # the signal that an officer's release ends


def signal_ref(name: str) -> str:
    """Return the reference of a signal, as cases and records name it."""
    return f"1 §2.4 {name}"


SIGNAL_REFS = frozenset(signal_ref(signal.id) for signal in SIGNALS)


def wallet_found_bad(reason: str, *, wallet: str, counterparty: str) -> str:
    """Return the wallet that a refusal for a reason marks as bad: one of the two, or none.

    A payment that was refused because it was not explained marks neither.
    """
    if reason in ("SUSPICION", "STRUCTURED", "LAYERING"):
        return wallet
    return counterparty if reason == "COUNTERPARTY" else ""


def is_bad_outcome(outcome: str) -> bool:
    """Return whether a decision labels a payment as bad: a rejected one is."""
    return outcome == "REJECT"

"""Completeness under the travel rule of the United States, 31 CFR 1010.410(f)(1) (X1)."""

from collections.abc import Iterator

from apps.payments.travelrule.ivms.rules.context import RuleBreach, RuleContext

_VASPS = {"originatingVASP": "transmittor", "beneficiaryVASP": "recipient"}


def check_united_states(case: RuleContext) -> Iterator[RuleBreach]:
    """X1: from the threshold on, what the transmittor's institution has to send is there."""
    transfer = case.transfer
    # FIN-2010-G004: "equal to or greater than", so that 3,000.00 itself is judged
    if transfer is None or transfer.amount_usd < transfer.threshold_usd:
        return
    yield from _check_transmittor(case)
    for key, whose in _VASPS.items():
        person = case.message.get(key, {}).get(key, {})
        if not any("name" in body for kind, body in person.items() if kind.endswith("Person")):
            path = (key,) if key in case.message else ()
            yield RuleBreach(path, f"The identity of the {whose}'s institution is missing.")
    if transfer.executed_on is None:
        yield RuleBreach((), "The day of execution is missing.")


def _check_transmittor(case: RuleContext) -> Iterator[RuleBreach]:
    side = case.message.get("originator", {})
    path = ("originator",) if side else ()
    bodies = [*case.originators("naturalPerson"), *case.originators("legalPerson")]
    if not any("name" in body for _, body in bodies):
        yield RuleBreach(path, "The transmittor's name is missing.")
    if not any("geographicAddress" in body for _, body in bodies):
        yield RuleBreach(path, "The transmittor's address is missing.")
    persons = side.get("originatorPersons", ())
    if not any("accountNumber" in person for person in (side, *persons)):
        yield RuleBreach(path, "The transmittor's account is missing.")

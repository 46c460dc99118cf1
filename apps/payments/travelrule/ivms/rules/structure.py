"""Structure: what must be there (S1 to S8)."""

from collections.abc import Iterator

from apps.payments.travelrule.ivms import model
from apps.payments.travelrule.ivms.rules.context import RuleBreach, RuleContext

SIDES = ("originator", "beneficiary")


def check_parties(case: RuleContext) -> Iterator[RuleBreach]:
    """S1: originator and beneficiary are there."""
    for side in SIDES:
        if side not in case.message:
            yield RuleBreach((), f"There is no {side}.")


def check_persons(case: RuleContext) -> Iterator[RuleBreach]:
    """S2: each of the two has at least one person."""
    for side in SIDES:
        if side in case.message and f"{side}Persons" not in case.message[side]:
            yield RuleBreach((side,), f"There are no {side}Persons.")


def check_one_kind(case: RuleContext) -> Iterator[RuleBreach]:
    """S3: a person is either natural or legal."""
    for path, person in case.of(model.PERSON):
        both = [key for key in ("naturalPerson", "legalPerson") if key in person]
        if len(both) != 1:
            yield RuleBreach(path, "It has both." if both else "It has neither.")


def make_required_check(rule: str) -> "_RequiredElements":
    """Return the check of elements whose absence breaks `rule`."""
    return _RequiredElements(rule)


class _RequiredElements:
    def __init__(self, rule: str) -> None:
        self.rule = rule

    def __call__(self, case: RuleContext) -> Iterator[RuleBreach]:
        for path, component, value in case.objects:
            for name, field in component.fields.items():
                if field.needed == self.rule and name not in value:
                    yield RuleBreach(path, f"There is no {name}.")

"""Structure: what must be there (S1 to S8)."""

from collections.abc import Iterator

from apps.travelrule.ivms import model
from apps.travelrule.ivms.rules.walking import Case, Hit

SIDES = ("originator", "beneficiary")


def parties(case: Case) -> Iterator[Hit]:
    """S1: originator and beneficiary are there."""
    for side in SIDES:
        if side not in case.message:
            yield Hit((), f"There is no {side}.")


def persons(case: Case) -> Iterator[Hit]:
    """S2: each of the two has at least one person."""
    for side in SIDES:
        if side in case.message and f"{side}Persons" not in case.message[side]:
            yield Hit((side,), f"There are no {side}Persons.")


def one_kind(case: Case) -> Iterator[Hit]:
    """S3: a person is either natural or legal."""
    for path, person in case.of(model.PERSON):
        both = [key for key in ("naturalPerson", "legalPerson") if key in person]
        if len(both) != 1:
            yield Hit(path, "It has both." if both else "It has neither.")


def needed(rule: str) -> "_Needed":
    """Return the check of elements whose absence breaks `rule`."""
    return _Needed(rule)


class _Needed:
    def __init__(self, rule: str) -> None:
        self.rule = rule

    def __call__(self, case: Case) -> Iterator[Hit]:
        for path, component, value in case.objects:
            for name, one in component.fields.items():
                if one.needed == self.rule and name not in value:
                    yield Hit(path, f"There is no {name}.")

"""Constraints C1 to C12 of the standard, section 5.2.1.2."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from apps.payments.travelrule.ivms import codes, model
from apps.payments.travelrule.ivms.rules.context import RuleBreach, RuleContext


def check_natural_originator(case: RuleContext) -> Iterator[RuleBreach]:
    """C1: a natural originator is identified by one of four things."""
    # an address of any type is enough for a natural person, but only GEOG for a legal one (C4)
    others = ("customerIdentification", "nationalIdentification", "dateAndPlaceOfBirth")
    for path, person in case.originators("naturalPerson"):
        if not _has_address(person, codes.ADDRESS_TYPES) and not any(
            key in person for key in others
        ):
            yield RuleBreach(path)


def check_legal_originator(case: RuleContext) -> Iterator[RuleBreach]:
    """C4: a legal originator is identified by one of three things."""
    others = ("customerIdentification", "nationalIdentification")
    for path, person in case.originators("legalPerson"):
        if not _has_address(person, {"GEOG"}) and not any(key in person for key in others):
            yield RuleBreach(path)


def _has_address(person: Mapping[str, Any], kinds: frozenset[str] | set[str]) -> bool:
    return any(
        address.get("addressType") in kinds for address in person.get("geographicAddress", ())
    )


def check_birth_date(case: RuleContext) -> Iterator[RuleBreach]:
    """C2: a date of birth is before today."""
    for path, value in case.kind("date"):
        born = parse_calendar_date(value)
        if born is not None and born >= case.today:
            yield RuleBreach(path)


def parse_calendar_date(text: str) -> date | None:
    """Return the day that YYYY-MM-DD names; None when it names none."""
    # date.fromisoformat also reads 20261120 and 2026-W47-5
    if len(text) != 10 or not text.isascii() or text[4] != "-" or text[7] != "-":
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def check_country(case: RuleContext) -> Iterator[RuleBreach]:
    """C3: countries are of ISO 3166-1, or XX."""
    return (RuleBreach(path) for path, value in case.kind("country") if not codes.is_country(value))


def check_legal_name(case: RuleContext) -> Iterator[RuleBreach]:
    """C5: a legal person has a legal name."""
    return _find_missing_legal_names(case, model.LEGAL, "legalPersonNameIdentifierType")


def check_natural_name(case: RuleContext) -> Iterator[RuleBreach]:
    """C6: a natural person has a legal name."""
    return _find_missing_legal_names(case, model.NATURAL, "nameIdentifierType")


def _find_missing_legal_names(
    case: RuleContext, of: model.Component, kind: str
) -> Iterator[RuleBreach]:
    for path, person in case.of(of):
        name = person.get("name", {})
        if not any(name_row.get(kind) == "LEGL" for name_row in name.get("nameIdentifier", ())):
            yield RuleBreach(
                (*path, "name", "nameIdentifier") if "nameIdentifier" in name else path
            )


def check_legal_identifier_type(case: RuleContext) -> Iterator[RuleBreach]:
    """C7: kinds of identifiers that a legal person may have."""
    for path, identifier in _find_identified(case):
        kind = identifier.get("nationalIdentifierType")
        # a type that does not exist at all is reported by D5
        if kind in codes.IDENTIFIER_TYPES - codes.LEGAL_IDENTIFIER_TYPES:
            yield RuleBreach((*path, "nationalIdentifierType"))


def check_address(case: RuleContext) -> Iterator[RuleBreach]:
    """C8: an address has lines, or a street and which building of it."""
    for path, address in case.of(model.ADDRESS):
        # both together are allowed: TRISA's validator refuses what the standard does not
        building = "buildingName" in address or "buildingNumber" in address
        if "addressLine" not in address and not ("streetName" in address and building):
            yield RuleBreach(path)


def check_complete_identifier(case: RuleContext) -> Iterator[RuleBreach]:
    """C9: a legal person's identifier names its registry, and an LEI names none."""
    for path, identifier in _find_identified(case):
        kind, has = identifier.get("nationalIdentifierType"), "registrationAuthority" in identifier
        if "countryOfIssue" in identifier:
            yield RuleBreach((*path, "countryOfIssue"), "A legal person has no countryOfIssue.")
        if kind == "LEIX" and has:
            yield RuleBreach(
                (*path, "registrationAuthority"), "An LEI has no registrationAuthority."
            )
        if kind in codes.LEGAL_IDENTIFIER_TYPES - {"LEIX"} and not has:
            yield RuleBreach(path, "registrationAuthority is missing.")


def _find_identified(
    case: RuleContext,
) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, Any]]]:
    # not natural persons: the standard's own example 2 gives one an authority (C9n)
    for path, person in case.of(model.LEGAL):
        if "nationalIdentification" in person:
            yield (*path, "nationalIdentification"), person["nationalIdentification"]


def check_authority_form(case: RuleContext) -> Iterator[RuleBreach]:
    """C10: codes of registration authorities have the right form, for any person."""
    return (
        RuleBreach(path)
        for path, value in case.kind("authority")
        if not codes.is_authority_code(value)
    )


def check_authority_listed(case: RuleContext) -> Iterator[RuleBreach]:
    """C10b: the code is on GLEIF's list, when the caller has given one."""
    for path, value in case.kind("authority"):
        listed = case.authorities is None or value in case.authorities
        if codes.is_authority_code(value) and not listed:
            yield RuleBreach(path)


def check_authority_unlisted(case: RuleContext) -> Iterator[RuleBreach]:
    """C10c: without a list, a code is known by its form alone."""
    for path, value in case.kind("authority"):
        if codes.is_authority_code(value) and case.authorities is None:
            yield RuleBreach(path)


def check_lei_form(case: RuleContext) -> Iterator[RuleBreach]:
    """C11: an LEI has its form."""
    return (RuleBreach(path) for path, lei in _find_leis(case) if not codes.is_lei_form(lei))


def check_lei_digits(case: RuleContext) -> Iterator[RuleBreach]:
    """C11b: the check digits of an LEI are right (ISO 17442)."""
    for path, lei in _find_leis(case):
        if codes.is_lei_form(lei) and (rest := codes.compute_lei_remainder(lei)) != 1:
            yield RuleBreach(path, f"The remainder is {rest}, not 1.")


def _find_leis(case: RuleContext) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for path, identifier in _find_identified(case):
        if (
            identifier.get("nationalIdentifierType") == "LEIX"
            and "nationalIdentifier" in identifier
        ):
            yield (*path, "nationalIdentifier"), identifier["nationalIdentifier"]


def check_sequence(case: RuleContext) -> Iterator[RuleBreach]:
    """C12: intermediaries are counted 0, 1, 2, … in any order, none left out and none twice."""
    for path, path_component in case.of(model.PATH):
        counted = [
            step["sequence"]
            for step in path_component.get("transferPath", ())
            if "sequence" in step
        ]
        # in any order; a step without a number is reported by S8
        if sorted(counted) != list(range(len(counted))):
            yield RuleBreach((*path, "transferPath"))

"""Constraints C1 to C12 of the standard, section 5.2.1.2."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from apps.travelrule.ivms import codes, model
from apps.travelrule.ivms.rules.walking import Case, Hit


def originator_natural(case: Case) -> Iterator[Hit]:
    """C1: a natural originator is identified by one of four things."""
    others = ("customerIdentification", "nationalIdentification", "dateAndPlaceOfBirth")
    for path, person in case.originators("naturalPerson"):
        if not _has_address(person, codes.ADDRESSES) and not any(key in person for key in others):
            yield Hit(path)


def originator_legal(case: Case) -> Iterator[Hit]:
    """C4: a legal originator is identified by one of three things."""
    others = ("customerIdentification", "nationalIdentification")
    for path, person in case.originators("legalPerson"):
        if not _has_address(person, {"GEOG"}) and not any(key in person for key in others):
            yield Hit(path)


def _has_address(person: Mapping[str, Any], kinds: frozenset[str] | set[str]) -> bool:
    return any(one.get("addressType") in kinds for one in person.get("geographicAddress", ()))


def in_the_past(case: Case) -> Iterator[Hit]:
    """C2: nobody is born today or later."""
    for path, value in case.kind("date"):
        born = calendar_date(value)
        if born is not None and born >= case.today:
            yield Hit(path)


def calendar_date(text: str) -> date | None:
    """Return the day that YYYY-MM-DD names; None when it names none."""
    if len(text) != 10 or not text.isascii() or text[4] != "-" or text[7] != "-":
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def country(case: Case) -> Iterator[Hit]:
    """C3: countries are of ISO 3166-1, or XX."""
    return (Hit(path) for path, value in case.kind("country") if not codes.is_country(value))


def legal_name(case: Case) -> Iterator[Hit]:
    """C5: a legal person has a legal name."""
    return _without_legal_name(case, model.LEGAL, "legalPersonNameIdentifierType")


def natural_name(case: Case) -> Iterator[Hit]:
    """C6: a natural person has a legal name."""
    return _without_legal_name(case, model.NATURAL, "nameIdentifierType")


def _without_legal_name(case: Case, of: model.Component, kind: str) -> Iterator[Hit]:
    for path, person in case.of(of):
        name = person.get("name", {})
        if not any(one.get(kind) == "LEGL" for one in name.get("nameIdentifier", ())):
            yield Hit((*path, "name", "nameIdentifier") if "nameIdentifier" in name else path)


def legal_identifier(case: Case) -> Iterator[Hit]:
    """C7: kinds of identifiers that a legal person may have."""
    for path, found in _identified(case):
        kind = found.get("nationalIdentifierType")
        if kind in codes.IDENTIFIERS - codes.LEGAL_IDENTIFIERS:
            yield Hit((*path, "nationalIdentifierType"))


def address(case: Case) -> Iterator[Hit]:
    """C8: an address has lines, or a street and which building of it."""
    for path, found in case.of(model.ADDRESS):
        building = "buildingName" in found or "buildingNumber" in found
        if "addressLine" not in found and not ("streetName" in found and building):
            yield Hit(path)


def complete_identifier(case: Case) -> Iterator[Hit]:
    """C9: a legal person's identifier names its registry, and an LEI names none."""
    for path, found in _identified(case):
        kind, has = found.get("nationalIdentifierType"), "registrationAuthority" in found
        if "countryOfIssue" in found:
            yield Hit((*path, "countryOfIssue"), "A legal person has no countryOfIssue.")
        if kind == "LEIX" and has:
            yield Hit((*path, "registrationAuthority"), "An LEI has no registrationAuthority.")
        if kind in codes.LEGAL_IDENTIFIERS - {"LEIX"} and not has:
            yield Hit(path, "There is no registrationAuthority.")


def _identified(case: Case) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, Any]]]:
    for path, person in case.of(model.LEGAL):
        if "nationalIdentification" in person:
            yield (*path, "nationalIdentification"), person["nationalIdentification"]


def authority_form(case: Case) -> Iterator[Hit]:
    """C10: codes of registration authorities have their form, whoever has one."""
    return (Hit(path) for path, value in case.kind("authority") if not codes.is_authority(value))


def authority_listed(case: Case) -> Iterator[Hit]:
    """C10b: the code is on GLEIF's list, when the caller has given one."""
    for path, value in case.kind("authority"):
        listed = case.authorities is None or value in case.authorities
        if codes.is_authority(value) and not listed:
            yield Hit(path)


def authority_unlisted(case: Case) -> Iterator[Hit]:
    """C10c: without a list, a code is known by its form alone."""
    for path, value in case.kind("authority"):
        if codes.is_authority(value) and case.authorities is None:
            yield Hit(path)


def lei_form(case: Case) -> Iterator[Hit]:
    """C11: an LEI has its form."""
    return (Hit(path) for path, lei in _leis(case) if not codes.is_lei(lei))


def lei_digits(case: Case) -> Iterator[Hit]:
    """C11b: the check digits of an LEI are right (ISO 17442)."""
    for path, lei in _leis(case):
        if codes.is_lei(lei) and (rest := codes.lei_remainder(lei)) != 1:
            yield Hit(path, f"The remainder is {rest}, not 1.")


def _leis(case: Case) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for path, found in _identified(case):
        if found.get("nationalIdentifierType") == "LEIX" and "nationalIdentifier" in found:
            yield (*path, "nationalIdentifier"), found["nationalIdentifier"]


def sequence(case: Case) -> Iterator[Hit]:
    """C12: intermediaries are counted 0, 1, 2, … in any order, none left out and none twice."""
    for path, found in case.of(model.PATH):
        counted = [step["sequence"] for step in found.get("transferPath", ()) if "sequence" in step]
        if sorted(counted) != list(range(len(counted))):
            yield Hit((*path, "transferPath"))

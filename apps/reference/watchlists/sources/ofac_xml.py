"""OFAC SDN list as "advanced" XML (root Sanctions, OFAC's Advanced Sanctions Data Model).

The file is normalised: parties point at reference values, locations and documents, and the
entries that carry their programmes come after them. So the stream is read twice: references
first (a few MB in memory), parties second.
"""

from collections.abc import Iterator, Sequence
from typing import BinaryIO
from xml.etree.ElementTree import Element

from apps.reference.watchlists.listed_entity import ListedEntity, Schema
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.identifier_kinds import parse_imo_number
from apps.reference.watchlists.sources.ofac_csv import classify_document_label
from apps.reference.watchlists.sources.ofac_references import (
    OfacReferences,
    read_references,
    strip_namespaces,
)
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import FormatError, read_xml_records

ROOT = "Sanctions"
PARTY = "DistinctParty"
NAME_ORDER = (
    "First Name",
    "Middle Name",
    "Patronymic",
    "Matronymic",
    "Nickname",
    "Maiden Name",
    "Last Name",
)
DOCUMENTS = (
    ("passport", "passport"),
    ("vessel registration identification", "imo"),
    ("legal entity number", "lei"),
    ("tax id", "tax_id"),
    ("registration", "registration"),
    ("company number", "registration"),
    ("national", "national_id"),
    ("cedula", "national_id"),
)
WALLET = "Digital Currency Address - "
BIC = "SWIFT/BIC"


def parse(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[ListedEntity]:
    """Yield the distinct parties of the list."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    references = read_references(files[0], root=ROOT)
    options.stated(references.issued_on)
    files[0].seek(0)
    for tag, element in read_xml_records(files[0], root=ROOT, records=(PARTY,)):
        if tag == PARTY:
            yield from options.kept(_build_party(strip_namespaces(element), references))


def _build_party(element: Element, ofac_references: OfacReferences) -> ListedEntity | None:
    profile = element.find("Profile")
    if profile is None:
        raise FormatError(f"expected a Profile in party {element.get('FixedRef')!r}, found none")
    draft = EntityDraft(
        profile.get("ID", ""),
        _schema_of_subtype(profile.get("PartySubTypeID", ""), ofac_references),
    )
    draft.listed_on = ofac_references.listed_on.get(draft.entity_id, "")
    for identity in profile.iterfind("Identity"):
        false = identity.get("False") == "true"
        if not false:
            _add_names(draft, identity, ofac_references)
        _add_documents(draft, identity.get("ID", ""), ofac_references, of_false_identity=false)
    for feature in profile.iterfind("Feature"):
        kind = ofac_references.value("FeatureType", feature.get("FeatureTypeID"))
        for version in feature.iterfind("FeatureVersion"):
            _add_feature(draft, kind, version, ofac_references)
    for program in ofac_references.programs.get(draft.entity_id, ()):
        draft.program(program)
    draft.remark(element.findtext("Comment"))
    return draft.finish()


def _schema_of_subtype(subtype: str, ofac_references: OfacReferences) -> Schema:
    name = ofac_references.value("PartySubType", subtype)
    if name in ("Vessel", "Aircraft"):
        return "Vessel" if name == "Vessel" else "Aircraft"
    party_type = ofac_references.value("PartyType", ofac_references.party_types.get(subtype))
    if party_type not in ("Individual", "Entity"):
        raise FormatError(f"expected a party type Individual or Entity, found {party_type!r}")
    return "Person" if party_type == "Individual" else "Organization"


def _add_names(draft: EntityDraft, identity: Element, ofac_references: OfacReferences) -> None:
    parts = {
        group.get("ID", ""): ofac_references.value("NamePartType", group.get("NamePartTypeID"))
        for group in identity.iterfind("NamePartGroups/MasterNamePartGroup/NamePartGroup")
    }
    for alias in identity.iterfind("Alias"):
        former = ofac_references.value("AliasType", alias.get("AliasTypeID")) == "F.K.A."
        primary = alias.get("Primary") == "true"
        weak = alias.get("LowQuality") == "true"
        for at, name in enumerate(alias.iterfind("DocumentedName")):
            kind = "primary" if primary and at == 0 else "former" if former else "alias"
            # the file prints the family name first
            name_parts = []
            for value in name.iterfind("DocumentedNamePart/NamePartValue"):
                part = parts.get(value.get("NamePartGroupID", ""), "")
                rank = NAME_ORDER.index(part) if part in NAME_ORDER else len(NAME_ORDER)
                name_parts.append((rank, value.text or ""))
            full_name = " ".join(text for _, text in sorted(name_parts, key=lambda pair: pair[0]))
            draft.name(full_name, kind, weak=weak)


def _add_documents(
    draft: EntityDraft,
    identity_id: str,
    ofac_references: OfacReferences,
    *,
    of_false_identity: bool,
) -> None:
    for kind, number, country, false in ofac_references.documents.get(identity_id, ()):
        lowered = kind.lower()
        labels = (ours for theirs, ours in DOCUMENTS if theirs in lowered)
        label = classify_document_label(kind) or next(labels, "other")
        if label == "imo" and not parse_imo_number(number):
            label = "other"
        draft.identifier(label, number, country, known_false=false or of_false_identity)


def _add_feature(
    draft: EntityDraft, kind: str, version: Element, ofac_references: OfacReferences
) -> None:
    detail = version.find("VersionDetail")
    text = (detail.text or "") if detail is not None else ""
    if not text.strip() and detail is not None:
        text = ofac_references.value("DetailReference", detail.get("DetailReferenceID"))
    if kind == "Birthdate":
        for period in version.iterfind("DatePeriod"):
            ofac_references.add_birth(draft, period)
    elif kind in ("Nationality Country", "Citizenship Country", "Nationality", "Citizenship"):
        _add_places(draft, version, ofac_references, address=False)
    elif kind == "Location":
        _add_places(draft, version, ofac_references, address=True)
    elif kind == "Vessel Flag":
        draft.country(text)
    elif kind == "Gender":
        draft.sex(text)
    elif kind.startswith(WALLET):
        draft.identifier("wallet", text, asset=kind.removeprefix(WALLET))
    elif kind == BIC:
        draft.identifier("bic", text)
    elif text.strip():
        draft.remark(f"{kind}: {text}")


def _add_places(
    draft: EntityDraft, version: Element, ofac_references: OfacReferences, *, address: bool
) -> None:
    for place in version.iterfind("VersionLocation"):
        parts, country = ofac_references.locations.get(place.get("LocationID", ""), ((), ""))
        draft.country(country)
        if address:
            draft.address(*parts, country)

"""Shapes beside the combined screen: ownership, PEP, calendar (document 1 sections 2.6 and 2.9)."""

from rest_framework import serializers

from apps.compliance.screening.rules.international_bodies import EU
from apps.compliance.screening.rules.owners import STANDINGS
from apps.compliance.screening.rules.pep import LEVELS_HIGHEST_FIRST
from apps.compliance.screening.serializers.screen import QUALITIES
from apps.platform.api.shapes import (
    COUNTRIES,
    Country,
    Day,
    Flag,
    Lei,
    Number,
    OneOf,
    PartyName,
    Shape,
    SignedStatement,
    Text,
    Whole,
)

ROLES = ("SUBJECT", "DIRECT_PARENT", "INTERMEDIATE", "ULTIMATE_PARENT")
RESULTS = ("CLEAR", "REVIEW_REQUIRED", "BLOCKED")
SANCTIONS = ("MATCH", "PARTIAL", "CLEAR", "NOT_CHECKED")


class Versions(serializers.DictField):
    """The versions of the lists, by list."""

    child = Whole()


class UboIn(Shape):
    """The entity whose owners are requested; `deep` adds the nodes between the direct and the
    ultimate parent.
    """

    lei = Lei()
    deep = Flag(required=False, default=False)


class UboMatchOut(Shape):
    """A listed party found for an entity of the chain; `score` from 0 to 1."""

    lei = Text()
    name = Text()
    role = OneOf(choices=ROLES)
    matched_name = Text()
    matched_by = OneOf(choices=("LEI", "NAME"))
    score = Number()
    dataset = Text()
    entity_id = Text()
    programs = serializers.ListField(child=Text())


class UboSanctionsOut(Shape):
    """The sanctions result for an entity; `score` is null if it could not be screened."""

    status = OneOf(choices=SANCTIONS)
    score = Number(allow_null=True)
    matches = UboMatchOut(many=True)


class UboNodeOut(Shape):
    """An entity of the chain with its sanctions result.

    `labelCountry` is the country to which `countryLabel` applies: that of its jurisdiction, legal
    address or headquarters; null if none of them is listed.
    """

    lei = Text()
    name = Text()
    role = OneOf(choices=ROLES)
    jurisdiction = Text(allow_null=True)
    lei_status = Text(allow_null=True)
    country_label = OneOf(choices=STANDINGS)
    label_country = Text(allow_null=True)
    sanctions = UboSanctionsOut()


class GapOut(Shape):
    """What is missing in the chain, and why."""

    role = Text()
    reason = Text()


class UboAttestationOut(SignedStatement):
    """The signed statement for FATF R.16: what was identified and checked, and nothing more."""

    type = Text()
    subject = Text()
    lei_status = Text(allow_null=True)
    owners_identified = Flag()
    owners = serializers.ListField(child=Text())
    ultimate_parent = Text(allow_null=True)
    exceptions = serializers.ListField(child=Text())
    shares_missing = serializers.ListField(child=Text())
    sanctions_status = OneOf(choices=SANCTIONS)
    jurisdiction_risk = OneOf(choices=STANDINGS)
    result = OneOf(choices=RESULTS)
    rules = serializers.ListField(child=Text())
    rules_version = Text()
    list_set = Text()
    ownership_as_of = Text(allow_null=True)
    data_quality = OneOf(choices=QUALITIES)
    issued_at = Whole()


class UboOut(Shape):
    """The ownership report; keys for its signature: `.well-known/jwks.json` of this service."""

    result = OneOf(choices=RESULTS)
    reasons = serializers.ListField(child=Text())
    rules = serializers.ListField(child=Text())
    rule_references = serializers.ListField(child=Text())
    chain = UboNodeOut(many=True)
    screened = Whole(
        help_text="Entities of the chain that were screened, whether shown here or not."
    )
    deep = Flag()
    gaps = GapOut(many=True)
    sanctions_matches = UboMatchOut(many=True)
    fatf_attestation = UboAttestationOut()
    data_quality = OneOf(choices=QUALITIES)
    list_versions = Versions()
    cached_at = Whole()


class CountryOrUnion(Country):
    """An ISO 3166-1 alpha-2 code, or `EU`, which ISO 3166-1 reserves for the European Union."""

    codes = COUNTRIES | {EU}


class PepIn(Shape):
    """The name to search for; `country` narrows the results, `position` affects the confidence.

    Officials of the EU, the UN and other supranational bodies are returned for every member state.
    """

    name = PartyName()
    country = CountryOrUnion(required=False, help_text="ISO 3166-1 alpha-2, or EU.")
    position = Text(required=False, default="", allow_blank=True, max_length=200)


class PepMatchOut(Shape):
    """A listed PEP; `score` and `confidence` from 0 to 1.

    `rule` is the code of the rule that gave `riskLevel`, and never changes; `ruleReference` says
    where it is written. `current` is also true if the end of the office is unknown: `evidence` says
    so, and why the results include a person not known to be of the requested country.
    """

    name = Text()
    position = Text(allow_null=True)
    country = Text(allow_null=True)
    since = Text(allow_null=True)
    until = Text(allow_null=True)
    current = Flag(allow_null=True)  # type: ignore[call-arg]
    score = Number()
    confidence = Number()
    risk_level = OneOf(choices=LEVELS_HIGHEST_FIRST)
    rule = Text()
    rule_reference = Text()
    dataset = Text()
    entity_id = Text()
    evidence = serializers.ListField(child=Text())


class PepAttestationOut(SignedStatement):
    """The signed statement for FATF R.12; it identifies the request only by its digest."""

    type = Text()
    question = Text()
    checked = Flag(
        help_text="False if the name was not read in full, or a PEP list is missing: "
        "`unread` and `sourcesMissing` say why."
    )
    unread = serializers.ListField(child=Text())
    sources_missing = serializers.ListField(child=Text())
    country = Text(
        allow_null=True, help_text="The country that the matches were filtered by, null for none."
    )
    narrowing = Text(
        help_text="Whom the country filter includes, and how many matches it excludes."
    )
    risk_level = OneOf(choices=LEVELS_HIGHEST_FIRST)
    matches = serializers.ListField(child=Text())
    edd_required = Flag()
    measures = serializers.ListField(child=Text())
    rules_version = Text()
    list_set = Text()
    issued_at = Whole()


class PepReportOut(Shape):
    """The PEP report; `eddRequired` follows FATF R.12 for HIGH and MEDIUM."""

    risk_level = OneOf(choices=LEVELS_HIGHEST_FIRST)
    pep_matches = PepMatchOut(many=True)
    match_count = Whole()
    edd_required = Flag()
    fatf_r12 = PepAttestationOut()
    data_quality = OneOf(choices=QUALITIES)
    list_versions = Versions()
    cached_at = Whole()


class EventOut(Shape):
    """A duty and when it begins; `effectiveDate` is null if it is only proposed."""

    id = Text()
    framework = Text()
    label = Text()  # type: ignore[assignment]
    event = Text()
    effective_date = Day(allow_null=True)
    effective = Text()
    status = OneOf(choices=("IN_FORCE", "UPCOMING", "PROPOSED"))
    jurisdictions = serializers.ListField(child=Text())
    summary = Text()
    svc_alignment = Text()
    source = Text()  # type: ignore[assignment]


class CalendarOut(Shape):
    """One version of the calendar; checked as of `asOf`."""

    version = Text()
    as_of = Day()
    events = EventOut(many=True)

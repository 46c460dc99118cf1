"""Refusals of submissions, as their callers see them."""

from apps.compliance.payees.rules.registration_findings import Judgement
from apps.platform.common.problems import Conflict, DomainError


class WalletRegistered(Conflict):
    """The wallet is registered to another entity; changing that takes two people at the desk."""

    code, title = "wallet_registered", "The wallet is registered to another entity"


class RegistrationChanged(Conflict):
    """The registration changed while this submission was being processed."""

    code, title = "registration_changed", "The registration has changed"


class RegistrationInReview(Conflict):
    """Officers are already reviewing this registration; further changes have to wait."""

    code, title = "registration_in_review", "The registration is under review"


class RegistrationRefused(DomainError):
    """The registration is refused. The reason is not disclosed, to avoid tipping off."""

    status, code, title = 422, "registration_refused", "The registration cannot be made"


class CountryRefused(DomainError):
    """A country of the entity is under embargo; the rule is public and is named."""

    status, code, title = 422, "country_refused", "The country of the entity is under embargo"


def build_refusal(judgement: Judgement) -> DomainError:
    """Return the answer of a refused submission.

    A refusal for its country says so, whatever else was found, so that it reveals nothing else.
    """
    # a country is public and says nothing about a listed party, so that refusal may give its reason
    findings = judgement.by_country
    if not findings:
        return RegistrationRefused("This registration cannot be made.")
    text = " ".join(f"{finding.reason.rstrip('.')} ({finding.ref})." for finding in findings)
    return CountryRefused(text, errors=[{"field": "country", "message": text}])

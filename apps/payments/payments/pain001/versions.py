"""The accepted versions of pain.001, by their namespaces, and the version of each answer. Pure."""

import re

from apps.payments.payments.pain001.faults import Fault, InvalidMessage
from apps.payments.payments.pain001.structure.checker import VERSIONS

ISO = "urn:iso:std:iso:20022:tech:xsd:"
# subsets of .03 that national banks published; they are read by the structure of .03
NATIONAL = {
    "http://www.six-interbank-clearing.com/de/pain.001.001.03.ch.02.xsd": "pain.001.001.03",
    f"{ISO}pain.001.002.03": "pain.001.001.03",
    f"{ISO}pain.001.003.03": "pain.001.001.03",
}
BY_NAMESPACE = {f"{ISO}{version}": version for version in VERSIONS} | NATIONAL
OLDEST = "pain.001.001.03"
# earlier versions name no account by a proxy
PROXY_FROM = "pain.001.001.09"
LISTED_VERSIONS = ", ".join(VERSIONS)
_SHORT = re.compile(
    r"(?:urn:iso:std:iso:20022:tech:(?:xsd|json):)?(?:pain\.001\.001\.|\.)?([0-9]{2})"
)


def version_of_namespace(namespace: str, *, line: int = 0) -> str:
    """Return the version of a namespace; InvalidMessage (FF01) for one that is not taken."""
    schema_version = BY_NAMESPACE.get(namespace.strip())
    if schema_version is None:
        what = f"{namespace[:80]!r}" if namespace else "nothing"
        text = f"The namespace is {what}: messages of {LISTED_VERSIONS} are accepted."
        raise InvalidMessage([Fault("FF01", text, "", line)])
    return schema_version


def parse_version(text: str) -> str | None:
    """Parse a version as people write it: `pain.001.001.09`, `.09` or `09`; None for others."""
    match = _SHORT.fullmatch(text.strip())
    version = f"pain.001.001.{match.group(1)}" if match else ""
    return version if version in VERSIONS else None


def has_proxy(version: str) -> bool:
    """Tell whether accounts of a version have a Prxy, which holds wallets."""
    # versions compare as texts: their numbers have two digits
    return version >= PROXY_FROM


def answer_version_of(version: str) -> str:
    """Return the version of pain.002 that answers a version of pain.001."""
    return "pain.002.001.03" if version == OLDEST else "pain.002.001.10"

"""The reference that a held settlement's case has for each check that holds it. Pure.

AML and sanctions bring the rules of their own screens; if those did not run, the reference says so.
"""

from collections.abc import Mapping

ORACLE, IDENTITY, NOT_CHECKED = "2 §3 held", "2 §2.4 FATF R16", "D §4 Fail closed"
FLOW_REFS: Mapping[str, str] = {
    "stability": ORACLE,
    "fatf_r16": IDENTITY,
    "esg": NOT_CHECKED,
    "routing": NOT_CHECKED,
}

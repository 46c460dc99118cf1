"""What asks for a fresh proof of who somebody is, whoever is signed in.

Whatever is sent at the desk asks for it, but for EVERYDAY: a page that is added tomorrow asks until
its app says why it need not. When and how the proof was given then stands as `request.proof`
(apps/backoffice/staff/sign_in_session.py, `get_last_proof`).
"""

from collections.abc import Callable
from typing import Any, Final, Literal

from django.http import HttpRequest

from apps.platform.common.registry import Registry

ALWAYS: Final = "always"  # as the page is opened, too
SENT: Final = "sent"  # as a form is sent there
# or a function `(request, kwargs)` that says whether the form that is sent needs it
ProofNeed = Literal["always", "sent"] | Callable[[HttpRequest, dict[str, Any]], bool]

# By the name of its address. Addresses of the desk (`admin:`) that are named nowhere are SENT.
STEP_UP: Registry[ProofNeed] = Registry("address that asks for a fresh proof")

# What may be sent without, by the name of its address or how that begins (`…*`), and why.
EVERYDAY: Registry[str] = Registry("address that asks for no fresh proof")

CASEWORK = "work on cases, all day; what approves a HIGH one asks by itself"
READS = "reads, and changes nothing"
AGAIN = "does once more what was decided before"

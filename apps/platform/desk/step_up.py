"""Addresses that need fresh proof of identity from users who are already signed in.

Every form that is sent at the desk needs it, except EVERYDAY: a new page needs it until its app
says why it does not. `request.proof` then says when and how the proof was given
(apps/backoffice/staff/sign_in_session.py, `get_last_proof`).
"""

from collections.abc import Callable
from typing import Any, Final, Literal

from django.http import HttpRequest

from apps.platform.common.registry import Registry

ALWAYS: Final = "always"  # when the page is opened, too
SENT: Final = "sent"  # when a form is sent there
# or a function `(request, kwargs)` that says whether the form that is sent needs it
ProofNeed = Literal["always", "sent"] | Callable[[HttpRequest, dict[str, Any]], bool]

# by the name of the address; unnamed addresses of the desk (`admin:`) are SENT
STEP_UP: Registry[ProofNeed] = Registry("address that requires recent proof of identity")

# forms that need no proof, by the name of the address or its prefix (`…*`), and why
EVERYDAY: Registry[str] = Registry("address that requires no recent proof of identity")

CASEWORK = "all-day work on cases; approving a HIGH case requires it separately"
READS = "it only reads"
AGAIN = "repeats an earlier decision"

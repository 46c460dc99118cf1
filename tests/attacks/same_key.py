"""Many calls at once under one Idempotency-Key have one effect.

Needs a sandbox that runs (`./run`); PORT and VAR_DIR say which.

    ./run attack same-key [CALLS]
"""

import sys
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.attacks.client import Target, target

SCREEN = "/compliance/compliance/screen"


def send_together(on: Target, calls: int) -> list[tuple[int, str]]:
    """Send one question many times at once under one key; return status and id of each answer."""
    key = uuid.uuid4().hex
    body = {"name": "Blue Heron Stationery Limited", "country": "DE", "amount": 100}
    headers = {"X-API-Key": on.keys["subscription"], "Idempotency-Key": key}

    def send(_: int) -> tuple[int, str]:
        status, document = on.post(SCREEN, body, **headers)
        return status, str(document.get("screenId", document.get("code", "")))

    with ThreadPoolExecutor(max_workers=min(calls, 50)) as pool:
        return list(pool.map(send, range(calls)))


def main(arguments: list[str]) -> int:
    """Return 0 where all that were answered have one id, and the others were told to wait."""
    answers = send_together(target(), int(arguments[0]) if arguments else 100)
    print(dict(Counter(status for status, _ in answers)))
    ids = {ref for status, ref in answers if status == 200}
    refused = {(status, ref) for status, ref in answers if status not in (200, 409, 429)}
    if len(ids) == 1 and not refused:
        return 0
    print(f"effects: {len(ids)}, strange answers: {sorted(refused)}", file=sys.stderr)
    return 1

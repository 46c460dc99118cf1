"""Production whose official lists were never loaded is asked about a listed name: it approves none.

Needs nothing: it makes a production installation of its own, with one list of the house.

    ./run attack unloaded-lists

It is asked twice: with the lists that production requires by itself, and where only the list of
the house is required. The first must screen nothing, the second must not approve.
"""

import sys

from tests.attacks.installation import installed, production

LIST = "entity_id,name,schema\n1,Some Local Villain GmbH,Organization\n"
ASK = """
from rest_framework.test import APIClient
from apps.access.keys.models import Account, KeyKind, issue_api_key
from apps.platform.common.clock import now
account, _ = Account.objects.get_or_create(name="Alder", defaults={"created_at": now()})
client = APIClient()
issued = issue_api_key(account=account, kind=KeyKind.SUBSCRIPTION, now=now())
client.credentials(HTTP_X_API_KEY=issued.secret)
body = {"name": "Lazarus Group", "amount": 100}
answer = client.post("/compliance/compliance/screen", body, format="json", secure=True)
print(answer.status_code, answer.json().get("decision", answer.json().get("code")))
"""


def main(arguments: list[str]) -> int:
    """Return 0 where the listed name is not approved."""
    with installed(**production()) as here:
        (here.folder / "house.csv").write_text(LIST)
        here.manage("import_list", "inhouse", str(here.folder / "house.csv"))
        here.manage("build_index")
        required = here.shell(ASK)
        here.env["REQUIRED_SOURCES"] = "inhouse"
        missed = here.shell(ASK)
    print(f"official lists required: {required}\nthe list of the house alone required: {missed}")
    held = required.startswith("503 ") and missed == "200 FLAGGED"
    if not held:
        print("expected are 503 and 200 FLAGGED", file=sys.stderr)
    return 0 if held else 1

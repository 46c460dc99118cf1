"""How a buyer holds a report, and a PDF of it, against what was sold."""

import base64
import hashlib
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from apps.insight.reports import signatures
from apps.insight.reports.documents.presenters import present_report
from tests.reports.buyer import Buyer, report

pytestmark = pytest.mark.django_db
SIGNATURE = "X-SVC-Report-Signature"


def unpadded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-1.5, "-1.5"), (1e-6, "0.000001"), (1e-7, "1e-7"),
        (1.5e-9, "1.5e-9"), (123456789.125, "123456789.125"), (1e20, "100000000000000000000"),
        (1e21, "1e+21"), (-2.5e22, "-2.5e+22"), (5e-05, "0.00005"), (-100.0, "-100"), (10, "10"),
        (True, "true"), (None, "null"), ("é\n", '"é\\n"'),
        ({"b": [1.0], "a": {}}, '{"a":{},"b":[1]}'),
    ],
)  # fmt: skip
def test_a_body_has_one_form(value: Any, form: str) -> None:
    assert signatures.canonicalize_json(value).decode() == form


def test_names_are_in_the_order_of_their_utf_16() -> None:
    assert (
        signatures.canonicalize_json({"\ufb33": 1, "\U0001f600": 2})
        == '{"\U0001f600":2,"\ufb33":1}'.encode()
    )


def test_what_is_no_number_of_json_has_no_form() -> None:
    with pytest.raises(ValueError, match="not a JSON number"):
        signatures.canonicalize_json(float("inf"))


def test_a_report_is_signed_by_a_published_key_however_often_it_is_told(alice: Buyer) -> None:
    first, again = alice.buy("macro"), alice.again("macro")
    assert first[SIGNATURE] == again[SIGNATURE]
    protected, nothing, value = first[SIGNATURE].split(".")
    assert nothing == ""
    kid = json.loads(unpadded(protected))["kid"]
    keys = alice.client.get("/reports/.well-known/jwks.json").json()["keys"]
    [key] = [one for one in keys if one["kid"] == kid]
    payload = base64.urlsafe_b64encode(signatures.canonicalize_json(first.json())).rstrip(b"=")
    public = Ed25519PublicKey.from_public_bytes(unpadded(key["x"]))
    public.verify(unpadded(value), protected.encode() + b"." + payload)


def test_page_and_pdf_tell_digest_and_signature_of_the_json(alice: Buyer) -> None:
    answer = alice.buy("macro")
    told = report(answer)
    digest = hashlib.sha256(signatures.canonicalize_json(told)).hexdigest()
    page = alice.again("macro", Accept="text/html").content.decode()
    assert digest in page and answer[SIGNATURE] in page
    assert (present_report(told).digest, present_report(told).signature) == (
        digest,
        answer[SIGNATURE],
    )


def test_a_report_that_was_altered_has_another_digest(alice: Buyer) -> None:
    told = report(alice.buy("macro"))
    digest = signatures.digest_report(told)
    told["synthesis"]["riskLevel"] = "LOW" if told["synthesis"]["riskLevel"] != "LOW" else "HIGH"
    assert signatures.digest_report(told) != digest

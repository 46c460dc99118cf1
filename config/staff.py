"""What asks for a fresh proof of who somebody is, whoever is signed in.

By the name of its address: `always` when it is opened too, `sent` when a form is sent there, or a
dotted path of a function `(request, kwargs) -> bool` that says whether the form that is sent needs
it. When and how it was given then stands as `request.proof` (apps/staff/browser.py, `last_proof`).
"""

STEP_UP: dict[str, str] = {
    "admin:access_apikey_issue": "sent",
    "admin:access_apikey_rotate": "sent",
    "admin:access_apikey_revoke": "sent",
    "admin:access_keyrequest_decide": "sent",
    "admin:access_keyrequest_draw": "sent",
    "admin:agents_agent_revoke": "sent",
    "admin:callbacks_secret_issue": "sent",
    "admin:review_case_confirm": "apps.review.proof.approves_high",
    "admin:review_case_decide": "apps.review.proof.approves_high",
    "admin:review_bulk_confirm": "apps.review.proof.clears_high",
    "admin:staff_person_reset": "sent",
    "admin:staff_person_end": "sent",
    "staff:app": "always",
    "staff:passkey": "always",
    "staff:recovery": "sent",
    "staff:remove": "sent",
}

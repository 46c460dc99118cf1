"""What asks for a fresh proof of who somebody is, whoever is signed in.

Whatever is sent at the desk asks for it, but for EVERYDAY: a page that is added tomorrow asks until
somebody says here why it need not. When and how the proof was given then stands as `request.proof`
(apps/backoffice/staff/sign_in_session.py, `get_last_proof`).
"""

# By the name of its address: `always` when it is opened too, `sent` when a form is sent there, or a
# dotted path of a function `(request, kwargs) -> bool` that says whether the form that is sent
# needs it. Addresses of the desk (`admin:`) that are named nowhere are `sent`.
STEP_UP: dict[str, str] = {
    "admin:review_case_confirm": "apps.backoffice.review.step_up.is_high_risk_approval",
    "admin:review_case_decide": "apps.backoffice.review.step_up.is_high_risk_approval",
    "admin:review_bulk_confirm": "apps.backoffice.review.step_up.is_high_risk_clear",
    "staff:app": "always",
    "staff:passkey": "always",
    "staff:recovery": "sent",
    "staff:remove": "sent",
}

CASEWORK = "work on cases, all day; what approves a HIGH one asks by itself"
READS = "reads, and changes nothing"
AGAIN = "does once more what was decided before"

# What may be sent without, by the name of its address or how that begins (`…*`), and why.
EVERYDAY: dict[str, str] = {
    "admin:login": "signing in is the proof",
    "admin:logout": "ends the sign-in",
    "admin:password_change": "asks for the old password itself",
    "admin:index": READS,
    "admin:desk_search": READS,
    "admin:review_case_*": CASEWORK,
    "admin:review_bulk*": CASEWORK,
    "admin:oversight_sample_*": CASEWORK,
    "admin:sar_sarentry_*": CASEWORK,
    "admin:oversight_exportevent_run": READS,
    "admin:screening_screen_replay": READS,
    "admin:travelrule_travelrecord_*": READS,
    "admin:travelrule_drawnsample_*": READS,
    "admin:registry_walletimport_result": READS,
    "admin:registry_walletimport_upload": "puts a file aside; to start it asks",
    "admin:callbacks_delivery_resend": AGAIN,
    "admin:callbacks_endpoint_*": AGAIN,
    "admin:core_job_*": AGAIN,
    "admin:signals_*": "fetches what publishers say",
}

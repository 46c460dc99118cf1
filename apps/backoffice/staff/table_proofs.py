"""Register how the app's tables are protected against changes in the database."""

from apps.backoffice.staff.integrity import verify_staff
from apps.platform.ledger.table_proofs import ACCESS, SHOWN, Comparison, TableProof, TableProofs

PROOFS = TableProofs(
    comparisons={
        "staff": (Comparison(verify_staff),),
    },
    proved={
        "auth.Group": TableProof(ACCESS, "staff", verify_staff, "and never read for it"),
        "auth.Group_permissions": TableProof(
            ACCESS, "staff", verify_staff, "and never read for it"
        ),
        "auth.User": TableProof(ACCESS, "staff", verify_staff, "on every page of the desk"),
        "auth.User_groups": TableProof(
            ACCESS,
            "staff",
            verify_staff,
            "at each sign-in and whatever is sent",
        ),
        "auth.User_user_permissions": TableProof(
            ACCESS,
            "staff",
            verify_staff,
            "at each sign-in and whatever is sent",
        ),
        "staff.Factor": TableProof(
            ACCESS,
            "staff",
            verify_staff,
            "at each sign-in and whatever is sent",
        ),
        "staff.SignOn": TableProof(
            ACCESS,
            "staff",
            verify_staff,
            "at each sign-in and whatever is sent",
        ),
    },
    uncompared={
        "auth.User": ((("date_joined", "email", "first_name", "last_login", "last_name"), SHOWN),),
        "staff.Factor": (
            (("name", "created_at", "used_at"), SHOWN),
            (("counter",), "a code that was taken is of no use half a minute later"),
        ),
    },
    beside={
        "auth.Permission": "names; what a role may do is in the code (config/roles.py)",
        "staff.SignIn": "a list of browsers; without it their sessions still end",
    },
    witnessed=("staff",),
)

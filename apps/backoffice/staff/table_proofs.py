"""Register how the app's tables are protected against changes in the database."""

from apps.backoffice.staff.integrity import verify_staff
from apps.platform.ledger.table_proofs import ACCESS, SHOWN, Comparison, TableProof, TableProofs

PROOFS = TableProofs(
    comparisons={
        "staff": (Comparison(verify_staff),),
    },
    proved={
        "auth.Group": TableProof(ACCESS, "staff", verify_staff, "and not read for access"),
        "auth.Group_permissions": TableProof(
            ACCESS, "staff", verify_staff, "and not read for access"
        ),
        "auth.User": TableProof(ACCESS, "staff", verify_staff, "on every page of the desk"),
        "auth.User_groups": TableProof(
            ACCESS,
            "staff",
            verify_staff,
            "at each sign-in and each submitted form",
        ),
        "auth.User_user_permissions": TableProof(
            ACCESS,
            "staff",
            verify_staff,
            "at each sign-in and each submitted form",
        ),
        "staff.Factor": TableProof(
            ACCESS,
            "staff",
            verify_staff,
            "at each sign-in and each submitted form",
        ),
        "staff.SignOn": TableProof(
            ACCESS,
            "staff",
            verify_staff,
            "at each sign-in and each submitted form",
        ),
    },
    uncompared={
        "auth.User": ((("date_joined", "email", "first_name", "last_login", "last_name"), SHOWN),),
        "staff.Factor": (
            (("name", "created_at", "used_at"), SHOWN),
            (("counter",), "a used code expires within half a minute"),
        ),
    },
    beside={
        "auth.Permission": "names; the permissions of a role are in the code, config/desk_roles.py",
        "staff.SignIn": "a list of browsers; their sessions end without it too",
    },
    witnessed=("staff",),
)

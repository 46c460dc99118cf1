"""Single sign-on of staff: the OpenID Connect provider, and what its claims mean here."""

from config import env

OIDC_ISSUER = env.read_text(
    "OIDC_ISSUER",
    about="Single sign-on: the OpenID Connect provider, as named in its tokens (`iss`)",
)
OIDC_CLIENT_ID = env.read_text("OIDC_CLIENT_ID", about="Our client id at the provider")
OIDC_CLIENT_SECRET = env.read_text("OIDC_CLIENT_SECRET", about="Our client secret at the provider")
OIDC_NAME = env.read_text("OIDC_NAME", "Single sign-on", about="Label of the sign-in button")
OIDC_SCOPES = env.read_list(
    "OIDC_SCOPES", "openid,profile", about="Scopes requested from the provider, comma-separated"
)
OIDC_GROUPS_CLAIM = env.read_text(
    "OIDC_GROUPS_CLAIM", "groups", about="The claim of the id_token that holds the user's groups"
)
OIDC_ROLES = env.read_pairs(
    "OIDC_ROLES",
    about="Roles by group: `desk-officers=Compliance officer,…`; a user without a role cannot "
    "sign in this way",
)
OIDC_MFA_ACR = env.read_list(
    "OIDC_MFA_ACR",
    about="Values of `acr` that count as a second factor at the provider, in addition to `amr`",
)

"""Single sign-on of staff: the OpenID Connect provider, and what its claims mean here."""

from config import env

OIDC_ISSUER = env.read_text(
    "OIDC_ISSUER", about="Single sign-on: the OpenID Connect provider, as its tokens name it"
)
OIDC_CLIENT_ID = env.read_text("OIDC_CLIENT_ID", about="Our name at the provider")
OIDC_CLIENT_SECRET = env.read_text("OIDC_CLIENT_SECRET", about="Our secret at the provider")
OIDC_NAME = env.read_text("OIDC_NAME", "Single sign-on", about="What the button is called")
OIDC_SCOPES = env.read_list(
    "OIDC_SCOPES", "openid,profile", about="What is asked of the provider, comma-separated"
)
OIDC_GROUPS_CLAIM = env.read_text(
    "OIDC_GROUPS_CLAIM", "groups", about="The claim of the id_token that holds somebody's groups"
)
OIDC_ROLES = env.read_pairs(
    "OIDC_ROLES",
    about="Roles by group: `desk-officers=Compliance officer,…`; who has none is not let in",
)
OIDC_MFA_ACR = env.read_list(
    "OIDC_MFA_ACR",
    about="Values of `acr` that count as a second factor at the provider, besides what `amr` says",
)

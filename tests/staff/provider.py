"""A small OpenID Connect provider on loopback, with keys of its own."""

import base64
import hashlib
import json
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.upstreams.loopback import Loopback, body

CLIENT, SECRET = "the desk", "a secret: of the desk"


class Provider:
    """Signs what a test puts into `claims`; takes each code once, with its verifier."""

    def __init__(self) -> None:
        self.far = Loopback()
        self.issuer = self.far.url
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.signs, self.algorithm = self.key, "RS256"
        self.claims: dict[str, Any] = {}
        self.described: dict[str, Any] = {}
        self.asked: dict[str, str] = {}
        self._put("/.well-known/openid-configuration", self._describe)
        self._put("/jwks", self._keys)
        self.far.answers["/token"] = self._token

    def _put(self, path: str, made: Any) -> None:
        self.far.answers[path] = lambda handler: body(json.dumps(made()).encode())(handler)

    def _describe(self) -> dict[str, Any]:
        places = {f"{n}_endpoint": f"{self.issuer}/{n}" for n in ("authorization", "token")}
        return {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/jwks"} | places | self.described

    def _keys(self) -> dict[str, Any]:
        made = jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return {"keys": [made | {"kid": "one", "use": "sig", "alg": "RS256"}]}

    def see(self, address: str) -> str:
        """Do what a person's browser does there; return the query that leads back."""
        self.asked = {n: v[0] for n, v in parse_qs(urlsplit(address).query).items()}
        return f"?state={self.asked['state']}&code=the-code"

    def _token(self, handler: Any) -> None:
        sent = {n: v[0] for n, v in parse_qs(self.far.bodies[-1].decode()).items()}
        digest = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if sent.get("code") != "the-code" or challenge != self.asked["code_challenge"]:
            return body(b"{}", 400)(handler)
        now = int(time.time())
        said = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "sub": "s-1"}
        said |= {"nonce": self.asked["nonce"], "auth_time": now, "preferred_username": "olga"}
        said |= self.claims
        said = {name: value for name, value in said.items() if value is not None}
        token = jwt.encode(said, self.signs, algorithm=self.algorithm, headers={"kid": "one"})
        return body(json.dumps({"id_token": token, "access_token": "x"}).encode())(handler)

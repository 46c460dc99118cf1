"""Sessions in the database under a digest of their key (SESSION_ENGINE).

A reader of the database, or of a backup, finds no key there that opens a session.
"""

import hashlib
from typing import Any, cast

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.contrib.sessions.models import Session
from django.utils import timezone

# the length of Django's own column: 160 bits of the digest, while keys have 165 bits
DIGITS = 40


def hash_session_key(session_key: str | None) -> str:
    """Return under what a session is kept; an empty text for none."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:DIGITS] if session_key else ""


class SessionStore(DatabaseSessions):
    """Django's sessions in the database, with a digest in place of the key."""

    def _get_session_from_db(self) -> Session | None:
        session = Session.objects.filter(
            session_key=hash_session_key(self.session_key), expire_date__gt=timezone.now()
        ).first()
        if session is None:
            self._session_key = None
        return session

    def exists(self, session_key: str) -> bool:
        """Tell whether a session has this key."""
        return Session.objects.filter(session_key=hash_session_key(session_key)).exists()

    def create_model_instance(self, data: Any) -> Session:
        """Return the row of the session."""
        row = cast(Session, super().create_model_instance(data))
        row.session_key = hash_session_key(self.session_key)
        return row

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session of a key, by default this one."""
        key = session_key if session_key is not None else self.session_key
        if key is not None:
            Session.objects.filter(session_key=hash_session_key(key)).delete()

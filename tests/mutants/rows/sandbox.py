"""The first minute."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "sandbox-in-production",
        "apps/entry/sandbox/services.py",
        '    if settings.PRODUCTION:\n        raise NotASandbox("DJANGO_ENV is',
        '    if not settings.SECRET_KEY:\n        raise NotASandbox("DJANGO_ENV is',
        "Made-up people with printed passwords work in production.",
        ("tests/sandbox/test_set_up.py",),
    ),
    (
        "sandbox-secrets-for-everybody",
        "apps/entry/sandbox/services.py",
        "handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)",
        "handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)",
        "Everybody on the host reads the sandbox's passwords.",
        ("tests/sandbox/test_set_up.py",),
    ),
)

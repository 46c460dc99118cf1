"""Sign-in, keys, limits and bills that are subtly wrong."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "access-one-issues-in-production",
        "apps/access/keys/services.py",
        "    return bool(settings.PRODUCTION)\n",
        "    return bool(settings.PRODUCTION) and not settings.SECRET_KEY\n",
        "One operator alone makes a key of production.",
        ("tests/access/test_key_requests.py::test_one_person_issues_no_key_in_production",),
    ),
    (
        "access-secret-drawn-twice",
        "apps/access/keys/services.py",
        'filter(pk=request.pk, state="APPROVED", drawn_at=None)',
        'filter(pk=request.pk, state="APPROVED")',
        "What two people approved once becomes any number of keys.",
        (
            "tests/access/test_key_requests.py"
            "::test_one_asks_another_approves_and_the_secret_is_drawn_once",
        ),
    ),
    (
        "access-secret-for-who-approved",
        "apps/access/keys/services.py",
        "return not request.proposed_by.is_active and request.decided_by_id != by.pk",
        "return True",
        "Who approves a key takes its secret before the one who asked.",
        (
            "tests/access/test_key_requests.py"
            "::test_the_secret_is_for_who_asked_and_never_for_who_approved",
        ),
    ),
    (
        "access-expired-key-works",
        "apps/access/keys/models.py",
        "for moment in (self.revoked_at, self.expires_at) if moment",
        "for moment in (self.revoked_at,) if moment",
        "A key works on after its end.",
        (
            "tests/access/test_key_authentication.py::test_expired_and_revoked_keys_are_401_in_the_same_words",
        ),
    ),
    (
        "access-any-digest-proves",
        "apps/access/keys/models.py",
        "return hmac.compare_digest(self.digest, hash_secret(secret))",
        "return len(self.digest) == len(hash_secret(secret))",
        "Who knows the public beginning of a key has the key.",
        ("tests/access/test_key_authentication.py::test_what_is_not_exactly_a_key_is_401",),
    ),
    (
        "access-rotation-lengthens",
        "apps/access/keys/models.py",
        "filter(pk=key.pk).filter(lasts).update(",
        "filter(pk=key.pk).update(",
        "Rotating a key that ends soon lets the old one live longer.",
        (
            "tests/access/test_key_authentication.py::test_after_a_rotation_both_keys_work_until_the_overlap_ends",
        ),
    ),
    (
        "access-any-kind-of-key",
        "apps/access/keys/authentication.py",
        "return kind in operation.access.known and HEADERS[KeyKind(kind)] == grant.header",
        "return HEADERS[KeyKind(kind)] == grant.header",
        "A key of another kind that travels in the same header is let in.",
        ("tests/access/test_key_authentication.py::test_a_good_key_of_another_kind_is_403",),
    ),
    (
        "access-one-call-too-many",
        "apps/access/keys/rate_limits.py",
        "if window.count > limit:",
        "if window.count > limit + 1:",
        "A minute has one call more than its limit.",
        ("tests/access/test_rate_limits.py::test_the_limit_passes_and_the_next_call_does_not",),
    ),
    (
        "access-forwarded-for-believed",
        "apps/access/keys/client_address.py",
        "return hops[-trusted] if trusted",
        "return hops[0] if trusted",
        "A caller chooses the address that is counted.",
        ("tests/access/test_rate_limits.py::test_the_address_is_what_the_trusted_proxies_saw",),
    ),
    (
        "access-each-ipv6-counts-alone",
        "apps/access/keys/client_address.py",
        "ipaddress.ip_network((parsed, 64), strict=False)",
        "ipaddress.ip_network((parsed, 128), strict=False)",
        "An IPv6 client has 2^64 limits.",
        ("tests/access/test_rate_limits.py::test_free_endpoints_count_by_address",),
    ),
    (
        "access-eleven-wrong-passwords",
        "apps/access/keys/rules.py",
        "if len(failures) >= most else None",
        "if len(failures) > most else None",
        "One password more may be tried; the wait is that of another window.",
        (
            "tests/access/test_sign_in_limits.py"
            "::test_ten_wrong_passwords_of_an_account_are_enough_from_wherever",
        ),
    ),
    (
        "access-capitals-are-another-account",
        "apps/access/keys/failed_sign_ins.py",
        "subject.casefold(), algorithm",
        "subject, algorithm",
        "Wrong passwords are counted anew for each spelling of a name.",
        ("tests/access/test_sign_in_limits.py::test_case_is_no_way_around",),
    ),
    (
        "access-tier-ends-a-call-early",
        "apps/access/keys/metering.py",
        "else min(calls, tier.upto)",
        "else min(calls, tier.upto - 1)",
        "The last call of a tier is billed at the next one's price.",
        ("tests/access/test_metering.py::test_each_call_is_billed_at_the_price_of_its_tier",),
    ),
    (
        "access-month-of-the-server",
        "apps/access/keys/metering.py",
        'now.astimezone(UTC).strftime("%Y-%m")',
        'now.strftime("%Y-%m")',
        "Calls at a month's end are billed in the month of some other zone.",
        ("tests/access/test_metering.py::test_months_are_utc_and_end_with_their_last_microsecond",),
    ),
    (
        "access-key-of-the-database-believed",
        "apps/access/keys/authentication.py",
        "    require_recorded_key(key, [record] if record else [])\n",
        "",
        "Whoever can write the database makes a signing key.",
        ("tests/access/test_key_integrity.py::test_another_secret_put_into_a_row_opens_nothing",),
    ),
    (
        "access-revocation-unrecorded",
        "apps/access/keys/models.py",
        "            record_key_state(self, KeyRecord.Step.REVOKED, now=now)\n",
        "",
        "A revoked key comes back when the row is set back.",
        ("tests/access/test_key_integrity.py::test_a_revoked_key_does_not_come_back",),
    ),
    (
        "access-month-before-a-31st",
        "apps/access/keys/revocation_impact.py",
        "first = now.replace(day=1) - timedelta(days=1)",
        "first = now - timedelta(days=30)",
        "On a 31st, who ends a key is told the present month twice and not the one before.",
        (
            "tests/access/test_admin.py::"
            "test_revoking_tells_the_calls_of_the_month_before_on_any_day",
        ),
    ),
)

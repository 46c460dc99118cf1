"""Callbacks: when they are tried, to whom, by which signature, and what is told of them."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "callbacks-wait-too-short",
        "apps/payments/callbacks/rules.py",
        "RETRY_DELAYS = (timedelta(seconds=5), timedelta(seconds=30), timedelta(minutes=5))",
        "RETRY_DELAYS = (timedelta(seconds=5), timedelta(seconds=30), timedelta(minutes=4))",
        "The fourth attempt comes a minute early.",
        (
            "tests/callbacks/test_retry_schedule.py::"
            "test_the_next_attempt_is_due_as_the_specification_says",
        ),
    ),
    (
        "callbacks-redirect-delivers",
        "apps/payments/callbacks/rules.py",
        "if 200 <= status < 300:",
        "if 200 <= status < 400:",
        "A redirect counts as a delivery.",
        ("tests/callbacks/test_retry_schedule.py::test_only_2xx_is_a_delivery",),
    ),
    (
        "callbacks-resume-resets-nothing",
        "apps/payments/callbacks/rules.py",
        "if resumed_at is None or resumed_at < since:",
        "if True:",
        "What failed before a resume pauses the endpoint again at once.",
        (
            "tests/callbacks/test_paused_endpoints.py::"
            "test_an_endpoint_is_failing_when_the_rule_says_so",
        ),
    ),
    (
        "callbacks-no-share",
        "apps/payments/callbacks/services/claim_deliveries.py",
        "PER_HOST = 4\nPER_OWNER",
        "PER_HOST = 400\nPER_OWNER",
        "A receiver that hangs takes all of what sends.",
        (
            "tests/callbacks/test_hanging_receivers.py::"
            "test_one_receiver_has_four_at_once_and_those_behind_it_are_taken",
        ),
    ),
    (
        "callbacks-attempt-not-counted",
        "apps/payments/callbacks/services/claim_deliveries.py",
        'attempts=F("attempts") + 1, tries=F("tries") + 1',
        'attempts=F("attempts") + 1',
        "A callback is tried for ever.",
        (
            "tests/callbacks/test_sender_crashes.py::"
            "test_one_that_takes_its_sender_down_each_time_ends_after_four",
        ),
    ),
    (
        "callbacks-derived-by-the-shared-key",
        "apps/payments/callbacks/signing_secrets.py",
        'b"callbacks:" + settings.SECRET_KEY.encode()',
        'b"callbacks:" + settings.WEBHOOK_SIGNING_KEY.encode()',
        "Who holds the platform's signing key derives everybody's secret.",
        (
            "tests/callbacks/test_signing_secrets.py::"
            "test_secrets_differ_by_owner_and_generation_and_follow_the_platforms_key",
        ),
    ),
    (
        "callbacks-upstream-ranges-open",
        "apps/payments/callbacks/callback_urls.py",
        "return () if settings.PRODUCTION else LOOPBACK",
        "return settings.UPSTREAM_PRIVATE_RANGES or LOOPBACK",
        "Callers reach private ranges that are open for the platform's upstreams.",
        (
            "tests/callbacks/test_callback_urls.py::"
            "test_what_operators_open_for_upstreams_is_not_open_to_callers",
        ),
    ),
    (
        "callbacks-resend-of-others",
        "apps/payments/callbacks/selectors/client_callbacks.py",
        '    rows = Delivery.objects.of(caller.ref).select_related("event", "endpoint")\n'
        "    row = rows.filter",
        '    rows = Delivery.objects.select_related("event", "endpoint")\n    row = rows.filter',
        "A tenant sends another's callbacks again.",
        ("tests/callbacks/test_api.py::test_anothers_callbacks_and_endpoints_are_not_there",),
    ),
    (
        "callbacks-timestamp-unsigned",
        "apps/payments/callbacks/signatures.py",
        'stated = f"{moment}.{event}.".encode() + body',
        "stated = body",
        "An old callback can be replayed with a new time.",
        ("tests/callbacks/test_receiver_example.py::test_a_callback_of_ours_is_verified",),
    ),
    (
        "callbacks-feed-by-id",
        "apps/payments/callbacks/selectors/feed.py",
        "number=head.last + place, event_id=event)",
        "number=event, event_id=event)",
        "An event that commits late is skipped by who read on.",
        (
            "tests/callbacks/test_feed.py::"
            "test_an_owner_reads_its_own_events_alone_and_counts_its_own_places",
        ),
    ),
    (
        "callbacks-of-all-are-listed",
        "apps/payments/callbacks/selectors/client_callbacks.py",
        'return Delivery.objects.of(caller.ref).select_related("event", "endpoint")',
        'return Delivery.objects.select_related("event", "endpoint")',
        "The list of callbacks holds those of all institutions.",
        ("tests/api/test_other_tenants.py::test_no_answer_holds_anything_of_another_tenant",),
    ),
)

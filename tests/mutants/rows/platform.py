"""The platform: idempotency, the pipeline, ledgers, retention, jobs, parsing and money."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "platform-digest-of-the-newest-key",
        "apps/platform/crypto/macs.py",
        "    *_, key = ledger_keys().values()\n",
        "    key, *_ = ledger_keys().values()\n",
        "After a rotation of keys, rows about the same party are no longer found together.",
        (
            "tests/platform/test_macs.py"
            "::test_a_keyed_digest_stands_over_a_rotation_and_falls_with_its_key",
        ),
    ),
    (
        "platform-step-not-compared",
        "apps/platform/ledger/recorded_transitions.py",
        'as_read = {"pk": row.pk, "steps": row.steps}',
        'as_read = {"pk": row.pk}',
        "Two workers take one payment, order, record or bank row through the same turn.",
        (
            "tests/platform/test_recorded_transitions.py"
            "::test_a_row_that_was_moved_meanwhile_is_left_as_it_was_read",
        ),
    ),
    (
        "platform-row-moved-by-a-turn-that-was-not-made",
        "apps/platform/ledger/recorded_transitions.py",
        "        vars(row).update(unchanged)\n",
        "        vars(row).update(unchanged | changes)\n",
        "A caller goes on with a row as if the turn had been made that was lost to another.",
        (
            "tests/platform/test_recorded_transitions.py"
            "::test_a_row_whose_event_is_not_written_is_left_as_it_was_read",
        ),
    ),
    (
        "platform-body-past-its-bound",
        "apps/platform/server/request_inbox.py",
        "    if length > _body_limit(request):\n",
        "    if length > _body_limit(request) + 1:\n",
        "A body of one byte more than the bound is taken.",
        (
            "tests/platform/server/test_worker.py"
            "::test_the_largest_body_is_taken_and_one_byte_more_is_not",
        ),
    ),
    (
        "platform-refusal-is-undone",
        "apps/platform/api/viewsets.py",
        "                if not isinstance(made, Refusal):\n",
        "                if isinstance(made, Refusal):\n                    raise made.problem\n"
        "                if not isinstance(made, Refusal):\n",
        "What a refusal leaves for officers is rolled back with it.",
        ("tests/platform/test_pipeline.py::test_a_refusal_keeps_what_it_wrote_and_costs_nothing",),
    ),
    (
        "platform-replay-of-another-owner",
        "apps/platform/api/idempotency.py",
        "        row = same_key.first()\n",
        '        row = IdempotentCall.objects.filter(key=self._kept_as["key"]).first()\n',
        "Who repeats a call gets what another owner of the same key was answered.",
        (
            "tests/api/test_every_endpoint.py"
            "::test_a_replay_is_the_same_answer_and_goes_to_its_owner_alone",
        ),
    ),
    (
        "platform-claims-belong-to-a-kind",
        "apps/platform/api/viewsets.py",
        "owner=grant.caller.ref, secret=",
        "owner=grant.caller.kind, secret=",
        "All tenants share their idempotency keys.",
        (
            "tests/api/test_every_endpoint.py"
            "::test_a_replay_is_the_same_answer_and_goes_to_its_owner_alone",
        ),
    ),
    (
        "platform-path-is-no-part-of-a-call",
        "apps/platform/api/operations.py",
        'digest([self.method, f"{self.service}/{self.path}", given])',
        "digest([self.method, given])",
        "The same body to another address is answered with the first one's answer.",
        (
            "tests/platform/test_idempotency.py::test_the_same_question_to_another_address_is_another",
        ),
    ),
    (
        "platform-failed-call-keeps-its-claim",
        "apps/platform/api/viewsets.py",
        "            claim.release()\n",
        "",
        "After a failure the same key answers 409 for a minute.",
        ("tests/platform/test_idempotency.py::test_a_refused_call_frees_its_key",),
    ),
    (
        "platform-claim-of-the-living-is-taken",
        "apps/platform/api/idempotency.py",
        "_select_unfinished(row).filter(lapsed).update(",
        "_select_unfinished(row).update(",
        "Two callers of one key work at once.",
        ("tests/platform/test_idempotency.py::test_while_the_first_still_runs_the_second_is_409",),
    ),
    (
        "platform-settled-before-gathered",
        "apps/platform/api/viewsets.py",
        "            gathered = gather(asked=asked, now=now) if gather else None\n"
        "            grant.settle(now=now)\n",
        "            grant.settle(now=now)\n"
        "            gathered = gather(asked=asked, now=now) if gather else None\n",
        "A payment is taken for an answer that may not come.",
        ("tests/platform/test_pipeline.py::test_the_steps_come_in_the_order_of_the_design",),
    ),
    (
        "platform-records-without-their-bill",
        "apps/platform/api/viewsets.py",
        "with transaction.atomic() if writes else nullcontext():",
        "with nullcontext():",
        "Records stay when the bill or the stored answer fails.",
        ("tests/platform/test_pipeline.py::test_the_steps_come_in_the_order_of_the_design",),
    ),
    (
        "platform-credentials-are-not-asked-for",
        "apps/platform/api/permissions.py",
        "            if refusal.status != PAYMENT_REQUIRED:\n                raise refusal\n",
        "",
        "Who sends no key is asked for one only after the request was read.",
        (
            "tests/api/test_every_endpoint.py"
            "::test_without_a_good_key_of_the_right_kind_nobody_gets_in",
        ),
    ),
    (
        "platform-calls-by-any-rate",
        "apps/platform/api/viewsets.py",
        "        self.check_throttles(request)\n",
        "",
        "Nobody's calls are counted, and no answer says what is left.",
        ("tests/access/test_rate_limits.py::test_a_keys_own_rate_binds_and_the_answer_is_429",),
    ),
    (
        "platform-402-names-no-key",
        "apps/platform/api/viewsets.py",
        "            first.headers = other.headers | first.headers\n",
        "            pass\n",
        "A 402 does not say that a key would do as well.",
        (
            "tests/api/test_every_endpoint.py"
            "::test_without_a_good_key_of_the_right_kind_nobody_gets_in",
        ),
    ),
    (
        "platform-lists-are-not-filtered",
        "apps/platform/api/viewsets.py",
        "            if self.filterset_class is not None:\n",
        "            if self.filterset_class is None:\n",
        "The query of a list chooses nothing.",
        ("tests/screening/test_screens_list.py",),
    ),
    (
        "platform-answers-forgotten-at-once",
        "apps/platform/tasks.py",
        "_delete_in_batches(IdempotentCall.objects.filter(created_at__lt=now - KEPT))",
        "_delete_in_batches(IdempotentCall.objects.filter(created_at__lt=now))",
        "Tidying makes a repeated call happen twice.",
        ("tests/platform/test_idempotency.py::test_answers_are_kept_for_24_hours_and_no_longer",),
    ),
    (
        "platform-switched-off-schedules-run",
        "apps/platform/jobs/job_queue.py",
        "for periodic in Periodic.objects.filter(enabled=True):",
        "for periodic in Periodic.objects.all():",
        "What an operator switched off goes on.",
        ("tests/platform/test_minute_jobs.py::test_a_disabled_or_unknown_schedule_plans_nothing",),
    ),
    (
        "platform-rhythm-shifts",
        "apps/platform/jobs/job_queue.py",
        "return since + ((now - since) // period + 1) * period",
        "return now + period",
        "A daily job wanders through the day.",
        (
            "tests/platform/test_minute_jobs.py"
            "::test_a_periodic_job_keeps_its_rhythm_and_makes_nothing_up",
        ),
    ),
    (
        "platform-hold-that-comes-while-purging",
        "apps/platform/ledger/retention.py",
        "if model._default_manager.filter(_on_hold_condition(model), pk=record.pk).exists():",
        "if not active_holds:",
        "A hold that is placed after a purge began saves nothing.",
        ("tests/platform/test_retention.py::test_a_hold_stops_the_purge_until_all_are_lifted",),
    ),
    (
        "platform-lifted-holds-hold",
        "apps/platform/ledger/retention.py",
        "return LegalHold.objects.filter(ledger=ledger, lifted_at=None)",
        "return LegalHold.objects.filter(ledger=ledger)",
        "A hold that was lifted keeps a payload for good.",
        ("tests/platform/test_retention.py::test_a_hold_stops_the_purge_until_all_are_lifted",),
    ),
    (
        "platform-purged-a-day-early",
        "apps/platform/ledger/retention.py",
        "recorded_at__lt=before",
        "recorded_at__lte=before",
        "A payload leaves at the very moment up to which it is kept.",
        ("tests/platform/test_retention.py::test_the_boundary_of_expiry_is_exact",),
    ),
    (
        "platform-unsealed-is-purged",
        "apps/platform/ledger/retention.py",
        ".filter(~_on_hold_condition(model), Exists(sealed))",
        ".filter(~_on_hold_condition(model))",
        "The purge trips over records that are not sealed yet.",
        ("tests/platform/test_retention.py",),
    ),
    (
        "platform-mac-of-no-ledger",
        "apps/platform/ledger/envelope_encoding.py",
        '"content":{_quote_json(content)},"ledger":{_quote_json(ledger)},"record":{record}}}',
        '"content":{_quote_json(content)},"record":{record}}}',
        "A record can be moved to another ledger of the same columns.",
        ("tests/platform/test_macs.py::test_a_mac_of_one_ledger_is_worth_nothing_in_another",),
    ),
    (
        "platform-mac-without-payload",
        "apps/platform/ledger/envelope_encoding.py",
        '"content":{_quote_json(content)},"ledger":{_quote_json(ledger)},"record":{record}}}',
        '"ledger":{_quote_json(ledger)},"record":{record}}}',
        "The payload of a record that is not sealed yet can be rewritten.",
        ("tests/platform/test_macs.py::test_a_record_with_any_column_changed_is_not_ours",),
    ),
    (
        "platform-forged-purge-believed",
        "apps/platform/ledger/verification/segment_verification.py",
        "        elif event.mac_fault():\n",
        "        elif not event:\n",
        "A payload blanked beside a forged purge row is no fault.",
        ("tests/platform/test_macs.py::test_a_payload_blanked_beside_a_forged_purge_is_found",),
    ),
    (
        "platform-sealer-goes-by-position",
        "apps/platform/ledger/sealer.py",
        "if (head.position, head.digest) != read_chain_end(ledger):",
        "if head.position != read_chain_end(ledger)[0]:",
        "The sealer goes on upon a last seal that was replaced.",
        ("tests/platform/test_ledger.py",),
    ),
    (
        "platform-records-can-be-deleted",
        "apps/platform/db/append_only.py",
        '(("UPDATE", f"WHEN NOT ({allowed})"), ("DELETE", ""))',
        '(("UPDATE", f"WHEN NOT ({allowed})"), ("DELETE", "WHEN 1 = 0"))',
        "SQLite lets records of a ledger be deleted.",
        ("tests/platform/test_append_only.py::test_deletes_are_refused_by_the_database",),
    ),
    (
        "platform-heads-overwritten",
        "apps/platform/ledger/verification/signed_heads.py",
        'with path.open("ab+") as out:',
        'with path.open("wb+") as out:',
        "Each export of heads forgets the ones before it.",
        (
            "tests/platform/test_signed_heads.py::test_a_head_exported_after_the_cut_does_not_hide_it",
        ),
    ),
    (
        "platform-one-level-too-few",
        "apps/platform/common/strict_json.py",
        "for bracket in brackets), default=0) > limit",
        "for bracket in brackets), default=0) >= limit",
        "A body of exactly 32 levels is refused.",
        ("tests/platform/test_strict_json.py",),
    ),
    (
        "platform-last-of-two-keys-counts",
        "apps/platform/common/strict_json.py",
        "if len(unique_pairs) != len(pairs):",
        "if len(unique_pairs) > len(pairs):",
        "An object may name the same key twice.",
        ("tests/platform/test_strict_json.py::test_what_is_not_plain_json_is_refused",),
    ),
    (
        "platform-tiny-exponents",
        "apps/platform/common/strict_json.py",
        "or abs(exponent) > LONGEST_NUMBER:",
        "or exponent > LONGEST_NUMBER:",
        "1e-999999 becomes a number of a megabyte.",
        ("tests/platform/test_strict_json.py::test_longer_numbers_are_refused",),
    ),
    (
        "platform-money-rounded-down",
        "apps/platform/common/money.py",
        "    if rest:\n",
        "    if rest < 0:\n",
        "Amounts finer than a millionth lose their rest without a word.",
        ("tests/platform/test_money.py::test_what_cannot_be_kept_exactly_raises",),
    ),
)

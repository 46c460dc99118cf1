"""Transfers on chains that count though they must not, or are lost."""

from tests.mutants.rows import Row

RULES = "tests/chain/test_rules.py"
REORGS = "tests/chain/test_reorgs.py"
NODES = "tests/chain/test_node_faults.py"
CASES = "tests/chain/test_transfer_cases.py"
COME_AGAIN = "tests/chain/test_reincluded_transactions.py"
MANY = "tests/chain/test_many_orders.py"
ALTERED = "tests/chain/test_altered_orders.py"
READING = "tests/chain/test_node_parser.py"
FORGOTTEN = "tests/chain/test_order_retention.py"
WALK = "tests/chain/test_random_walks.py"

ROWS: tuple[Row, ...] = (
    (
        "chain-hash-decides-between-owners",
        "apps/payments/chain/rules/transfer_match.py",
        "    if len({order.owner for order in timely}) == 1:\n",
        "    if True:\n",
        "Whoever names another's transaction first takes its transfer.",
        (f"{RULES}::test_a_transfer_is_one_orders_or_nobodys",),
    ),
    (
        "chain-mark-alone-is-deep",
        "apps/payments/chain/rules/confirmation_depth.py",
        "confirmations(block=block, heads=heads) >= row.depth and ",
        "",
        "A node that calls everything finalized makes a transfer final at once.",
        (f"{RULES}::test_a_mark_alone_is_not_depth",),
    ),
    (
        "chain-block-is-not-held",
        "apps/payments/chain/services/transfer_finality.py",
        "if block is None or block.hash != transfer.block_hash:",
        "if block is None:",
        "A transfer counts on in a block that the chain replaced.",
        (f"{REORGS}::test_a_reorg_deeper_than_final_is_never_silent",),
    ),
    (
        "chain-replaced-past-is-not-read",
        "apps/payments/chain/services/block_scan.py",
        "if stands is not None and stands.hash == cursor.block_hash:",
        "if stands is not None:",
        "A transfer in a block that replaced one that was read is lost.",
        (f"{REORGS}::test_the_deep_past_is_read_again_on_another_chain",),
    ),
    (
        "chain-no-case-of-what-does-not-fit",
        "apps/payments/chain/record_transition.py",
        "        cases.open_case_of_transition(order, turn=row.code, facts=facts or {}, now=now)\n",
        "",
        "Nobody looks at a transfer that is not as expected, or that the chain took back.",
        (f"{CASES}::test_what_the_chain_took_back_is_a_grave_case_of_two_officers",),
    ),
    (
        "chain-a-transfer-is-known-by-its-place-alone",
        "apps/payments/chain/services/match_transfers.py",
        (
            "if row.log_index == token_transfer.index or (\n"
            "            same and row.block_hash != token_transfer.block_hash\n"
            "        ):"
        ),
        "if row.log_index == token_transfer.index:",
        "A transaction that comes again at another place of a block settles a second order.",
        (f"{COME_AGAIN}::test_at_another_place_of_a_lower_block_it_settles_no_second_order",),
    ),
    (
        "chain-a-named-stranger-is-no-concern",
        "apps/payments/chain/services/match_transfers.py",
        "        or order.named == token_transfer.tx_hash\n        or (token_transfer",
        "        or (token_transfer",
        "A transaction that is named and pays another token's contract is not told.",
        (f"{MANY}::test_a_transfer_is_held_against_the_orders_that_it_may_concern",),
    ),
    (
        "chain-first-node-is-believed",
        "apps/payments/chain/clients/nodes.py",
        "            if answer != first:\n",
        "            if False:\n",
        "One node that lies is enough, though two are named.",
        (f"{NODES}::test_a_node_that_says_otherwise_than_the_other_confirms_nothing",),
    ),
    (
        "chain-removed-order-is-made-anew",
        "apps/payments/chain/expected_transfers.py",
        (
            "    if is_order_removed(wanted.order_id):\n"
            "        raise _removed_order_error(wanted.order_id)\n"
        ),
        "",
        "Whoever removes an order's row has its transfer expected, and paid, once more.",
        (f"{ALTERED}::test_an_order_whose_row_is_gone_is_not_made_anew",),
    ),
    (
        "chain-steps-without-a-row-are-no-fault",
        "apps/platform/ledger/verification/state_row_checks.py",
        "events = self.events._default_manager.all()",
        "events = self.events._default_manager.none()",
        "An order that somebody removed is missed by nobody.",
        (f"{ALTERED}::test_an_order_whose_row_is_gone_is_unproved_and_found",),
    ),
    (
        "chain-number-and-symbol-are-believed",
        "apps/payments/chain/integrity.py",
        "        return True\n",
        "        pass\n    if True:\n        return True\n",
        "Another symbol than that of the token is told, or one order stops a chain's watch.",
        (f"{ALTERED}::test_another_token_or_chain_than_was_recorded_is_not_told",),
    ),
    (
        "chain-hashes-without-end",
        "apps/payments/chain/expected_transfers.py",
        "        if order.steps >= MOST_STEPS:\n",
        "        if False:\n",
        "Each hash that somebody invents is a sealed step and a look, without end.",
        (f"{ALTERED}::test_nobody_can_name_transactions_without_end",),
    ),
    (
        "chain-place-without-bound",
        "apps/payments/chain/clients/node_parser.py",
        'log.get("logIndex"), largest=MOST_LOGS)',
        'log.get("logIndex"))',
        "A node that tells of a place no column holds stops the watch of its chain.",
        (f"{READING}::test_a_receipt_that_is_not_as_it_must_be_is_none",),
    ),
    (
        "chain-named-transaction-stops-a-chain",
        "apps/payments/chain/tasks.py",
        "        except MalformedAnswer as error:\n",
        "        except ZeroDivisionError as error:\n",
        "Whoever names a transaction that cannot be read stops every order of a chain.",
        (f"{ALTERED}::test_a_named_transaction_that_cannot_be_read_stops_no_other",),
    ),
    (
        "chain-wallets-go-with-the-first-step",
        "apps/payments/chain/models/events.py",
        "        if not Order.objects.filter(pk=self.order_id, steps=self.number).exists():\n"
        "            return\n",
        "",
        "At the end of its retention an order is for days not as it was recorded.",
        (f"{FORGOTTEN}::test_wallets_go_with_the_last_step_and_the_order_stays_proved",),
    ),
    (
        "chain-refused-range-is-asked-again",
        "apps/payments/chain/services/block_scan.py",
        "    half = max(1, asked // 2)\n",
        "    half = asked\n",
        "A node that takes narrow ranges alone is asked for the same wide one for ever.",
        (f"{NODES}::test_a_node_that_refuses_wide_ranges_is_asked_for_narrow_ones",),
    ),
    (
        "chain-too-large-stops-the-reading",
        "apps/payments/chain/services/block_scan.py",
        "        except AnswerTooLarge:",
        "        except ZeroDivisionError:",
        "One transaction with a large receipt stops the reading of a chain.",
        ("tests/chain/test_oversized_receipts.py::test_the_others_are_read_and_the_order_is_told",),
    ),
    (
        "chain-cursor-goes-ahead",
        "apps/payments/chain/services/block_scan.py",
        "        _match_logs(look, answered.logs)\n",
        "        _advance_cursor(look, end, span)\n        _match_logs(look, answered.logs)\n",
        "What a look that is cut off has not written is passed over.",
        (f"{ALTERED}::test_a_look_that_is_cut_off_passes_nothing_over",),
    ),
    (
        "chain-late-transfer-is-told-for-hours",
        "apps/payments/chain/tasks.py",
        "LATE_FOR = timedelta(days=7)",
        "LATE_FOR = timedelta(hours=7)",
        "A transfer that comes a day after its deadline is told to nobody.",
        ("tests/chain/test_order_expiry.py::test_late_transfers_are_looked_for_for_a_week",),
    ),
    (
        "chain-order-ends-before-its-last-block-is-deep",
        "apps/payments/chain/tasks.py",
        "timedelta(seconds=chain.seconds * DEEP_ENOUGH)",
        "timedelta(seconds=chain.seconds)",
        "An order expires a block after its deadline, when the chain may still turn.",
        (
            "tests/chain/test_order_expiry.py::"
            "test_an_order_runs_out_once_its_deadline_is_twelve_blocks_deep",
        ),
    ),
    (
        "chain-health-is-of-the-chain-that-was-read-last",
        "apps/payments/chain/health.py",
        "now - min(last_looks, default=now)",
        "now - max(last_looks, default=now)",
        "One chain that is read hides another that is not.",
        (
            "tests/chain/test_health.py::"
            "test_of_several_chains_the_one_that_was_not_read_for_longest_counts",
        ),
    ),
)

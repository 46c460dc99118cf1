"""Messages of ISO 20022, and the files that they become."""

from tests.mutants.rows import Row

READING, RULES = (
    "tests/payments/pain001/test_message_reading.py",
    "tests/payments/pain001/test_rules.py",
)
FILES = "tests/payments/pain001/test_files.py"
APP = "apps/payments/payments/pain001"
ROWS: tuple[Row, ...] = (
    (
        "pain001-doctype-of-the-parser",
        "apps/payments/payments/pain001/xml_reader.py",
        "if info.doctype or info.internalDTD is not None:",
        "if False:",
        "A DOCTYPE in an encoding that no search of bytes knows is read.",
        (f"{READING}::test_what_is_no_such_message_is_refused_in_a_sentence",),
    ),
    (
        "pain001-order-of-elements",
        "apps/payments/payments/pain001/structure/checker.py",
        "if self.ordered and slot.place < place:",
        "if self.ordered and slot.place < 0:",
        "Elements may stand in any order.",
        (f"{READING}::test_elements_in_another_order_are_refused",),
    ),
    (
        "pain001-name-is-cut",
        f"{APP}/rules.py",
        "or len(party.name) > LONGEST_NAME",
        "or len(party.name) > LONGEST_NAME + 1",
        "A name goes out longer than the travel rule's message holds.",
        (f"{RULES}::test_a_name_of_the_creditor_is_never_cut",),
    ),
    (
        "pain001-sum-not-compared",
        f"{APP}/rules.py",
        "Decimal(facts.said_sum) != facts.total",
        "Decimal(facts.said_sum) < facts.total",
        "A control sum may be too large.",
        (f"{RULES}::test_counts_and_sums",),
    ),
    (
        "pain001-count-not-compared",
        f"{APP}/models.py",
        "payment_files = PaymentFile.objects.filter(pk=self.pk, done=self.done)",
        "payment_files = PaymentFile.objects.filter(pk=self.pk)",
        "Two runners count one batch twice.",
        (f"{FILES}::test_a_batch_that_another_runner_had_is_undone",),
    ),
    (
        "pain001-name-as-wallet-for-all",
        f"{APP}/parties.py",
        "if not wallet and in_name and node",
        "if not wallet and node",
        "A name is taken for a wallet though nobody allowed it.",
        (f"{READING}::test_without_proxies_a_name_is_a_wallet_only_where_the_profile_says_so",),
    ),
    (
        "pain001-bytes-not-compared",
        "apps/payments/payments/pain001/services/process_file.py",
        "if not file.fault and digest.hexdigest() == file.digest:",
        "if not file.fault:",
        "A file is worked off though its bytes were altered.",
        (f"{FILES}::test_bytes_that_were_altered_are_not_worked_off",),
    ),
    (
        "pain001-proof-not-looked-at",
        "apps/payments/payments/pain001/services/process_file.py",
        "if not file.fault and digest.hexdigest() == file.digest:",
        "if digest.hexdigest() == file.digest:",
        "A file is worked off though its bytes were altered together with their digest.",
        (f"{FILES}::test_bytes_that_were_altered_are_not_worked_off",),
    ),
    (
        "pain001-files-of-others",
        f"{APP}/selectors.py",
        "PaymentFile.objects.of(caller.ref).filter(file_id=file_id)",
        "PaymentFile.objects.filter(file_id=file_id)",
        "An institution sees the files of another.",
        (f"{FILES}::test_nobody_sees_the_files_of_others",),
    ),
)

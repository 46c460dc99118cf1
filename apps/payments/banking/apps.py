from django.apps import AppConfig


class BankingConfig(AppConfig):
    name = "apps.payments.banking"
    verbose_name = "Banking"

    def ready(self) -> None:
        from apps.backoffice.review.case_types import register_case_type
        from apps.backoffice.sar.record_types import register_record_types
        from apps.payments.banking import case_links, encryption, health
        from apps.payments.banking.api import viewsets
        from apps.payments.banking.case_links import SAR_RECORDS
        from apps.payments.banking.case_types import BANK_PAYMENT, BANK_SEND
        from apps.payments.banking.desk import DESK
        from apps.payments.banking.jobs import JOBS
        from apps.payments.banking.rules.docs import build_rule_tables
        from apps.payments.banking.services.apply_chain_transfer_status import (
            apply_chain_transfer_status,
        )
        from apps.payments.banking.table_proofs import PROOFS
        from apps.payments.chain.purposes import PURPOSES, Purpose
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["settlement"]
        router.register("bank-webhook", viewsets.BankWebhookViewSet)
        router.register("bank/recipients", viewsets.BankRecipientViewSet)
        router.register("bank/send", viewsets.BankPaymentViewSet)
        router.register("bank/sends", viewsets.BankPaymentListViewSet)
        router.register("bank/accounts", viewsets.BankAccountViewSet)
        router.register("bank/transactions", viewsets.BankTransactionViewSet)
        router.register("manifest", viewsets.ManifestViewSet)
        router.register("bank/ach-authorize", viewsets.AchAuthorizationViewSet)

        # before any request: a bad key must stop the start, not the first delivery
        encryption.check_encryption_settings()

        register_jobs(JOBS)
        register_health_check("bank", health.check_health, health.WORDS)
        register_case_type(
            "bank_payment", BANK_PAYMENT, position=100, record_page=case_links.find_record_page
        )
        register_case_type(
            "bank_send", BANK_SEND, position=110, record_page=case_links.find_record_page
        )
        register_record_types(SAR_RECORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("banking", build_rule_tables, position=100)
        PURPOSES.register("bank", Purpose(notify=apply_chain_transfer_status))

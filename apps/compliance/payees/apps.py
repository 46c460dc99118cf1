"""Registration of wallets and Verification of Payee."""

from django.apps import AppConfig


class PayeesConfig(AppConfig):
    name = "apps.compliance.payees"
    label = "registry"  # of its tables, permissions and migrations
    verbose_name = "Registry"

    def ready(self) -> None:
        from apps.backoffice.review.case_types import register_case_type
        from apps.backoffice.sar.record_types import register_record_types
        from apps.compliance.payees.api import viewsets
        from apps.compliance.payees.case_links import SAR_RECORDS
        from apps.compliance.payees.case_types import REGISTRATION
        from apps.compliance.payees.desk import DESK
        from apps.compliance.payees.jobs import JOBS
        from apps.compliance.payees.rules.docs import build_rule_tables
        from apps.compliance.payees.search import payee_checks, registrations
        from apps.compliance.payees.table_proofs import PROOFS
        from apps.compliance.payees.wallet_panel_registry import WALLET_PANELS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["compliance"]
        router.register("register", viewsets.RegistrationViewSet)
        router.register("vop/lookup", viewsets.WalletLookupViewSet)
        router.register("lei", viewsets.LeiViewSet)
        router.register("vop/verify", viewsets.PayeeCheckViewSet)
        router.register("vop/history", viewsets.PayeeCheckHistoryViewSet)

        register_jobs(JOBS)
        register_case_type(
            "registration", REGISTRATION, position=20, record_page=registrations.find_record_page
        )
        register_record_types(SAR_RECORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("registry", build_rule_tables, position=10)
        WALLET_PANELS.register("payee_checks", payee_checks.build_wallet_panel)

from django.apps import AppConfig


class AmlConfig(AppConfig):
    name = "apps.compliance.aml"
    verbose_name = "AML"

    def ready(self) -> None:
        from apps.backoffice.review.case_types import register_case_type
        from apps.backoffice.sar.record_types import register_record_types
        from apps.compliance.aml import case_links
        from apps.compliance.aml.api import viewsets
        from apps.compliance.aml.case_links import SAR_RECORDS
        from apps.compliance.aml.case_types import AML
        from apps.compliance.aml.desk import DESK
        from apps.compliance.aml.rules.docs import build_rule_tables
        from apps.compliance.aml.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["compliance"]
        router.register("aml/screen", viewsets.AmlScreenViewSet)
        router.register("aml/profile", viewsets.WalletProfileViewSet)
        router.register("aml/events", viewsets.WalletEventsViewSet)
        register_case_type("aml", AML, position=30, record_page=case_links.find_record_page)
        register_record_types(SAR_RECORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("aml", build_rule_tables, position=40)

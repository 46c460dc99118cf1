from django.apps import AppConfig
from django.conf import settings


class TravelRuleConfig(AppConfig):
    name = "apps.payments.travelrule"
    verbose_name = "Travel rule"

    def ready(self) -> None:
        from apps.backoffice.review.case_types import register_case_type
        from apps.backoffice.sar.record_types import register_record_types
        from apps.payments.travelrule import case_links, encryption
        from apps.payments.travelrule.api import viewsets
        from apps.payments.travelrule.case_links import SAR_RECORDS
        from apps.payments.travelrule.case_types import TRAVEL_RULE
        from apps.payments.travelrule.desk import DESK
        from apps.payments.travelrule.jobs import JOBS
        from apps.payments.travelrule.proofs.stamping import authority
        from apps.payments.travelrule.rules.docs import build_rule_tables
        from apps.payments.travelrule.screening.case_types import TRAVEL_PARTY
        from apps.payments.travelrule.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["integration"]
        router.register("travel-rule", viewsets.TravelRuleViewSet)

        # the MCP server alone opens no record, and is given no keys
        if not settings.MCP_ALONE:
            encryption.check_encryption_settings()
        authority.check_timestamp_settings()

        register_jobs(JOBS)
        register_case_type(
            "travel_rule", TRAVEL_RULE, position=70, record_page=case_links.find_record_page
        )
        register_case_type(
            "travel_party", TRAVEL_PARTY, position=80, record_page=case_links.find_record_page
        )
        register_record_types(SAR_RECORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("travelrule", build_rule_tables, position=90)

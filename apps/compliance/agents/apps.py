from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "apps.compliance.agents"
    verbose_name = "Agents"

    def ready(self) -> None:
        from apps.backoffice.review.case_types import register_case_type
        from apps.backoffice.sar.record_types import register_record_types
        from apps.compliance.agents import case_links
        from apps.compliance.agents.api import viewsets
        from apps.compliance.agents.case_links import SAR_RECORDS
        from apps.compliance.agents.case_types import AGENT
        from apps.compliance.agents.desk import DESK
        from apps.compliance.agents.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.desk.entries import register_desk
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["compliance"]
        router.register("agent", viewsets.AgentViewSet)
        register_case_type("agent", AGENT, position=40, record_page=case_links.find_record_page)
        register_record_types(SAR_RECORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)

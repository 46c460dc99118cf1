"""Screening and re-screening."""

from django.apps import AppConfig


class ScreeningConfig(AppConfig):
    name = "apps.compliance.screening"

    def ready(self) -> None:
        from apps.backoffice.review.case_types import register_case_type
        from apps.backoffice.sar.record_types import register_record_types
        from apps.compliance.screening import health, search
        from apps.compliance.screening.api import viewsets
        from apps.compliance.screening.case_links import rescreens, screens
        from apps.compliance.screening.case_types.rescreens import RESCREEN
        from apps.compliance.screening.case_types.screens import SCREEN
        from apps.compliance.screening.desk import DESK
        from apps.compliance.screening.jobs import JOBS
        from apps.compliance.screening.rules import rescreening, threshold_effects
        from apps.compliance.screening.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["compliance"]
        router.register("compliance/screen", viewsets.ScreenViewSet)
        router.register("compliance/screens", viewsets.ScreenListViewSet)
        router.register("compliance/ubo-chain", viewsets.UboChainViewSet)
        router.register("compliance/pep-screen", viewsets.PepScreenViewSet)
        router.register("compliance/regulatory-calendar", viewsets.RegulatoryCalendarViewSet)

        register_jobs(JOBS)
        register_health_check("rescreening", health.check_rescreening, health.WORDS)
        register_case_type("screen", SCREEN, position=10, record_page=search.find_record_page)
        register_case_type("rescreen", RESCREEN, position=50)
        register_record_types(screens.SAR_RECORDS | rescreens.SAR_RECORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("rescreening", rescreening.build_rule_tables, position=120)
        RULE_TABLES.register("threshold_effects", threshold_effects.build_rule_tables, position=150)

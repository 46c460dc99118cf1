from django.apps import AppConfig


class WatchlistsConfig(AppConfig):
    name = "apps.reference.watchlists"
    verbose_name = "Lists"

    def ready(self) -> None:
        from apps.backoffice.sar.record_types import register_list_titles
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs
        from apps.reference.watchlists import checks, engine, health
        from apps.reference.watchlists.desk import DESK
        from apps.reference.watchlists.jobs import JOBS
        from apps.reference.watchlists.presenters.matches import TITLES
        from apps.reference.watchlists.table_proofs import PROOFS

        checks.register_checks()

        register_jobs(JOBS)
        register_health_check("lists", engine.check_lists_health, health.WORDS)
        register_list_titles(TITLES)
        register_table_proofs(PROOFS)
        register_desk(DESK)

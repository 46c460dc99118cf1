from django.apps import AppConfig


class SignalsConfig(AppConfig):
    name = "apps.reference.signals"
    verbose_name = "Figures and rates"

    def ready(self) -> None:
        from django.core.checks import register

        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs
        from apps.reference.signals import checks
        from apps.reference.signals.desk import DESK
        from apps.reference.signals.jobs import JOBS
        from apps.reference.signals.table_proofs import PROOFS

        register(checks.check_signal_tables)

        register_jobs(JOBS)
        register_table_proofs(PROOFS)
        register_desk(DESK)

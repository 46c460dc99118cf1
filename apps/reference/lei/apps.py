from django.apps import AppConfig


class LeiConfig(AppConfig):
    name = "apps.reference.lei"
    verbose_name = "Legal entities"

    def ready(self) -> None:
        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs
        from apps.reference.lei.desk import DESK
        from apps.reference.lei.jobs import JOBS
        from apps.reference.lei.table_proofs import PROOFS

        register_jobs(JOBS)
        register_table_proofs(PROOFS)
        register_desk(DESK)

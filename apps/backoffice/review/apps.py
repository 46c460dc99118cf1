from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "apps.backoffice.review"
    verbose_name = "Review"

    def ready(self) -> None:
        from apps.backoffice.review.desk import DESK
        from apps.backoffice.review.desk_hours import load_working_hours
        from apps.backoffice.review.jobs import JOBS
        from apps.backoffice.review.table_proofs import PROOFS
        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        load_working_hours()  # invalid settings stop the start, and not the first case

        register_jobs(JOBS)
        register_table_proofs(PROOFS)
        register_desk(DESK)

from django.apps import AppConfig


class OversightConfig(AppConfig):
    name = "apps.backoffice.oversight"
    verbose_name = "Oversight"

    def ready(self) -> None:
        from apps.backoffice.oversight.desk import DESK
        from apps.backoffice.oversight.jobs import JOBS
        from apps.backoffice.oversight.selectors import blind_look_exposure, second_look_history
        from apps.backoffice.oversight.table_proofs import PROOFS
        from apps.backoffice.review.second_looks import BLIND_CASES, SECOND_LOOKS
        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        register_jobs(JOBS)
        BLIND_CASES.register("oversight", blind_look_exposure.find_unjudged_cases)
        SECOND_LOOKS.register("oversight", second_look_history.load_second_look)
        register_table_proofs(PROOFS)
        register_desk(DESK)

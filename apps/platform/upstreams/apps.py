from django.apps import AppConfig


class UpstreamsConfig(AppConfig):
    name = "apps.platform.upstreams"
    verbose_name = "Upstreams"

    def ready(self) -> None:
        from apps.platform.desk.entries import register_desk
        from apps.platform.ledger.table_proofs import register_table_proofs
        from apps.platform.upstreams.desk import DESK
        from apps.platform.upstreams.table_proofs import PROOFS

        register_table_proofs(PROOFS)
        register_desk(DESK)

"""The proxy model behind the desk's page of due times: it has no rows of its own."""

from apps.backoffice.review.models.cases import Case


class Triage(Case):
    """Severity and due times of cases, as a page for senior officers."""

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = "due times"
        default_permissions = ("view",)

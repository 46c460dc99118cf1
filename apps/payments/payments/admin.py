"""Read-only pages of payments: the list, and one payment in full."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User

from apps.access.keys import tenant_names
from apps.payments.payments.case_links import STATE_LABELS
from apps.payments.payments.models import Payment
from apps.payments.payments.views import payment_list
from apps.payments.payments.views.payment_page import build_payment_context
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin


@admin.register(Payment)
class PaymentAdmin(RecordListAdmin):
    """Every payment in its current state, with its events."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=reference",)
    list_title = "Institutions’ payments"
    list_template = "payments/list.html"
    list_query = payment_list.PaymentListQuery
    record_template = "payments/payment.html"

    def build_page(self, query: payment_list.PaymentListQuery, user: User) -> ListPage:
        return payment_list.build_payment_page(query)

    def list_filters(self, query: payment_list.PaymentListQuery) -> list[ChoiceFilter]:
        return [
            ("state", "Any status", STATE_LABELS, query.state),
            (
                "owner",
                "Any institution",
                tenant_names.list_tenant_choices(query.owner),
                query.owner,
            ),
        ]

    def build_record_context(self, record: Payment, user: User) -> dict[str, Any]:
        return build_payment_context(payment=record, user=user)

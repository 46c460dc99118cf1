"""Payments to read: the list, and one payment whole."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User

from apps.access.keys import tenants
from apps.payments.payments.models import Payment
from apps.payments.payments.views import changelists
from apps.payments.payments.views import payment as page
from apps.payments.payments.views.case_links import STATE_LABELS
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin


@admin.register(Payment)
class PaymentAdmin(RecordListAdmin):
    """Every payment as it stands, with what happened to it."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=reference",)
    list_title = "Institutions’ payments"
    list_template = "payments/list.html"
    list_query = changelists.PaymentListQuery
    record_template = "payments/payment.html"

    def build_page(self, asked: changelists.PaymentListQuery, user: User) -> ListPage:
        return changelists.build_payment_page(asked)

    def list_filters(self, asked: changelists.PaymentListQuery) -> list[ChoiceFilter]:
        return [
            ("state", "Any status", STATE_LABELS, asked.state),
            ("owner", "Any institution", tenants.list_tenant_choices(asked.owner), asked.owner),
        ]

    def build_record_context(self, record: Payment, user: User) -> dict[str, Any]:
        return page.build_payment_context(payment=record, user=user)

"""The registrar's pages: the list, one registration whole, and the steps that append to it."""

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from apps.compliance.payees.forms import RegisterForm, UpgradeForm
from apps.compliance.payees.models import Registration
from apps.compliance.payees.problems import RegistrationRefused
from apps.compliance.payees.registration_requests import (
    DESK,
    RegistrationActor,
    RegistrationRequest,
    build_registration_request,
)
from apps.compliance.payees.selectors.registration_checks import gather_registration
from apps.compliance.payees.services import ownership_proof
from apps.compliance.payees.services.deactivation import deactivate_registration
from apps.compliance.payees.services.registrations import SubmissionResult, submit_registration
from apps.compliance.payees.views import registration_list, review_queue
from apps.compliance.payees.views.registration_page import build_registration_context
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.note_validation import find_note_fault
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin
from apps.platform.desk.view_guards import require_permission

READS = ("GET", "HEAD", "POST")
REASON_WITHHELD = (
    "A senior officer can see why. Do not try another spelling, and do not tell the client."
)


@admin.register(Registration)
class RegistrationAdmin(RecordListAdmin):
    """Registrations: made, upgraded and ended by steps; never edited, never removed."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=wallet",)
    list_title = "Registrations"
    list_template = "payees/list.html"
    list_query = registration_list.RegistrationListQuery
    record_template = "payees/registration.html"
    steps = ("upgrade", "deactivate")

    def get_urls(self) -> list[Any]:
        """Give the list, a registration's page and its steps; no others."""
        wrap, name = self.admin_site.admin_view, "registry_registration"
        register, prove = (
            require_http_methods(READS)(view) for view in (self.register, self.prove)
        )
        return [
            path("register/", wrap(register), name=f"{name}_register"),
            path("waiting/", self.page_view(self.waiting), name=f"{name}_waiting"),
            path("<id:pk>/prove/", wrap(prove), name=f"{name}_prove"),
            *super().get_urls(),
        ]

    def build_page(self, query: registration_list.RegistrationListQuery, user: User) -> ListPage:
        return registration_list.build_registration_page(query, now=now())

    def list_filters(self, query: registration_list.RegistrationListQuery) -> list[ChoiceFilter]:
        return [
            ("state", "Any state", registration_list.STATES, query.state),
            ("type", "Any type", registration_list.TYPES, query.type),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the registrations that the address asks for, fifty at a time."""
        may = request.user.has_perm("registry.register_wallet")
        return super().changelist_view(request, {"may_register": may})

    def build_record_context(self, record: Registration, user: User) -> dict[str, Any]:
        return build_registration_context(row=record, user=user, now=now())

    def waiting(self, request: HttpRequest) -> HttpResponse:
        """Show what waits, fifty at a time: registrations under review, LEIs not in force."""
        require_permission(request, "registry.view_registration")
        query, user = review_queue.QueueQuery.read(request.GET), cast(User, request.user)
        queue_context = review_queue.build_queue_context(query=query, user=user, now=now())
        return self.draw(request, "payees/waiting.html", queue_context)

    def register(self, request: HttpRequest) -> HttpResponse:
        """Ask who is behind a wallet, and register it as a client's call would."""
        require_permission(request, "registry.register_wallet")
        form = RegisterForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                submission_result = self._submit(
                    request, build_registration_request(**form.cleaned_data)
                )
            except RegistrationRefused as error:
                form.add_error(None, f"{error.detail} {REASON_WITHHELD}")
            except DomainError as error:
                form.add_error(None, error.detail)
            else:
                return self._redirect_with_result(request, submission_result)
        return self.draw(request, "payees/register.html", {"title": "Register", "form": form})

    def upgrade(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Add an LEI to a registration without one."""
        require_permission(request, "registry.register_wallet")
        # with the registered name: an upgrade adds an LEI and changes nothing else
        row = get_object_or_404(Registration.objects.active(), pk=pk)
        form = UpgradeForm(request.POST)
        if not form.is_valid():
            messages.error(request, " ".join(map(str, form.errors.get("lei", ()))))
            return _redirect_to_registration(pk)
        registration_request = build_registration_request(
            wallet_address=row.wallet,
            legal_name=row.legal_name,
            country=row.country,
            lei=form.cleaned_data["lei"],
        )
        try:
            return self._redirect_with_result(request, self._submit(request, registration_request))
        except DomainError as error:
            messages.error(request, error.detail)
            return _redirect_to_registration(pk)

    def prove(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a message for the wallet to sign, and record what it signed."""
        require_permission(request, "registry.register_wallet")
        row, shown = get_object_or_404(Registration, pk=pk), {"fault": ""}
        signature = request.POST.get("signature", "")
        by = cast(User, request.user)
        try:
            if request.method == "POST":
                try:
                    ownership_proof.record_ownership_proof(
                        registration=row, signature=signature, by=by, now=now()
                    )
                    messages.success(request, f"Ownership of {row.wallet} has been proved.")
                    return _redirect_to_registration(pk)
                except ownership_proof.OwnershipNotProved as error:
                    shown["fault"] = error.detail
            message = ownership_proof.build_ownership_challenge(registration=row, now=now())
        except ownership_proof.OwnershipNotProvable as error:
            messages.error(request, error.detail)
            return _redirect_to_registration(pk)
        shown |= {"title": "Ownership of the wallet", "message": message}
        return self.draw(request, "payees/prove.html", shown | {"row": row})

    def deactivate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Deactivate a wallet, with a sentence why."""
        require_permission(request, "registry.deactivate_wallet")
        row = get_object_or_404(Registration, pk=pk)
        reason = request.POST.get("reason", "").strip()
        if fault := find_note_fault(reason):
            messages.error(request, fault)
            return _redirect_to_registration(pk)
        try:
            who = RegistrationActor(DESK, cast(User, request.user))
            # by number too: the wallet may have been registered anew since the page was drawn
            deactivate_registration(wallet=row.wallet, who=who, now=now(), reason=reason, number=pk)
        except DomainError as error:
            messages.error(request, error.detail)
        else:
            text = f"stored-end-{pk}"
            messages.success(request, f"{row.wallet} has been deactivated.", extra_tags=text)
        return _redirect_to_registration(pk)

    def _submit(self, request: HttpRequest, wanted: RegistrationRequest) -> SubmissionResult:
        """Gather outside any transaction, then write; a refusal is committed, then raised."""
        moment = now()
        # may wait for GLEIF, so no transaction is open yet
        gathered = gather_registration(asked=wanted, now=moment)
        with transaction.atomic():
            who = RegistrationActor(DESK, cast(User, request.user))
            submission_result = submit_registration(
                asked=wanted, gathered=gathered, who=who, now=moment
            )
        # after the commit, so that the case or the entry in the SAR log is kept
        if submission_result.refused is not None:
            raise submission_result.refused
        return submission_result

    def _redirect_with_result(
        self, request: HttpRequest, submission_result: SubmissionResult
    ) -> HttpResponse:
        row = submission_result.registration
        if row is None:
            raise AssertionError("a submission that is not refused has a registration")
        text = {
            "REGISTER": "is registered",
            "UPGRADE": "has its LEI" if row.lei_waits else "is verified with GLEIF",
            "CHANGE": "is changed",
            "SAME": "is already registered with these details",
        }[submission_result.step]
        review = ", and an officer will review it" if row.under_review else ""
        messages.success(request, f"{row.legal_name} {text}{review}.")
        return _redirect_to_registration(row.pk)


def _redirect_to_registration(pk: int) -> HttpResponse:
    return HttpResponseRedirect(reverse("admin:registry_registration_change", args=[pk]))

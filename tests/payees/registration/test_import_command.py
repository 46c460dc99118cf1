"""manage.py import_wallets: the same import as the desk's, from a shell."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.compliance.payees.imports import line_outcomes, services
from apps.compliance.payees.models import Registration, RegistrationEvent, WalletImport
from apps.platform.common.clock import now
from apps.platform.jobs.models import Job
from tests.payees.registration.conftest import MICROSOFT
from tests.payees.registration.test_import import HEAD, row
from tests.review.people import OFFICER, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path, sample: Any) -> Path:
    person("ruth", "Registrar")
    found = tmp_path / "wallets.csv"
    lines = (HEAD, row(1, MICROSOFT), row(2), row(2), row(3), "0x12,Northwind,DE,,")
    found.write_text("\n".join(lines), encoding="utf-8")
    return found


def told(file: Path, *options: str, by: str = "ruth") -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("import_wallets", str(file), "--by", by, *options, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_a_dry_run_tells_what_would_come_of_it_and_registers_nothing(file: Path) -> None:
    said, _ = told(file, "--dry-run")
    assert "     3  Would be registered" in said
    assert "Line 4: Left out: twice in the file. Line 3 has this wallet." in said
    assert "Line 6: Cannot be submitted. walletAddress: This is not a wallet address." in said
    assert not Registration.objects.exists()


def test_the_same_file_without_dry_run_goes_on_from_there(file: Path) -> None:
    told(file, "--dry-run")
    said, progress = told(file)
    assert "     3  Registered" in said and "continues where it stopped" in progress
    assert Registration.objects.count() == 3 and WalletImport.objects.get().stage == "DONE"
    again, _ = told(file)
    assert again == said and RegistrationEvent.objects.count() == 3


def test_a_run_that_is_cut_off_goes_on_where_it_stopped_and_a_job_would(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = line_outcomes.submit_registration, iter((True, False))

    def dies(**given: Any) -> Any:
        found = real(**given)
        if not next(left):
            raise KeyboardInterrupt
        return found

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(line_outcomes, "submit_registration", dies)
        told(file)
    assert Registration.objects.count() == 1
    later = Job.objects.get(name=services.RUN)
    assert later.state == "PENDING" and later.eta > now()
    told(file)
    assert Registration.objects.count() == RegistrationEvent.objects.count() == 3


@pytest.mark.parametrize("by", ["olivia", "nobody"])
def test_only_a_registrar_answers_for_an_import(file: Path, by: str) -> None:
    person("olivia", OFFICER)
    with pytest.raises(CommandError, match="not a registrar"):
        told(file, by=by)
    assert not WalletImport.objects.exists()


def test_a_file_that_cannot_be_read_is_said_so(file: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        told(tmp_path / "missing.csv")
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="NUL"):
        told(file)

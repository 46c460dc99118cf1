"""Evidence: recorded once, corrected by a further row, refused when it is implausible."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from apps.insight.esg import evidence_figure_files, evidence_figures
from apps.insight.esg.models import Evidence
from tests.conftest import NOON
from tests.esg.conftest import APPLE, FRAPORT, figure, keep
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
HEAD = "subject,key,value,period,period_end,as_of,url,estimated\n"
LINE = f"{FRAPORT},ghg_scope1,1200.5,2025,2025-12-31,2026-03-01,https://a.example,yes\n"


def counted(key: str = "ghg_scope1") -> Any:
    current_figures = evidence_figures.load_current_figures(subjects=[FRAPORT], today=NOON.date())
    return current_figures.get(FRAPORT, {}).get(key)


def test_the_same_figure_is_kept_once() -> None:
    assert [keep(figure("ghg_scope1", "7")), keep(figure("ghg_scope1", "7"))] == [1, 0]


def test_a_correction_is_a_further_row_and_the_last_one_counts() -> None:
    keep(figure("ghg_scope1", "900"))
    keep(figure("ghg_scope1", "7"), now=NOON + timedelta(days=1))
    assert Evidence.objects.count() == 2 and counted().value == 7


@pytest.mark.parametrize("value", ["-1", "1e16", "NaN"])
def test_an_implausible_figure_is_refused_with_all_that_came_with_it(value: str) -> None:
    with pytest.raises(ValueError):
        keep(figure("ghg_scope2", "5"), figure("ghg_scope1", value))
    assert not Evidence.objects.exists()


def test_evidence_is_never_changed_nor_removed() -> None:
    keep(figure("ghg_scope1", "7"))
    for statement in ("UPDATE esg_evidence SET value = 1", "DELETE FROM esg_evidence"):
        with (
            pytest.raises(DatabaseError),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


@pytest.mark.parametrize(
    "alter",
    [
        "UPDATE esg_evidence SET value = 1",
        "UPDATE esg_evidence SET estimated = NOT estimated",
        "UPDATE esg_evidence SET period_end = '2026-01-01'",
        "UPDATE esg_evidence SET source = 'SEC'",
        "UPDATE esg_evidence SET subject = 'HWUPKR0MPOU8FGXBT394'",
        "UPDATE esg_evidence SET mac = ''",
    ],
)
def test_a_figure_that_was_altered_is_not_relied_on(alter: str) -> None:
    keep(figure("ghg_scope1", "7"))
    with without_triggers():
        sql(alter)
    with pytest.raises(evidence_figures.EvidenceIntegrityError):
        evidence_figures.load_current_figures(subjects=[FRAPORT, APPLE], today=NOON.date())


def test_a_figure_that_was_put_in_beside_ours_is_not_relied_on() -> None:
    keep(figure("ghg_scope1", "900"))
    names = ", ".join(field.column for field in Evidence._meta.fields if field.name != "id")
    of = names.replace("value", "1").replace("source", "'OTHER'")
    sql(f"INSERT INTO esg_evidence ({names}) SELECT {of} FROM esg_evidence")
    with pytest.raises(evidence_figures.EvidenceIntegrityError):
        counted()


def test_an_old_figure_does_not_count_and_a_later_one_counts_first() -> None:
    keep(figure("ghg_scope1", "7", period_end=date(2022, 12, 31)))
    assert counted() is None
    keep(figure("ghg_scope1", "8"), figure("ghg_scope1", "9", period_end=date(2024, 12, 31)))
    assert counted().value == 8


def test_the_figures_of_fifty_entities_are_one_query(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        evidence_figures.load_current_figures(
            subjects=[f"{number:020d}" for number in range(50)], today=NOON.date()
        )


def test_a_file_of_figures_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "figures.csv"
    path.write_text(HEAD + LINE)
    call_command("import_esg", str(path), source="vendor", verbosity=0)
    found = counted()
    assert (found.value, found.source, found.estimated) == (Decimal("1200.5"), "VENDOR", True)


@pytest.mark.parametrize(
    "text",
    [
        "subject,key\n",
        HEAD + LINE.replace("ghg_scope1", "nothing"),
        HEAD + LINE.replace(FRAPORT, "DE"),
        HEAD + LINE.replace("1200.5", "much"),
        HEAD + LINE.replace("2025-12-31", "2025-13-31"),
        HEAD + LINE.replace("https://a.example", "h" * 401),
    ],
)
def test_a_broken_file_keeps_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "figures.csv"
    path.write_text(text)
    with pytest.raises(CommandError):
        call_command("import_esg", str(path), source="VENDOR", verbosity=0)
    assert not Evidence.objects.exists()


def test_nobody_imports_as_the_sample_and_production_loads_none(
    tmp_path: Path, settings: Any
) -> None:
    with pytest.raises(CommandError):
        call_command("import_esg", str(tmp_path / "x.csv"), source="sample", verbosity=0)
    settings.PRODUCTION = True
    with pytest.raises(CommandError):
        call_command("load_sample_esg", verbosity=0)


def test_each_row_of_the_sample_names_its_origin_and_licence() -> None:
    head, *lines = evidence_figure_files.SAMPLE_FILE.read_text().splitlines()
    assert head.split(",")[6:8] == ["origin", "licence"]
    assert all("CC BY 4.0" in line or "US public record" in line for line in lines)
    assert len(
        evidence_figure_files.read_evidence_file(
            path=evidence_figure_files.SAMPLE_FILE, source="SAMPLE"
        )
    ) == len(lines)

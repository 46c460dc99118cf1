"""A run that is killed half way: nothing is lost, nothing doubled."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.screening.models.rescreens import Rescreen, Stage
from apps.reference.watchlists import engine

KILLED = """
import sys, time, django
django.setup()
from datetime import datetime, UTC
from pathlib import Path
from django.conf import settings
settings.VAR_DIR = Path(sys.argv[2])
settings.DATABASES["default"]["NAME"] = sys.argv[1]
from apps.compliance.screening import tasks
from apps.compliance.screening.rescreening import runner
from apps.reference.watchlists import engine
runner.BATCH = 2
judge = runner._open_cases_of_batch
def slowly(run, *rest):
    found = judge(run, *rest)
    print(run.party, flush=True)
    time.sleep(0.2)
    return found
runner._open_cases_of_batch = slowly
now = datetime.fromisoformat(sys.argv[3])
run = tasks._find_or_plan_run("house", now)
current = engine.load_current_engine(now, need=())
on = runner.prepare_run_context(engine=current, now=now, progress=lambda parties: None)
runner.continue_run(run=run, on=on, now=now)
"""


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_kill_9_half_way_loses_no_case_and_opens_none_twice(
    goes_live: Any, met: Any, rescreened: Any, own_folder: Path, noon: Any
) -> None:
    names = [f"Baltazar Quillfeather {letter * 5}ovsky" for letter in "bdfghjklmp"]
    met(*names, kind="registered", reference="registration:7")
    goes_live({str(n): name for n, name in enumerate(names)})
    name = str(connection.settings_dict["NAME"])
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, name, str(own_folder), noon.isoformat()],
        stdout=subprocess.PIPE,
        env={**os.environ},
    )
    assert process.stdout
    for _ in range(3):
        assert process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    half = Rescreen.objects.get()
    assert half.stage == Stage.MAIN and 2 <= half.verified < len(names)
    assert Case.objects.count() == half.opened == SarEntry.objects.count()
    engine.reset_engine()
    run = rescreened()
    assert run.pk == half.pk and run.stage == Stage.DONE
    assert Case.objects.count() == run.opened == SarEntry.objects.count() == len(names)
    assert set(Case.objects.values_list("party", flat=True)) == set(names)

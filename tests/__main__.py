"""./run test [--all | --rest | --nightly], or ./run test with pytest's arguments

Without arguments: all behaviour once, on SQLite, on every core, in minutes.

--all       that, then what takes longer: browsers, real processes and chains, journeys, generated
            clients, and PostgreSQL for what differs there
--rest      what --all adds, and CI runs after `./run test`
--nightly   what --all runs, the long forms of its longest tests, the whole suite on PostgreSQL with
            more examples, faults of servers

With arguments, pytest gets them as they are: `./run test tests/payees/vop -k alias`.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field

import psycopg
import pytest

# what is left out is said once, where no other stage runs it
SAY_LEFT_OUT = "--say-left-out"
QUICK = "not (browser or processes or strict or journeys or faults or slow or nightly)"
# schemathesis loads in seconds, and only the generated clients use it
PYTEST = (sys.executable, "-m", "pytest", "-p", "tests.progress")
WITHOUT_SCHEMATHESIS = ("-p", "no:schemathesis")
PARALLEL = ("-n", str(os.cpu_count() or 1), "--dist", "worksteal")


@dataclass(frozen=True, slots=True)
class Stage:
    """One run of pytest. `postgresql`: on a server that TEST_DATABASE_URL or .ci/postgres names."""

    title: str
    arguments: tuple[str, ...]
    postgresql: bool = False
    environment: dict[str, str] = field(default_factory=dict)


CHANGE = Stage("all behaviour, on SQLite", (*WITHOUT_SCHEMATHESIS, *PARALLEL, "-m", QUICK))
REST = (
    Stage(
        "browsers, real processes and chains, journeys, and what is slow",
        (
            *WITHOUT_SCHEMATHESIS,
            *PARALLEL,
            "-m",
            "(browser or slow or journeys or processes) and not (faults or nightly)",
        ),
    ),
    Stage(
        "what differs on PostgreSQL, and generated clients",
        (*PARALLEL, "-m", f"strict or (postgresql and not once and {QUICK})"),
        postgresql=True,
    ),
)
NIGHTLY = (
    Stage(
        "the long forms of tests that CI runs in a short one",
        (*WITHOUT_SCHEMATHESIS, *PARALLEL, "-m", "nightly and not faults"),
    ),
    Stage(
        "the whole suite on PostgreSQL, with more examples",
        (
            *PARALLEL,
            "-m",
            "strict or slow or (database and not (once or browser or journeys or faults))",
        ),
        postgresql=True,
        environment={"HYPOTHESIS_PROFILE": "nightly"},
    ),
    Stage("faults of servers, disks and clocks", (*WITHOUT_SCHEMATHESIS, "-m", "faults")),
)
RUNS = {
    (): (CHANGE,),
    ("--all",): (CHANGE, *REST),
    ("--rest",): REST,
    ("--nightly",): (CHANGE, *REST, *NIGHTLY),
}


def main(arguments: list[str]) -> int:
    """Run the stages that were asked for, all of them, and return 1 where one failed."""
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    stages = RUNS.get(tuple(arguments))
    if stages is None:
        return _run_pytest([SAY_LEFT_OUT, *_with_plugins(arguments)], dict(os.environ))
    failed = []
    for stage in stages:
        began = time.monotonic()
        print(f"— {stage.title}", flush=True)
        code = _run(stage, alone=len(stages) == 1)
        print(f"— {stage.title}: {(time.monotonic() - began) / 60:.1f} minutes", flush=True)
        if code == pytest.ExitCode.INTERRUPTED:
            return code
        if code != pytest.ExitCode.OK:
            failed.append(stage.title)
    for title in failed:
        print(f"FAILED: {title}")
    return 1 if failed else 0


def _with_plugins(arguments: list[str]) -> list[str]:
    """Leave schemathesis out where the tests that use it are not asked for."""
    wanted = any("strict" in argument or "strangers" in argument for argument in arguments)
    # a second -q would hide the verdict: pyproject.toml has one
    loud = [argument for argument in arguments if argument not in ("-q", "--quiet")]
    return loud if wanted else [*WITHOUT_SCHEMATHESIS, *loud]


def _run(stage: Stage, *, alone: bool) -> int:
    environment = os.environ | stage.environment
    if stage.postgresql:
        url = _postgresql_url()
        if not url:
            return pytest.ExitCode.USAGE_ERROR
        environment["DATABASE_URL"] = url
    said = [SAY_LEFT_OUT] if alone else []
    return _run_pytest(
        ["--durations=30", "--durations-min=1", *said, *stage.arguments], environment
    )


def _postgresql_url() -> str:
    """Return the address of a server that answers; say on stderr what is wrong, and return none."""
    process = subprocess.run([".ci/postgres"], stdout=subprocess.PIPE, text=True, check=False)
    url = process.stdout.strip()
    if process.returncode != 0:
        return ""
    try:
        psycopg.connect(url, connect_timeout=10).close()
    except psycopg.Error as error:
        reason = str(error).splitlines()[0]
        print(f"PostgreSQL cannot be reached ({reason}): see TEST_DATABASE_URL", file=sys.stderr)
        return ""
    return url


def _run_pytest(arguments: list[str], environment: dict[str, str]) -> int:
    with subprocess.Popen([*PYTEST, *arguments], env=environment) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # pytest got it as well: it ends its tests, tidies up and reports


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

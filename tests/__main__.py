"""./run test [--all | --rest | --nightly] [pytest's arguments]

Without arguments: all behaviour once, on SQLite, on every core, in minutes.

--all       that, then what takes longer: browsers, real processes and chains, generated clients,
            journeys, and PostgreSQL for what differs there
--rest      what CI runs after `./run test`: what --all adds but for the journeys
--nightly   what --all runs, the whole suite on PostgreSQL with more examples, faults of servers

With arguments, pytest gets them as they are: `./run test tests/vop -k alias`.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field

QUICK = "not (browser or processes or strict or journeys or faults or slow)"
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
        "browsers, real processes and chains, and what is slow",
        (*WITHOUT_SCHEMATHESIS, *PARALLEL, "-m", "browser or slow or (processes and not faults)"),
    ),
    Stage(
        "what differs on PostgreSQL, and generated clients",
        (*PARALLEL, "-m", f"strict or (postgresql and not once and {QUICK})"),
        postgresql=True,
    ),
)
JOURNEYS = Stage("journeys through the whole product", (*WITHOUT_SCHEMATHESIS, "-m", "journeys"))
NIGHTLY = (
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
    ("--all",): (CHANGE, *REST, JOURNEYS),
    ("--rest",): REST,
    ("--nightly",): (CHANGE, *REST, JOURNEYS, *NIGHTLY),
}


def main(arguments: list[str]) -> int:
    """Run the stages that were asked for, all of them, and return 1 where one failed."""
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    stages = RUNS.get(tuple(arguments))
    if stages is None:
        return subprocess.run([*PYTEST, *_with_plugins(arguments)], check=False).returncode
    failed = []
    for stage in stages:
        began = time.monotonic()
        print(f"— {stage.title}", flush=True)
        if _run(stage) != 0:
            failed.append(stage.title)
        print(f"— {stage.title}: {(time.monotonic() - began) / 60:.1f} minutes", flush=True)
    for title in failed:
        print(f"FAILED: {title}")
    return 1 if failed else 0


def _with_plugins(arguments: list[str]) -> list[str]:
    """Leave schemathesis out where the tests that use it are not asked for."""
    wanted = any("strict" in argument or "strangers" in argument for argument in arguments)
    return arguments if wanted else [*WITHOUT_SCHEMATHESIS, *arguments]


def _run(stage: Stage) -> int:
    environment = os.environ | stage.environment
    if stage.postgresql:
        url = subprocess.run([".ci/postgres"], check=True, capture_output=True, text=True)
        environment["DATABASE_URL"] = url.stdout.strip()
    command = [*PYTEST, "--durations=30", "--durations-min=1", *stage.arguments]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Apps register functions and classes: a module is named by a string only where a library asks."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOTTED = re.compile(r'"apps(\.[a-z_0-9]+)+(\.\w+)?"')

# who wants the string
NAMED = {
    "config/cluster.py": "django-q2: the broker",
    "config/framework.py": "Django and REST framework",
    "config/gunicorn.py": "gunicorn: the class of a worker",
    "config/supervise.py": "python -m",
    "config/urls.py": "Django: include()",
    "config/warm_up.py": "packages whose tables are read before a process is forked",
    "apps/access/keys/failed_sign_ins.py": "no module: the salt of a digest",
    "apps/backoffice/staff/sign_in_session.py": "Django: the backend that a session names",
    "apps/insight/esg/sources/__init__.py": "connectors, which import their table",
    "apps/platform/desk/site.py": "Django: the class of the admin site",
    "apps/platform/jobs/job_queue.py": "django-q2: the functions that tasks and schedules name",
}


def test_strings_name_modules_only_where_a_library_asks_for_them() -> None:
    files = [*ROOT.glob("apps/**/*.py"), *ROOT.glob("config/**/*.py")]
    found = {
        str(path.relative_to(ROOT))
        for path in files
        if path.name != "apps.py" and "migrations" not in path.parts
        if DOTTED.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(NAMED), "register it in apps.py, as a function or a class"

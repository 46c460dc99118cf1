#!/usr/bin/env python3
"""Django's command line for this project; what an operator can mend ends without a traceback.

Exit status: 1 when a command failed and says why, 2 when the settings or the arguments are
wrong, 141 when whoever read the output went away (as for a program that SIGPIPE ended).
"""

import os
import sys

REFUSED, MISCONFIGURED, READER_LEFT = 1, 2, 128 + 13


def main() -> int:
    """Run one command and return its exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db.utils import InterfaceError, OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except ImproperlyConfigured as error:
        return _say(MISCONFIGURED, f"The settings are not complete: {error}")
    except (InterfaceError, OperationalError, ProgrammingError) as error:
        why = str(error).strip()
        advice = "Is the server up, and was `./run manage migrate` run?"
        return _say(REFUSED, f"The database cannot be used: {why}\n{advice}")
    except BrokenPipeError:
        # what is still buffered goes nowhere, or the interpreter would complain at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_LEFT
    return 0


def _say(status: int, text: str) -> int:
    sys.stderr.write(f"{text}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())

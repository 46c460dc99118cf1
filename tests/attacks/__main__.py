"""./run attack [NAME [ARGS…]]: try to break the platform, and say where it did not hold.

Without a name the attacks are listed. Each says what it needs with `./run attack NAME --help`.
The exit status is 0 where the platform held.
"""

import importlib
import pkgutil
import sys
from types import ModuleType

import django

import tests.attacks


def attacks() -> dict[str, ModuleType]:
    """Return the modules that can be run, by the name that `./run attack` takes."""
    django.setup()  # some of them read models
    names = [module.name for module in pkgutil.iter_modules(tests.attacks.__path__)]
    modules = {
        name.replace("_", "-"): importlib.import_module(f"tests.attacks.{name}")
        for name in names
        if name != "__main__" and not name.startswith("test_")
    }
    return {name: module for name, module in modules.items() if hasattr(module, "main")}


def first_line(module: ModuleType) -> str:
    """Return what an attack tries, in a sentence."""
    return (module.__doc__ or "").partition("\n")[0]


def main(arguments: list[str]) -> int:
    """Run the attack that was named; 2 where there is none of that name."""
    known = attacks()
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(__doc__)
        for name, module in known.items():
            print(f"{name:14} {first_line(module)}")
        return 0
    name, *rest = arguments
    if name not in known:
        print(f"{name} is no attack; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    if rest and rest[0] in ("-h", "--help"):
        print(known[name].__doc__)
        return 0
    return int(known[name].main(rest))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

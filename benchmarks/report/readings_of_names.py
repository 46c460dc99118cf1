"""What the JSON of a command says as figures: innocents by culture, listed names by form. Pure."""

from collections.abc import Sequence

from benchmarks.report.figures import Bar, Chart, Reading, Stat, Table
from benchmarks.report.readings import Found, number, share, within

LOW = 20


def cultures(found: Found) -> Reading:
    """Read `./run bench cultures`: innocent names with a hit, by script and culture."""
    groups, goal = found["groups"], found["goal"]
    names = sum(group["names"] for group in groups)
    missed = sum(_misses_goal(group, goal) for group in groups)
    failed = sum(group["failed"] for group in groups)
    untold = [script for script in found["scripts"] if script["group"][-1] == "no type given"]
    rows = [_group_row("all: ", one) for one in untold]
    rows += [
        _group_row("", group)
        for group in groups
        if group["group"][-1] == "no type given" or _misses_goal(group, goal)
    ]
    bars = tuple(
        Bar(", ".join(one["group"]), 100 * one["look"],
            *(100 * end for end in one["look_interval"]), text=share(one["look"]))
        for one in untold
    )  # fmt: skip
    columns = ("names, and how they are submitted", "names", "stopped at 0.70", "95 % interval",
               "reviewed at 0.45", "95 % interval", "not fully read")  # fmt: skip
    return Reading(
        stats=(
            Stat("groups of a culture and script that miss the goal", missed,
                 f"{missed} of {len(groups)}",
                 f"goal: none above {share(goal['match'])} stopped or {share(goal['look'])} "
                 "reviewed", missed == 0),
            Stat("groups worse than their bound", failed, f"{failed}", "goal: none", failed == 0),
        ),
        table=Table(columns, tuple(rows)),
        chart=Chart("Innocent names that an officer reviews, by script", "percent of the names",
                    bars=bars),
        note=f"{names:,} screens against {found['listed_parties']:,} parties of OFAC and the UN; "
        "below the totals by script are the groups of each culture, those farthest from the goal "
        "first: submitted without a type, and with one where that misses the goal. Names that are "
        "identical to a listed party's are left out.",
    )  # fmt: skip


def _misses_goal(group: Found, goal: Found) -> bool:
    return bool(group["match"] > goal["match"] or group["look"] > goal["look"])


def _group_row(before: str, one: Found) -> tuple[str, ...]:
    unread = one["unread"] / one["names"] if one["names"] else 0.0
    return (
        before + ", ".join(one["group"]), f"{one['names']:,}", share(one["match"], 2),
        _within(one["match_interval"]), share(one["look"], 2), _within(one["look_interval"]),
        share(unread, 0),
    )  # fmt: skip


def namesakes(found: Found) -> Reading:
    """Read `./run bench namesakes`: AUC within the band of names that agree wholly."""
    seen, held_out = found["halves"]["in view"], found["halves"]["held out"]
    best, goal = held_out["auc"]["all facts"], found["goal"]
    rows = tuple(
        (title, number(row["value"]), within(*row["interval"]),
         number(seen["auc"][title]["value"]))
        for title, row in held_out["auc"].items()
    )  # fmt: skip
    bars = tuple(
        Bar(title, row["value"], *row["interval"], title not in found["peers"],
            number(row["value"]))
        for title, row in held_out["auc"].items()
    )  # fmt: skip
    columns = ("what is compared", "AUC, held out", "95 % interval", "AUC, in view")
    return Reading(
        stats=(
            Stat("AUC with birth date, nationality and address", best["value"],
                 f"{number(best['value'])} ({within(*best['interval'])})",
                 f"goal: at least {goal:.2f}", best["value"] >= goal),
            Stat("AUC of the name alone", held_out["auc"]["name alone"]["value"],
                 number(held_out["auc"]["name alone"]["value"])),
        ),
        table=Table(columns, rows),
        chart=Chart("One person ranked above two, names equal", "AUC", bars=bars, zero=0.5,
                    dots=True),
        note=f"Held out: {held_out['one_person']} pairs that are one person and "
        f"{held_out['two_people']} that are two; in view: {seen['one_person']} and "
        f"{seen['two_people']}. Each pair is screened both ways, without document numbers, which "
        "prove who is who. What the name alone gives above 0.5 is rarity, and aliases that a list "
        "calls weak. The run fails below a bound for all facts and for nationality.",
    )  # fmt: skip


def listed_forms(found: Found) -> Reading:
    """Read `./run bench listed_forms`: how often a listed party is found in each form."""
    forms = found["forms"]
    sought = sum(form["sought"] for form in forms.values())
    looked = sum(form["look"] * form["sought"] for form in forms.values()) / sought
    matched = sum(form["match"] * form["sought"] for form in forms.values()) / sought
    rows = tuple(
        (name, f"{one['sought']:,}", share(one["match"]), _within(one["match_interval"]),
         share(one["look"]), _within(one["look_interval"]), f"{one['hits']:.2f}")
        for name, one in forms.items()
    )  # fmt: skip
    worst = sorted(forms, key=lambda name: forms[name]["look"])[:LOW]
    bars = tuple(
        Bar(name, 100 * forms[name]["look"], *(100 * end for end in forms[name]["look_interval"]),
            text=share(forms[name]["look"]))
        for name in worst
    )  # fmt: skip
    columns = ("form", "parties", "found at 0.70", "95 % interval", "found at 0.45",
               "95 % interval", "hits a name at 0.45")  # fmt: skip
    return Reading(
        stats=(
            Stat("found at 0.70, all forms", matched, share(matched)),
            Stat("found at 0.45, all forms", looked, share(looked)),
        ),
        table=Table(columns, rows),
        chart=Chart("Forms in which fewest listed parties are found at 0.45", "percent",
                    bars=bars),
        note="The party itself must be found, not a namesake. Aliases and names in original script "
        "are withheld from the index that is searched.",
    )  # fmt: skip


def _within(ends: Sequence[float]) -> str:
    return " to ".join(share(end) for end in ends)

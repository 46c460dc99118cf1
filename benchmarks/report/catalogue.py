"""The figures of the report, a row each, in the order of the report."""

from benchmarks.report import readings, readings_of_names, readings_of_speed, readings_of_tests
from benchmarks.report.figures import OUT, Figure, Source

NAMES, MONEY, WORLD = "Names", "Money laundering", "Forecasts"
SPEED, FAULTS, TESTS = "Speed", "Faults", "Tests and the specification"

CURVES = Source(
    key="curves",
    words=("bench", "curves", "--json", OUT),
    quick=("bench", "curves", "--quick", "--json", OUT),
    needs=("lists/sanctions_ofac.csv", "matching/pairs_dev.csv"),
)
PEP = Source(
    key="pep",
    words=("bench", "pep", "--json", OUT),
    quick=("bench", "pep", "--quick", "--json", OUT),
    needs=("lists/pep/everypolitician_2015-11.csv", "matching/benign_persons_dev.csv"),
)
OFFICIAL_LISTS = ("lists/ofac_2022_01", "lists/un/un_consolidated_2026-02-27.xml")
CULTURES = Source(
    key="cultures",
    words=("bench", "cultures", "--json", OUT),
    quick=("bench", "cultures", "--quick", "--json", OUT),
    needs=OFFICIAL_LISTS,
    seconds=1800,
)
NAMESAKES = Source(
    key="namesakes",
    words=("bench", "namesakes", "--json", OUT),
    quick=("bench", "namesakes", "--quick", "--json", OUT),
    needs=OFFICIAL_LISTS,
)
LISTED_FORMS = Source(
    key="listed_forms",
    words=("bench", "listed_forms", "--json", OUT),
    quick=("bench", "listed_forms", "--quick", "--json", OUT),
    needs=OFFICIAL_LISTS,
    seconds=1800,
)
PAYEE = Source(
    key="payee",
    words=("bench", "payee", "--json", OUT),
    quick=("bench", "payee", "--json", OUT),
)
MUTANTS = Source(key="mutants", words=("mutants", "--list"), quick=("mutants", "--list"))
COVERAGE = Source(
    key="coverage",
    words=("bench", "coverage", "--json", OUT),
    quick=("bench", "coverage", "--json", OUT),
)
FAULTS_TOLD = Source(
    key="faults",
    words=("bench", "faults", "--json", OUT),
    quick=("bench", "faults", "--json", OUT),
    pages=("docs/reliability.md",),
    seconds=4 * 3600,
)
REGIMES = Source(
    key="regimes",
    words=("manage", "backtest_regimes", "--out", OUT),
    quick=("manage", "backtest_regimes", "--out", OUT),
    sandbox=True,
)


def _driven(name: str, *, requests: int, quick: bool = False) -> Source:
    """Return the benchmark that drives one endpoint beside its ceilings."""
    few = ("--requests", "200", "--rounds", "1")
    return Source(
        key=name,
        words=("bench", name, "--requests", f"{requests}", "--rounds", "3", "--json", OUT),
        quick=("bench", name, *few, "--json", OUT) if quick else None,
        sandbox=True,
        timed=True,
        seconds=1200,
    )


def _speed(
    name: str, title: str, means: str, *, requests: int, goal: float | None = None, **how: bool
) -> Figure:
    return Figure(
        key=f"speed.{name}",
        group=SPEED,
        title=title,
        unit="ratio of answers a second",
        means=means,
        source=_driven(name, requests=requests, **how),
        reads=readings_of_speed.ratio(goal),
    )


def _covered(name: str, kind: str, title: str, means: str) -> Figure:
    return Figure(
        key=f"coverage.{name}",
        group=TESTS,
        title=title,
        unit="rows of the specification",
        means=means,
        source=COVERAGE,
        reads=readings_of_tests.coverage(kind),
    )


def _replayed(name: str) -> Source:
    """Return the backtest of payments of one folder of labelled ones."""
    return Source(
        key=name,
        words=("manage", "aml_backtest", f"../shared/data/aml/{name}", "--json", OUT),
        needs=(f"aml/{name}",),
        seconds=1800,
    )


FIGURES: tuple[Figure, ...] = (
    Figure(
        key="matching.curve",
        group=NAMES,
        title="Sanctioned names: precision over recall",
        unit="share of labelled pairs",
        means="Whether two names of one party score higher than two names of different parties, "
        "compared with the obvious simple scorers.",
        source=CURVES,
        reads=readings.matching,
    ),
    Figure(
        key="matching.namesakes",
        group=NAMES,
        title="Names that agree wholly: one person or two",
        unit="AUC among pairs whose names agree wholly",
        means="Whether a listed person scores higher than a namesake, by what is known beside the "
        "name.",
        source=NAMESAKES,
        reads=readings_of_names.namesakes,
    ),
    Figure(
        key="innocents.sanctions",
        group=NAMES,
        title="Innocent names screened against the sanctions list",
        unit="share of names with any hit",
        means="How many people and companies that are on no list would be blocked or flagged for "
        "review.",
        source=CURVES,
        reads=readings.innocents,
    ),
    Figure(
        key="innocents.cultures",
        group=NAMES,
        title="Innocent names of the world's cultures and scripts",
        unit="share of names with any hit",
        means="How many people and companies of each culture, written in its own script or in "
        "Latin letters, would be blocked or flagged for review.",
        source=CULTURES,
        reads=readings_of_names.cultures,
    ),
    Figure(
        key="listed.forms",
        group=NAMES,
        title="Listed names in the forms that occur in payments",
        unit="share of listed parties",
        means="How many listed parties are found when their names are written in another script, "
        "spelling or length than on the list.",
        source=LISTED_FORMS,
        reads=readings_of_names.listed_forms,
    ),
    Figure(
        key="innocents.pep",
        group=NAMES,
        title="PEPs: true and false hits",
        unit="share of names",
        means="How many innocent names the PEP screen hits, and how many PEPs it finds.",
        source=PEP,
        reads=readings.pep,
    ),
    Figure(
        key="payee.bands",
        group=NAMES,
        title="Payees: match, close match or none",
        unit="share of labelled pairs",
        means="How many pairs of a submitted and a registered name get the band of their label "
        "(as expected), or that band or an equally acceptable one (as allowed).",
        source=PAYEE,
        reads=readings.payee_bands,
    ),
    Figure(
        key="payee.tiers",
        group=NAMES,
        title="Payees: scores within their tier",
        unit="pairs",
        means="How many pairs score within the bounds that their result requires.",
        source=PAYEE,
        reads=readings.payee_tiers,
    ),
    Figure(
        key="aml.amlsim",
        group=MONEY,
        title="Accounts of AMLSim's sample",
        unit="ranking measures, 0 to 1",
        means="How well accounts are ranked by risk on labelled simulated payments, which were "
        "consulted a few times while the rules were written.",
        source=_replayed("amlsim_20k"),
        reads=readings.aml,
    ),
    Figure(
        key="aml.typologies",
        group=MONEY,
        title="Accounts of several typologies",
        unit="ranking measures, 0 to 1",
        means="The same on payments generated with five typologies, which were used to improve "
        "the signals.",
        source=_replayed("multi_typology"),
        reads=readings.aml,
    ),
    Figure(
        key="regimes.skill",
        group=WORLD,
        title="Regimes predicted 30, 60 and 90 days ahead",
        unit="skill of the Brier score",
        means="Whether the predicted probabilities of the regimes are better than their base "
        "rates, than assuming no change, and than a plain Markov chain.",
        source=REGIMES,
        reads=readings.regimes,
    ),
    Figure(
        key="speed.matching",
        group=SPEED,
        title="Names looked up",
        unit="ratio of names a second",
        means="How many names are screened against the sanctions list in a second, compared with "
        "plain scans.",
        source=CURVES,
        reads=readings_of_speed.matchers,
    ),
    _speed(
        "screen",
        "Combined screens",
        "How a screen's rate compares with that of the same call without any lookup.",
        requests=400,
    ),
    _speed(
        "vop",
        "Payee checks",
        "How a payee check's rate compares with that of the same paid call without any lookup.",
        requests=300,
    ),
    _speed(
        "quote",
        "Quotes",
        "How a quote's rate compares with that of the same call without any computation.",
        requests=400,
        quick=True,
    ),
    _speed(
        "reliability",
        "Answers of the stability oracle",
        "How the rate of /reliability compares with that of the same call without reading a run.",
        requests=400,
    ),
    _speed(
        "intelligence",
        "Cached answers of the intelligence service",
        "How the rate of a cached answer compares with that of the same call without any lookup.",
        requests=400,
        goal=0.85,
    ),
    _speed(
        "settlement",
        "Flow checks",
        "How a flow check's rate compares with that of the same call without any lookup.",
        requests=400,
    ),
    _speed(
        "forecast",
        "Books of a thousand positions",
        "How a portfolio's rate compares with that of the same call without any calculation.",
        requests=60,
    ),
    Figure(
        key="faults.survived",
        group=FAULTS,
        title="Faults, and the tests that show they are survived",
        unit="faults",
        means="What a client sees and what is lost when something breaks, and whether a test in "
        "the tree shows it.",
        source=FAULTS_TOLD,
        reads=readings_of_tests.faults,
    ),
    _covered(
        "endpoints",
        "endpoint",
        "Endpoints of the specification",
        "How many of the endpoints that the specification names are served, and are named by a "
        "test.",
    ),
    _covered(
        "rules",
        "rule",
        "Rules of the specification",
        "How many rules of the specification's text have a test of their own in the tree.",
    ),
    _covered(
        "boundaries",
        "boundary",
        "Boundaries of the specification",
        "How many thresholds, limits and times of the specification have a test of their own.",
    ),
    _covered(
        "cited",
        "rule of the code",
        "Rules in the code that cite the specification",
        "How many rows of the printed rules are named by a test, as opposed to those that are "
        "tested only with their whole table and so not by name.",
    ),
    Figure(
        key="tests.mutants",
        group=TESTS,
        title="Deliberate bugs to test the tests",
        unit="bugs",
        means="How many bugs are ready to be planted one by one, to see that a test notices each "
        "(the report counts them and does not run them).",
        source=MUTANTS,
        reads=readings_of_tests.mutants,
    ),
)

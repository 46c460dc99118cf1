"""The figures of the report: a row each, in the order in which they are told."""

from benchmarks.report import readings, readings_of_tests
from benchmarks.report.figures import OUT, Figure, Source

NAMES, MONEY, WORLD = "Names", "Money laundering", "Forecasts"
TESTS = "Tests and the specification"

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
PAYEE = Source(
    key="payee",
    words=("bench", "payee", "--json", OUT),
    quick=("bench", "payee", "--json", OUT),
)
MUTANTS = Source(key="mutants", words=("mutants", "--list"), quick=("mutants", "--list"))
REGIMES = Source(
    key="regimes",
    words=("manage", "backtest_regimes", "--out", OUT),
    sandbox=True,
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
        means="Whether two names that mean one party score above two that do not, beside the "
        "scorers that one would write first.",
        source=CURVES,
        reads=readings.matching,
    ),
    Figure(
        key="innocents.sanctions",
        group=NAMES,
        title="Innocent names held against the sanctions list",
        unit="share of names with any hit",
        means="How many people and companies that are on no list would be stopped or looked at.",
        source=CURVES,
        reads=readings.innocents,
    ),
    Figure(
        key="innocents.pep",
        group=NAMES,
        title="Office holders: who is found and who is troubled",
        unit="share of names",
        means="How many innocent names the PEP screen hits, and how many office holders it finds.",
        source=PEP,
        reads=readings.pep,
    ),
    Figure(
        key="payee.bands",
        group=NAMES,
        title="Payees: match, close match or none",
        unit="share of labelled pairs",
        means="How many pairs of a submitted and a registered name get the band they were labelled "
        "with (as expected), or that or the one that is as good (as allowed).",
        source=PAYEE,
        reads=readings.payee_bands,
    ),
    Figure(
        key="payee.tiers",
        group=NAMES,
        title="Payees: scores in their tier",
        unit="pairs",
        means="How many pairs score within the bounds that their result needs.",
        source=PAYEE,
        reads=readings.payee_tiers,
    ),
    Figure(
        key="aml.amlsim",
        group=MONEY,
        title="Accounts of AMLSim's sample",
        unit="ranking measures, 0 to 1",
        means="How well accounts are ranked by risk on labelled simulated payments that the rules "
        "were hardly fitted to.",
        source=_replayed("amlsim_20k"),
        reads=readings.aml,
    ),
    Figure(
        key="aml.typologies",
        group=MONEY,
        title="Accounts of several typologies",
        unit="ranking measures, 0 to 1",
        means="The same on payments generated with five typologies, by which signals were mended.",
        source=_replayed("multi_typology"),
        reads=readings.aml,
    ),
    Figure(
        key="regimes.skill",
        group=WORLD,
        title="Regimes foretold 30, 60 and 90 days ahead",
        unit="skill of the Brier score",
        means="Whether the chances told of each regime are better than how often each was, than "
        "that all stays as it is, and than a plain Markov chain.",
        source=REGIMES,
        reads=readings.regimes,
    ),
    Figure(
        key="tests.mutants",
        group=TESTS,
        title="Deliberate bugs that the tests are tried by",
        unit="bugs",
        means="How many bugs stand ready to be put in one by one, to see that a test notices each "
        "(the report counts them and does not run them).",
        source=MUTANTS,
        reads=readings_of_tests.mutants,
    ),
)

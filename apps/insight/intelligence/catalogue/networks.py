"""Products on networks: the causal graph, and shocks that go through it."""

from datetime import timedelta

from apps.insight.intelligence import graph_editions
from apps.insight.intelligence.catalogue.product import WEB_INPUTS, MethodProse, Product, SeriesNeed
from apps.insight.intelligence.methods import (
    butterfly,
    causal_graph,
    contagion,
    mycelium,
    resonance,
    tectonic,
)
from apps.insight.intelligence.rules.currency_web import RATES
from apps.insight.intelligence.rules.layers import ROWS
from apps.insight.intelligence.rules.tectonic_faults import FAULTS, RELEASE_SERIES
from apps.insight.intelligence.serializers.networks import (
    ButterflyIn,
    ButterflyOut,
    CausalGraphOut,
    ContagionIn,
    ContagionOut,
    MyceliumOut,
    ResonanceOut,
    TectonicOut,
)
from config import prices

HOUR = timedelta(hours=1)
PAST_MONTHS_NOTE = (
    "Months of an input that has grown too old still tell of the past; one that was never observed "
    "gives its weight to the others of its layer."
)
GRAPH_FORMULA = (
    "Nodes: the seven layers by months, each the weighted mean of its inputs' places among all "
    "their months. Edge by theory: 0.5, 0.3 or 0.2 as a named work finds the channel "
    "(rules/layer_links.py). Edge by figures: target(t) = a + b·target(t-1) + c·source(t-lag); the "
    "partial correlation of c where it is positive and stands under Benjamini and Hochberg at 10 "
    "%, else 0. Part of the figures: n/(n + 120) by n pairs of months, none under 36."
)

PRODUCTS: tuple[Product, ...] = (
    Product(
        name="causal-graph",
        title="Causal graph of seven layers",
        about="Returns which layer of the economy moves the others most, and along which path.\n\n"
        "PRIOR is theory only; in BLENDING figures make up a part of the weights, in EMPIRICAL "
        "most of it. `evidence` says how many edges could be tested, and how many were found; "
        "`edition` is the newest on record; one is sealed each day.",
        price=prices.INTELLIGENCE_50,
        kept=timedelta(minutes=5),
        answers=CausalGraphOut,
        compute=causal_graph.compute_causal_graph,
        composites=ROWS,
        beside=graph_editions.load_newest_edition,
        version="3",
        heads={"Phase": "topology.phase", "Most-Influential": "topology.mostInfluential"},
        prose=MethodProse(
            missing=PAST_MONTHS_NOTE,
            measures="Which layer a shock must enter at to reach the others most.",
            formula=f"{GRAPH_FORMULA} Most influential: the largest sum of what a shock of "
            f"one adds to the "
            "others in six steps. Dominant path: of all simple paths of two edges or more from it, "
            "the largest product of weights. PRIOR under a mean part of 0.05, EMPIRICAL from 0.8.",
            window="All months from the composites' starts that have a value; places are of the "
            "whole window, so that an edge's past is seen with what came later.",
            blind="A regression finds what comes before, which may have a cause of its own "
            "(Granger's caveat); months that are missing; edges that theory does not name; changes "
            "of regime.",
            reference="Granger 1969, Econometrica 37(3); Benjamini and Hochberg 1995, JRSS B "
            "57(1); each edge names its own.",
        ),
    ),
    Product(
        name="butterfly",
        title="A shock through the causal graph",
        about="Follows a shock from the layer where it enters through the causal graph.\n\n"
        "`magnitude` is by how many points (0 to 100) it moves that layer's score. `impactScore` "
        "is the mean of what arrives at the layers; their contributions add up to it.",
        price=prices.INTELLIGENCE_75,
        kept=None,
        method="POST",
        asks=ButterflyIn,
        example={"node": "L2", "magnitude": 25},
        answers=ButterflyOut,
        compute=butterfly.compute_butterfly,
        composites=ROWS,
        version="3",
        heads={"Impact-Score": "impactScore", "Regime": "regime"},
        prose=MethodProse(
            missing=PAST_MONTHS_NOTE,
            measures="What a shock at one layer adds to the scores of all seven.",
            formula=f"{GRAPH_FORMULA} What arrives with step k is the shock times the k-th "
            f"power of the "
            "weights; six steps are summed, of each layer at most 100. CONTAINED under a mean of "
            "5, SPREADING under 15, BROAD under 30, else SYSTEMIC.",
            window="That of the causal graph; scores are those of the composites now.",
            blind="The graph is linear: a shock twice as large does twice as much, and thresholds "
            "are not seen. Steps have lags of one to six months each. See causal-graph for the "
            "rest.",
            reference="Katz 1953, Psychometrika 18(1); see causal-graph.",
        ),
    ),
    Product(
        name="contagion",
        title="A loss that is passed on",
        about="Follows a loss of a sovereign or of an institution to the sovereigns.\n\n"
        "`lossShare` is the share of its value that the origin loses. `contagionScore` is "
        "DebtRank in hundredths: what the others lose on average; the contributions add up to it. "
        "An institution is named by its LEI, with `countryShare`, its share of its country's "
        "foreign debt; its creditors are assumed to be distributed like those of its country.",
        price=prices.INTELLIGENCE_75,
        kept=None,
        method="POST",
        asks=ContagionIn,
        example={"origin": "US", "lossShare": 1},
        answers=ContagionOut,
        compute=contagion.compute_contagion,
        needs=tuple(SeriesNeed(series=name) for name in RATES),
        version="4",
        heads={"Contagion-Score": "contagionScore", "Regime": "regime"},
        prose=MethodProse(
            missing=WEB_INPUTS,
            measures="What share of their value eleven sovereigns lose where one of them, or an "
            "institution of one, loses some.",
            formula="DebtRank: who loses passes that on once, by the impact of one on another. "
            "Impact: the part of a currency's monthly moves, against the mean of all, that comes "
            "with the other's (generalised variance decomposition at a horizon of one: squared "
            "correlations over their sum). Who moves against another takes no loss of it. Each "
            "sovereign counts the same. An institution stands in the row of its country, by its "
            "LEI's legal address, or of EU where the money there is the euro: that node loses "
            "`lossShare` times `countryShare`.",
            window="The last 60 months that all currencies have.",
            blind="No claims of one on another are known: that currencies move together stands for "
            "them, and says not who lent to whom. Who lent to an institution is not public either: "
            "its creditors are assumed to be spread as its country's, which nothing here measures; "
            "its share is the caller's word, and what it "
            "owes at home is left out. The consolidated banking statistics of the BIS, which have "
            "claims of banking systems on countries, are not read yet. Pegs hide what they hold.",
            reference="Battiston, Puliga, Kaushik, Tasca and Caldarelli 2012, Scientific Reports "
            "2; Diebold and Yilmaz 2014, J. Econometrics 182(1); Pesaran and Shin 1998, Economics "
            "Letters 58(1).",
        ),
    ),
    Product(
        name="resonance",
        title="Resonance of markets",
        about="Returns how much of what markets do is one common movement.\n\n"
        "If few movements explain everything, a shock of one market is a shock of all. "
        "`resonanceScore` is the place of the absorption ratio among those of all windows; "
        "contributions add up to it.",
        price=prices.INTELLIGENCE_75,
        kept=3 * HOUR,
        answers=ResonanceOut,
        compute=resonance.compute_resonance,
        needs=tuple(SeriesNeed(series=name) for name in resonance.SERIES),
        heads={"Resonance-Score": "resonanceScore", "Regime": "regime"},
        version="3",
        prose=MethodProse(
            missing=WEB_INPUTS,
            measures="How tightly currencies and goods are coupled.",
            formula="Absorption ratio: the part of the variance of monthly logarithmic moves, each "
            "scaled to 1, that a fifth of the eigenvectors has. Score: 100·ECDF of the newest "
            "ratio among all. A series' contribution: its part of the variance that is absorbed.",
            window="60 months, moved on by a month, in the months that all series have.",
            blind="Which way markets will move. Coupling within a month. Shares and bonds, for "
            "which no public prices of ten years are had.",
            reference="Kritzman, Li, Page and Rigobon 2011, J. Portfolio Management 37(4).",
        ),
    ),
    Product(
        name="tectonic",
        title="Slow strain against its release",
        about="Returns what has built up over years while markets show no stress.\n\n"
        "`tectonicScore` is high if slow series have moved far and markets are calm; the "
        "contributions of the faults add up to it.",
        price=prices.INTELLIGENCE_75,
        kept=6 * HOUR,
        answers=TectonicOut,
        compute=tectonic.compute_tectonic,
        needs=(
            *(SeriesNeed(series=fault.series, weight=fault.weight) for fault in FAULTS),
            SeriesNeed(series=RELEASE_SERIES, required=True),
        ),
        heads={"Tectonic-Score": "tectonicScore", "Regime": "regime"},
        version="2",
        prose=MethodProse(
            measures="Strain that was not let go: debt, prices, gold, long rates, the renminbi.",
            formula="Strain of a fault: 100·ECDF of its change over five years. Release: 100·ECDF "
            "of the OFR Financial Stress Index. Score: mean strain times (100 - release)/100.",
            window="Expanding, from 1979 or where a series begins; changes over five years.",
            blind="When anything breaks, or whether it does. Places of five-year changes overlap, "
            "so that few of them are independent.",
            reference="Brunnermeier and Sannikov 2014, AER 104(2) (the paradox of volatility); "
            "each fault names its own.",
        ),
    ),
    Product(
        name="mycelium",
        title="The web of settlement and trade",
        about="Returns how strained the web of currencies and traded goods is, and what carries "
        "it.\n\n"
        "`myceliumScore` is the strain of the nodes, each weighted by how central it is; `hub` is "
        "the most central one. Only public figures are used, and none of a customer.",
        price=prices.INTELLIGENCE_75,
        kept=6 * HOUR,
        answers=MyceliumOut,
        compute=mycelium.compute_mycelium,
        needs=tuple(SeriesNeed(series=name) for name in mycelium.SERIES),
        heads={"Mycelium-Score": "myceliumScore", "Regime": "regime"},
        version="3",
        prose=MethodProse(
            missing=WEB_INPUTS,
            measures="Strain in the network through which money and goods go.",
            formula="Links: the part of a node's monthly moves that comes with another's (see "
            "contagion). Centrality: the first eigenvector of links both ways. Strain of a node: "
            "100·ECDF of the size of its newest monthly move. Score: strains weighed by "
            "centrality.",
            window="Links: the last 60 months that all have; strains: expanding, from 1979 or "
            "where a series begins.",
            blind="Payments themselves: of these only aggregates that others publish could be "
            "used, and none comes monthly. Moves stand for them. The euro is the measure of rates "
            "here, and so no node.",
            reference="Bonacich 1987, AJS 92(5); Diebold and Yilmaz 2014, J. Econometrics 182(1).",
        ),
    ),
)

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
    "An input that has become too old still contributes its past months; one never observed gives "
    "its weight to the others of its layer."
)
GRAPH_FORMULA = (
    "Nodes: the seven layers by month, each the weighted mean of its inputs' percentiles among "
    "all their months. Edge by theory: 0.5, 0.3 or 0.2, as a cited work finds the channel "
    "(rules/layer_links.py). Edge by data: target(t) = a + b·target(t-1) + c·source(t-lag); the "
    "partial correlation of c if it is positive and significant under Benjamini and Hochberg at "
    "10 %, else 0. Weight of the data: n/(n + 120) for n pairs of months; 0 under 36 pairs."
)

PRODUCTS: tuple[Product, ...] = (
    Product(
        name="causal-graph",
        title="Causal graph of seven layers",
        about="Returns which layer of the economy moves the others most, and along which path.\n\n"
        "PRIOR rests on theory only; in BLENDING data contribute a part of the weights, in "
        "EMPIRICAL most of them. `evidence` says how many edges could be tested, and how many "
        "were found; `edition` is the newest on record; one is sealed each day.",
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
            measures="Where a shock has to enter to reach the other layers most.",
            formula=f"{GRAPH_FORMULA} Most influential: the layer whose shock adds the largest "
            "sum to the others in six steps. Dominant path: the largest product of weights among "
            "all simple paths of two edges or more from that layer. PRIOR if the mean weight of "
            "the data is under 0.05, EMPIRICAL from 0.8.",
            window="All months with a value since the composites' starts. Percentiles are of the "
            "whole window, so past months are ranked with later ones.",
            blind="Common causes: a regression finds what comes first, and both may have a third "
            "cause (Granger's caveat). Missing months, edges that theory does not name, and "
            "changes of regime.",
            reference="Granger 1969, Econometrica 37(3); Benjamini and Hochberg 1995, JRSS B "
            "57(1); each edge names its own.",
        ),
    ),
    Product(
        name="butterfly",
        title="A shock through the causal graph",
        about="Follows a shock through the causal graph from the layer where it enters.\n\n"
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
            formula=f"{GRAPH_FORMULA} The impact in step k is the shock times the k-th power of "
            "the weights; six steps are summed, up to 100 per layer. CONTAINED under a mean of 5, "
            "SPREADING under 15, BROAD under 30, else SYSTEMIC.",
            window="As in causal-graph; scores are the current ones of the composites.",
            blind="Thresholds: the graph is linear, so a shock twice as large has twice the "
            "effect. Each step has a lag of one to six months. For the rest, see causal-graph.",
            reference="Katz 1953, Psychometrika 18(1); see causal-graph.",
        ),
    ),
    Product(
        name="contagion",
        title="Contagion of a loss",
        about="Follows a loss of a sovereign or of an institution to other sovereigns.\n\n"
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
            measures="The share of their value that eleven sovereigns lose if one of them, or an "
            "institution in one, has a loss.",
            formula="DebtRank: each node passes its loss on once, by the impact of one node on "
            "another. Impact: the part of a currency's monthly moves, against the mean of all, "
            "explained by the other's (generalised variance decomposition at a horizon of one: "
            "squared correlations over their sum). A currency that moves against another takes no "
            "loss from it. Sovereigns weigh the same. An institution enters at the node of its "
            "country, by its LEI's legal address, or at EU for euro countries: that node loses "
            "`lossShare` times `countryShare`.",
            window="The last 60 months for which all currencies have values.",
            blind="Actual claims: co-movement of currencies stands in for them and does not say "
            "who lent to whom. An institution's lenders are not public: its creditors are assumed "
            "to be distributed like those of its country, which is not measured; its share is the "
            "caller's statement, and its domestic debt is left out. The BIS consolidated banking "
            "statistics, which have banking systems' claims on countries, are not read yet. Pegs "
            "hide the moves that they suppress.",
            reference="Battiston, Puliga, Kaushik, Tasca and Caldarelli 2012, Scientific Reports "
            "2; Diebold and Yilmaz 2014, J. Econometrics 182(1); Pesaran and Shin 1998, Economics "
            "Letters 58(1).",
        ),
    ),
    Product(
        name="resonance",
        title="Market resonance",
        about="Returns how much of the movement of markets is common.\n\n"
        "If a few common movements explain most of the variance, a shock to one market is a shock "
        "to all. `resonanceScore` is the percentile of the absorption ratio among those of all "
        "windows; contributions add up to it.",
        price=prices.INTELLIGENCE_75,
        kept=3 * HOUR,
        answers=ResonanceOut,
        compute=resonance.compute_resonance,
        needs=tuple(SeriesNeed(series=name) for name in resonance.SERIES),
        heads={"Resonance-Score": "resonanceScore", "Regime": "regime"},
        version="3",
        prose=MethodProse(
            missing=WEB_INPUTS,
            measures="How tightly currencies and commodities are coupled.",
            formula="Absorption ratio: the part of the variance of monthly logarithmic moves, "
            "each scaled to 1, that a fifth of the eigenvectors explain. Score: 100·ECDF of the "
            "newest ratio among all. A series' contribution: its part of the absorbed variance.",
            window="Rolling 60 months, in steps of one month, over the months for which all "
            "series have values.",
            blind="The direction of markets; coupling within a month; shares and bonds, for which "
            "no public prices of ten years are available.",
            reference="Kritzman, Li, Page and Rigobon 2011, J. Portfolio Management 37(4).",
        ),
    ),
    Product(
        name="tectonic",
        title="Accumulated strain",
        about="Returns the strain that has built up over years while markets show no stress.\n\n"
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
            measures="Strain that has not been released: debt, prices, gold, long-term rates, the "
            "renminbi.",
            formula="Strain of a fault: 100·ECDF of its change over five years. Release: 100·ECDF "
            "of the OFR Financial Stress Index. Score: mean strain times (100 - release)/100.",
            window="Expanding, from 1979 or the start of a series; changes over five years.",
            blind="Whether and when anything breaks. Five-year changes overlap, so few of the "
            "ranked values are independent.",
            reference="Brunnermeier and Sannikov 2014, AER 104(2) (the paradox of volatility); "
            "each fault names its own.",
        ),
    ),
    Product(
        name="mycelium",
        title="The network of currencies and trade",
        about="Returns how strained the network of currencies and traded goods is, and which node "
        "is central.\n\n"
        "`myceliumScore` is the strain of the nodes, each weighted by its centrality; `hub` is "
        "the most central node. Only public figures are used; no customer data.",
        price=prices.INTELLIGENCE_75,
        kept=6 * HOUR,
        answers=MyceliumOut,
        compute=mycelium.compute_mycelium,
        needs=tuple(SeriesNeed(series=name) for name in mycelium.SERIES),
        heads={"Mycelium-Score": "myceliumScore", "Regime": "regime"},
        version="3",
        prose=MethodProse(
            missing=WEB_INPUTS,
            measures="Strain in the network of currencies and traded goods.",
            formula="Links: the part of a node's monthly moves explained by another's (see "
            "contagion). Centrality: the first eigenvector of the links in both directions. "
            "Strain of a node: 100·ECDF of the size of its newest monthly move. Score: mean "
            "strain weighted by centrality.",
            window="Links: the last 60 months for which all series have values. Strains: "
            "expanding, from 1979 or the start of a series.",
            blind="Payments themselves: only published aggregates could be used, and none is "
            "monthly, so price moves stand in for them. The euro is the base of the rates here "
            "and therefore not a node.",
            reference="Bonacich 1987, AJS 92(5); Diebold and Yilmaz 2014, J. Econometrics 182(1).",
        ),
    ),
)

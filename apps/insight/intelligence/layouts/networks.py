"""Layouts of products on networks."""

from apps.insight.intelligence.layouts.layout import (
    Layout,
    LayoutBars,
    LayoutFact,
    LayoutTable,
    TableColumn,
)

LAYOUTS = {
    "causal-graph": Layout(
        label="The layer that moves the others most",
        headline="topology.mostInfluential",
        form="plain",
        scale="{topology.mostInfluential:layer}",
        regime="topology.phase",
        story="{topology.description}",
        facts=(
            LayoutFact("Edges", "evidence.edges"),
            LayoutFact("Tested on figures", "evidence.tested"),
            LayoutFact("Found", "evidence.found"),
            LayoutFact("Contradicted", "evidence.contradicted"),
            LayoutFact("Part of figures in the weights", "evidence.empiricalShare", "share"),
            LayoutFact("Months", "evidence.months"),
        ),
        bars=(
            LayoutBars(
                path="components", title="Layers", name="{node} {name}", adds="", ranked=False
            ),
        ),
    ),
    "butterfly": Layout(
        label="What arrives at seven layers on average",
        headline="impactScore",
        scale="points of 100",
        story="The example here: a shock of {shock.magnitude:number} points enters "
        "at {shock.node}, {shock.name}. In six steps it adds {impactScore:number} points to the "
        "layers on average.",
        facts=(
            LayoutFact("Strongest way", "dominantPath"),
            LayoutFact("Phase of the graph", "phase"),
        ),
        bars=(
            LayoutBars(
                path="effects",
                name="{layer} {name}",
                title="What arrives at each layer",
                adds="effect",
                head="Points",
                ranked=False,
            ),
        ),
        tables=(
            LayoutTable(
                title="Layers before and after",
                path="effects",
                name="{layer} {name}",
                head="Layer",
                columns=(
                    TableColumn("Before", "score", "score"),
                    TableColumn("After", "scoreAfter", "score"),
                    TableColumn("State after", "statusAfter", "code"),
                    TableColumn("Part of the headline", "contribution", "number"),
                ),
            ),
            LayoutTable(
                title="Step by step",
                path="steps",
                name="Step {step}",
                head="Step",
                columns=(TableColumn("Points that arrive, all layers", "arrives", "number"),),
            ),
        ),
    ),
    "contagion": Layout(
        label="What the others lose on average",
        headline="contagionScore",
        scale="per cent",
        story="The example here: {originSovereign:country} loses {originLoss:share} "
        "of its value. The others lose {contagionScore:number}\N{NO-BREAK SPACE}% of theirs on "
        "average, in {rounds} rounds. Links are those of {windowMonths} months that ended in "
        "{windowEnds:month}.",
        bars=(
            LayoutBars(
                path="components",
                name="{sovereign:country}",
                title="What each loses",
                adds="value",
                head="Loses",
                form="share",
            ),
        ),
        facts=(LayoutFact("Rounds", "rounds"), LayoutFact("Window, months", "windowMonths")),
    ),
    "resonance": Layout(
        label="How tightly markets are coupled, among all windows",
        headline="resonanceScore",
        facts=(
            LayoutFact("Absorbed by few movements", "absorptionRatio", "share"),
            LayoutFact("Shift, standard deviations", "standardisedShift", "number"),
            LayoutFact("Movements", "eigenvectors"),
            LayoutFact("Windows compared", "ratios"),
        ),
        bars=(LayoutBars(path="components"),),
    ),
    "tectonic": Layout(
        label="Slow strain while markets are calm",
        headline="tectonicScore",
        facts=(
            LayoutFact("Strain, of 100", "strain", "score"),
            LayoutFact("Release, of 100", "release", "score"),
            LayoutFact("Moves over years", "years"),
        ),
        bars=(LayoutBars(path="components", name="{fault:words}"),),
        tables=(
            LayoutTable(
                title="Faults",
                path="components",
                name="{fault:words}",
                head="Fault",
                columns=(
                    TableColumn("Why", "why"),
                    TableColumn("Told by", "series", "title"),
                    TableColumn("Reference", "reference"),
                ),
            ),
        ),
    ),
    "mycelium": Layout(
        label="Strain of the web of settlement and trade",
        headline="myceliumScore",
        facts=(
            LayoutFact("Hub", "hub", "title"),
            LayoutFact("Concentration", "concentration", "number"),
            LayoutFact("Connectedness", "connectedness", "share"),
        ),
        bars=(LayoutBars(path="components"),),
    ),
}

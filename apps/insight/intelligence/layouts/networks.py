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
            LayoutFact("Tested on data", "evidence.tested"),
            LayoutFact("Found", "evidence.found"),
            LayoutFact("Contradicted", "evidence.contradicted"),
            LayoutFact("Share of data in the weights", "evidence.empiricalShare", "share"),
            LayoutFact("Months", "evidence.months"),
        ),
        bars=(
            LayoutBars(
                path="components", title="Layers", name="{node} {name}", adds="", ranked=False
            ),
        ),
    ),
    "butterfly": Layout(
        label="Average impact on seven layers",
        headline="impactScore",
        scale="points of 100",
        story="Example: a shock of {shock.magnitude:number} points enters at {shock.node}, "
        "{shock.name}. In six steps it adds {impactScore:number} points to the layers on average.",
        facts=(
            LayoutFact("Strongest path", "dominantPath"),
            LayoutFact("Phase of the graph", "phase"),
        ),
        bars=(
            LayoutBars(
                path="effects",
                name="{layer} {name}",
                title="Impact on each layer",
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
                    TableColumn("Contribution", "contribution", "number"),
                ),
            ),
            LayoutTable(
                title="Step by step",
                path="steps",
                name="Step {step}",
                head="Step",
                columns=(TableColumn("Points, all layers", "arrives", "number"),),
            ),
        ),
    ),
    "contagion": Layout(
        label="Average loss of the others",
        headline="contagionScore",
        scale="per cent",
        story="Example: {originSovereign:country} loses {originLoss:share} of its value. The "
        "others lose {contagionScore:number}\N{NO-BREAK SPACE}% of theirs on average, in {rounds} "
        "rounds. Links are measured over the {windowMonths} months to {windowEnds:month}.",
        bars=(
            LayoutBars(
                path="components",
                name="{sovereign:country}",
                title="Loss of each sovereign",
                adds="value",
                head="Loses",
                form="share",
            ),
        ),
        facts=(LayoutFact("Rounds", "rounds"), LayoutFact("Window, months", "windowMonths")),
    ),
    "resonance": Layout(
        label="How tightly markets are coupled, ranked among all windows",
        headline="resonanceScore",
        facts=(
            LayoutFact("Variance in common movements", "absorptionRatio", "share"),
            LayoutFact("Shift, standard deviations", "standardisedShift", "number"),
            LayoutFact("Common movements", "eigenvectors"),
            LayoutFact("Windows compared", "ratios"),
        ),
        bars=(LayoutBars(path="components"),),
    ),
    "tectonic": Layout(
        label="Accumulated strain while markets are calm",
        headline="tectonicScore",
        facts=(
            LayoutFact("Strain, of 100", "strain", "score"),
            LayoutFact("Release, of 100", "release", "score"),
            LayoutFact("Years of change measured", "years"),
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
                    TableColumn("Series", "series", "title"),
                    TableColumn("Reference", "reference"),
                ),
            ),
        ),
    ),
    "mycelium": Layout(
        label="Strain of the network of currencies and trade",
        headline="myceliumScore",
        facts=(
            LayoutFact("Hub", "hub", "title"),
            LayoutFact("Concentration", "concentration", "number"),
            LayoutFact("Connectedness", "connectedness", "share"),
        ),
        bars=(LayoutBars(path="components"),),
    ),
}

"""Layouts of products on networks."""

from apps.intelligence.layouts.shape import Bars, Column, Fact, Layout, Table

LAYOUTS = {
    "causal-graph": Layout(
        label="The layer that moves the others most",
        headline="topology.mostInfluential",
        form="plain",
        scale="{topology.mostInfluential:layer}",
        regime="topology.phase",
        story="{topology.description}",
        facts=(
            Fact("Edges", "evidence.edges"),
            Fact("Tested on figures", "evidence.tested"),
            Fact("Found", "evidence.found"),
            Fact("Contradicted", "evidence.contradicted"),
            Fact("Part of figures in the weights", "evidence.empiricalShare", "share"),
            Fact("Months", "evidence.months"),
        ),
        bars=(
            Bars(path="components", title="Layers", name="{node} {name}", adds="", ranked=False),
        ),
    ),
    "butterfly": Layout(
        label="What arrives at seven layers on average",
        headline="impactScore",
        scale="points of 100",
        story="The example that is asked here: a shock of {shock.magnitude:number} points enters "
        "at {shock.node}, {shock.name}. In six steps it adds {impactScore:number} points to the "
        "layers on average.",
        facts=(Fact("Strongest way", "dominantPath"), Fact("Phase of the graph", "phase")),
        bars=(
            Bars(
                path="effects",
                name="{layer} {name}",
                title="What arrives at each layer",
                adds="effect",
                head="Points",
                ranked=False,
            ),
        ),
        tables=(
            Table(
                title="Layers before and after",
                path="effects",
                name="{layer} {name}",
                head="Layer",
                columns=(
                    Column("Before", "score", "score"),
                    Column("After", "scoreAfter", "score"),
                    Column("State after", "statusAfter", "code"),
                    Column("Part of the headline", "contribution", "number"),
                ),
            ),
            Table(
                title="Step by step",
                path="steps",
                name="Step {step}",
                head="Step",
                columns=(Column("Points that arrive, all layers", "arrives", "number"),),
            ),
        ),
    ),
    "contagion": Layout(
        label="What the others lose on average",
        headline="contagionScore",
        scale="per cent",
        story="The example that is asked here: {originSovereign:country} loses {originLoss:share} "
        "of its value. The others lose {contagionScore:number}\N{NO-BREAK SPACE}% of theirs on "
        "average, in {rounds} rounds. Links are those of {windowMonths} months that ended in "
        "{windowEnds:month}.",
        bars=(
            Bars(
                path="components",
                name="{sovereign:country}",
                title="What each loses",
                adds="value",
                head="Loses",
                form="share",
            ),
        ),
        facts=(Fact("Rounds", "rounds"), Fact("Window, months", "windowMonths")),
    ),
    "resonance": Layout(
        label="How tightly markets are coupled, among all windows",
        headline="resonanceScore",
        facts=(
            Fact("Absorbed by few movements", "absorptionRatio", "share"),
            Fact("Shift, standard deviations", "standardisedShift", "number"),
            Fact("Movements", "eigenvectors"),
            Fact("Windows compared", "ratios"),
        ),
        bars=(Bars(path="components"),),
    ),
    "tectonic": Layout(
        label="Slow strain while markets are calm",
        headline="tectonicScore",
        facts=(
            Fact("Strain, of 100", "strain", "score"),
            Fact("Release, of 100", "release", "score"),
            Fact("Moves over years", "years"),
        ),
        bars=(Bars(path="components", name="{fault:words}"),),
        tables=(
            Table(
                title="Faults",
                path="components",
                name="{fault:words}",
                head="Fault",
                columns=(
                    Column("Why", "why"),
                    Column("Told by", "series", "title"),
                    Column("Reference", "reference"),
                ),
            ),
        ),
    ),
    "mycelium": Layout(
        label="Strain of the web of settlement and trade",
        headline="myceliumScore",
        facts=(
            Fact("Hub", "hub", "title"),
            Fact("Concentration", "concentration", "number"),
            Fact("Connectedness", "connectedness", "share"),
        ),
        bars=(Bars(path="components"),),
    ),
}

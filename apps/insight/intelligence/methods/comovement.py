"""How currencies and goods move together: monthly moves, and the network that they imply."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.insight.intelligence.method_inputs import MethodInputs
from apps.insight.intelligence.methods.monthly_values import Floats, last_value_by_month
from apps.reference.signals.quality import TooFewInputs, describe_short_history

# fewest months of changes from which co-movement is measured
LEAST_MONTHS_OF_MOVES = 36


@dataclass(frozen=True, slots=True)
class MonthlyMoves:
    """Logarithmic moves by months: a row for each of `months`, a column for each of `names`."""

    names: tuple[str, ...]
    months: tuple[int, ...]
    values: Floats


def align_monthly_moves(
    histories: Mapping[str, Mapping[int, float]], extra: Sequence[str] = ()
) -> MonthlyMoves:
    """Return the moves of series in the months for which all have one, by name.

    `extra` names constant series, such as the base currency. Raises TooFewInputs with fewer than 36
    common months.
    """
    names = sorted([*histories, *extra])
    common = (
        set.intersection(*(set(history) for history in histories.values())) if histories else set()
    )
    months = tuple(sorted(month for month in common if month - 1 in common))
    if len(months) < LEAST_MONTHS_OF_MOVES:
        short_history = describe_short_history(len(months), of=LEAST_MONTHS_OF_MOVES)
        raise TooFewInputs(f"Common {short_history}: {', '.join(names)}.")
    columns = [_log_changes(histories.get(name), months) for name in names]
    return MonthlyMoves(tuple(names), months, np.array(columns).T)


def _log_changes(history: Mapping[int, float] | None, months: Sequence[int]) -> Floats:
    if history is None:
        return np.zeros(len(months))
    ratios = [history[month] / history[month - 1] for month in months]
    return np.asarray(np.log(ratios), dtype=np.float64)


def positive_monthly_values(
    known: MethodInputs, names: Sequence[str]
) -> dict[str, dict[int, float]]:
    """Return the months of the series that count and are positive throughout."""
    values_by_name = {name: last_value_by_month(known.history(name)) for name in names}
    return {
        name: values
        for name, values in values_by_name.items()
        # a logarithm needs positive values
        if values and min(values.values()) > 0
    }


def measure_against_mean(monthly_moves: MonthlyMoves) -> MonthlyMoves:
    """Return moves of currencies against the mean of all, so that none of them is the base."""
    # rates are units for one euro: a rise of the rate is a fall of the currency
    values = -monthly_moves.values
    return MonthlyMoves(
        monthly_moves.names, monthly_moves.months, values - values.mean(axis=1, keepdims=True)
    )


def correlation_matrix(values: Floats) -> Floats:
    """Return correlations of columns; a constant column correlates with nothing.

    `values` is one window (months, columns), or several of them one after the other.
    """
    centred = values - values.mean(axis=-2, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-2, keepdims=True))
    # division by infinity gives 0 for a constant column, without a warning
    scaled = centred / np.where(spread > 1e-12, spread, np.inf)
    products = np.swapaxes(scaled, -1, -2) @ scaled
    return np.asarray(products / values.shape[-2], dtype=np.float64)


def connectedness_matrix(values: Floats) -> Floats:
    """Return the part of each column's moves that comes with each other column's; rows sum to 1.

    The generalised variance decomposition at a horizon of one (Pesaran and Shin 1998; Diebold and
    Yilmaz 2014): squared correlations, each row over its sum.
    """
    squared = correlation_matrix(values) ** 2
    totals = squared.sum(axis=1, keepdims=True)
    return np.asarray(squared / np.where(totals > 0, totals, 1.0), dtype=np.float64)


def joint_moves_matrix(values: Floats) -> Floats:
    """Return connectedness of positively correlated columns only."""
    # a currency that moves against another one takes no loss from it
    return np.asarray(
        np.where(correlation_matrix(values) > 0, connectedness_matrix(values), 0.0),
        dtype=np.float64,
    )


def node_centrality(joined: Floats) -> Floats:
    """Return how central each node is: the eigenvector of links both ways; sums to 1."""
    both = joined + joined.T
    np.fill_diagonal(both, 0.0)
    _, vectors = np.linalg.eigh(both)
    # eigh() sorts ascending, so the last vector belongs to the largest eigenvalue; its sign is
    # arbitrary
    first = np.abs(vectors[:, -1])
    return np.asarray(first / first.sum(), dtype=np.float64)

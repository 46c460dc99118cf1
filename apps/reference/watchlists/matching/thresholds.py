"""From which score on what happens, for everything that moves or holds a score. Pure.

`apps.reference.watchlists.rules.score_limits` has the same in whole percents, with where it is
specified.
"""

MATCH, LOOK = 0.70, 0.45  # from the first a match, from the second a review
BELOW_MATCH = 0.69  # the most that counts where a human must look, whatever the name says

"""How good figures are, in one word. Pure."""

from typing import Literal, get_args

Label = Literal["LIVE", "PARTIAL", "ESTIMATED"]
LABELS: tuple[Label, ...] = get_args(Label)  # the worst last

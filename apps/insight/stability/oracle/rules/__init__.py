"""Rules of the stability oracle. Pure. docs/stability-method.md is printed from them."""

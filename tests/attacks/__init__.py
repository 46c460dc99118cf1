"""Attacks on a running installation or its database; `./run attack` lists them."""

"""The Merkle tree over the ledger: roots that are signed, and proofs against them."""

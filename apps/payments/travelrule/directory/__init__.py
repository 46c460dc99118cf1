"""The directory of counterparty VASPs: changed by two people, held against its ledger."""

"""Headers of a message, as it is sent and received (document 2 section 4)."""

SIGNATURE_HEADER = "X-SVC-Signature"
PAYMENT_HEADER = "X-Travel-Rule-Payment-Id"
VERSION_HEADER = "X-IVMS101-Version"

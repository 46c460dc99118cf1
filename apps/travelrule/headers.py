"""Headers of a message, as it is sent and received (document 2 section 4)."""

SIGNATURE = "X-SVC-Signature"
PAYMENT = "X-Travel-Rule-Payment-Id"
VERSION = "X-IVMS101-Version"

"""A local EVM chain with the token at its real address: anvil, and what tests do to it."""

import json
import platform
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account

from apps.access.paywall.x402.networks import NETWORKS
from tests.shared_data import shared

CLIENTS = Path(__file__).resolve().parent / "clients"
GAS_KEY = "0x" + "42" * 32  # a wallet of the facilitator: it pays for gas
USDC = NETWORKS["base"].asset
MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


def anvil() -> str:
    """Return the binary, or skip the test that needs it."""
    machine = MACHINES.get(platform.machine().lower(), "amd64")
    package = f"@foundry-rs/anvil-{platform.system().lower()}-{machine}"
    bundled = CLIENTS / "node_modules" / package / "bin" / "anvil"
    found = str(bundled) if bundled.exists() else shutil.which("anvil")
    if not found:
        pytest.skip("needs anvil: run `npm install` in tests/paywall/clients")
    return found


def word(address: str) -> str:
    """Return an address as an argument of a contract."""
    return address[2:].lower().rjust(64, "0")


class Chain:
    """One running chain."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.gas = Account.from_key(GAS_KEY).address

    def rpc(self, method: str, *params: Any) -> Any:
        """Return the result of one call; RuntimeError for what the chain refuses."""
        asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        request = urllib.request.Request(
            self.url, json.dumps(asked).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            said = json.load(answer)
        if "error" in said:
            raise RuntimeError(f"{method}: {said['error']}")
        return said["result"]

    def set_up(self, payers: list[str]) -> None:
        """Put the token where it is on the real chain; give payers 5 USDC each, and gas."""
        code = json.loads(shared("evm/MockUSDC.json").read_text())["runtime"]
        self.rpc("anvil_setCode", USDC, code)
        self.rpc("anvil_setBalance", self.gas, hex(10**18))
        minter = self.rpc("eth_accounts")[0]
        for payer in payers:
            data = "0x40c10f19" + word(payer) + hex(5_000_000)[2:].rjust(64, "0")
            self.rpc("eth_sendTransaction", {"from": minter, "to": USDC, "data": data})

    def balance(self, address: str) -> int:
        """Return how much of the token an address has, in micro-units."""
        data = "0x70a08231" + word(address)
        return int(self.rpc("eth_call", {"to": USDC, "data": data}, "latest"), 16)

    def sent(self) -> int:
        """Return how many transactions the facilitator's wallet has sent."""
        return int(self.rpc("eth_getTransactionCount", self.gas, "pending"), 16)


@contextmanager
def running(payers: list[str]) -> Iterator[Chain]:
    """Start a chain of Base's id, and end it after the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [anvil(), "--port", str(port), "--chain-id", "8453", "--silent"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    chain = Chain(f"http://127.0.0.1:{port}")
    try:
        _wait(chain, process)
        chain.set_up(payers)
        yield chain
    finally:
        process.terminate()
        process.wait(10)


def _wait(chain: Chain, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, "anvil ended"
        try:
            chain.rpc("eth_chainId")
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise AssertionError("anvil does not answer")

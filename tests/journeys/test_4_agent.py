"""An agent finds the platform, pays, registers, settles within its caps, and is revoked midway."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.discovery.mcp_agent import Agent
from tests.journeys.desk import Desk
from tests.journeys.pages import PAGES, Page

CALLED = ("screen", "agent_register", "agent_verify", "agent_revoke")


def test_an_agent_settles_within_its_caps_until_it_is_revoked(
    page: Callable[[str], Page], desk: Desk
) -> None:
    walk = page("agent")
    finds_its_way(walk)
    pays_and_registers(walk)
    is_let_settle(walk, desk)
    settles_within_its_caps(walk)
    is_revoked_midway(walk)
    walk.finish()


def finds_its_way(walk: Page) -> None:
    card = walk.told("card")
    skills = {skill["id"] for skill in card["skills"]}
    assert {f"compliance.{name}" for name in CALLED} | {"settlement.settle"} <= skills
    (tools,) = [
        supported_interface["url"]
        for supported_interface in card["supportedInterfaces"]
        if supported_interface["url"].endswith("/mcp")
    ]
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        agent = Agent(tools)
        assert "settlement_flow_check" in aside.submit(agent.tools).result()
        asked = {"name": "Kittiwake Paper Mills Limited"}
        refused = aside.submit(agent.bad, "compliance.screen", asked).result()
    assert refused["accepts"][0]["amount"] == "10000", "the price of the card, in micro-units"


def pays_and_registers(walk: Page) -> None:
    paid = walk.told("pay")
    assert paid["status"] == 200 and paid["receipt"]["success"]
    assert (paid["body"]["decision"], paid["body"]["reference"]) == ("APPROVED", "AGENT-RUN-1")
    made = walk.told("register")
    assert (made["kyaLevel"], made["mandate"]["dailyCapUsd"]) == ("REGISTERED", 800)
    shown = walk.told("credential")
    assert shown["verified"] and shown["credential"]["attestation"]["mandateActive"]


def is_let_settle(walk: Page, desk: Desk) -> None:
    assert walk.told("not-yet")["status"] == 403
    wallet = re.search(r"`(0x\w{40})`, and Samir", (PAGES / "agent.md").read_text())
    assert wallet is not None
    sofia = desk.of("sofia")
    sofia.goto("/admin/settlement/accesschange/add/")
    sofia.get_by_label("Institution").select_option(label="Other Bank")
    sofia.get_by_label("May settle in production").check()
    sofia.get_by_label("Settlement wallets").fill(wallet[1])
    sofia.get_by_label("Why").fill("The contract of 3 November names this wallet.")
    sofia.get_by_role("button", name="Preview effect").click()
    sofia.get_by_role("button", name="Propose", exact=True).click()
    desk.approve("samir", "Other Bank")


def settles_within_its_caps(walk: Page) -> None:
    first = walk.told("first")
    assert (first["status"], first["referenceId"]) == ("awaiting_settlement", "AGENT-1")
    assert refusal(walk.told("over-notional")) == "mandate_refused"
    walk.run("execute")
    walk.until("first-stands", lambda one: one["status"] == "settled")
    assert walk.told("second")["status"] == "awaiting_settlement"
    assert refusal(walk.told("over-cap")) == "mandate_refused"


def refusal(said: Any) -> str:
    assert said["status"] == 403, said
    return str(said["code"])


def is_revoked_midway(walk: Page) -> None:
    assert walk.told("revoke")["status"] == "REVOKED"
    assert refusal(walk.told("after")) == "agent_revoked"
    ended = walk.until("second-stands", lambda one: one["status"] == "expired")
    assert "execution" not in ended
    assert walk.told("first-stands")["status"] == "settled", "what the chain has goes on"
    assert walk.told("revoked")["status"] == "REVOKED"

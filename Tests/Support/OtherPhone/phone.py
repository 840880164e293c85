#!/usr/bin/env python3
"""A phone that hil did not write, with its person: Google's Bumble as a central that obeys the instructions of a run.

    hil run SCENARIO --rig hand,virtual --person "python3 phone.py [--io yesno] [--step NAME=COMMAND] [--see PART=UUID]"

It reads a line of JSON for each turn from standard input, and answers by a line on standard output. What `--step` gives is done when
the step of this name comes: `read UUID`, `describe UUID`, `write UUID HEX` or `subscribe UUID`, `pick NAME` for an app that shows no picker, `leave`, or
`return`, which connects and encrypts again with the keys of the pairing; several with `;` between them. `--on PART=COMMAND` does it once when something is said or asked that contains PART; several for one PART are done in their order. With `--see`, a question that contains PART is
answered with yes if a value of this characteristic came since the last such question. All other questions about the app are skipped:
this phone has no app.
"""

import argparse
import asyncio
import json
import re
import secrets
import sys

from bumble.core import UUID, AdvertisingData, PhysicalTransport
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.gatt import GATT_CHARACTERISTIC_USER_DESCRIPTION_DESCRIPTOR
from bumble.hci import OwnAddressType
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.unix import open_unix_client_transport

MTU = 185
# How long the phone takes at most for what it does by itself, in seconds.
PATIENCE = 15
CAPABILITIES = {
    "none": PairingDelegate.NO_OUTPUT_NO_INPUT,
    "keyboard": PairingDelegate.KEYBOARD_INPUT_ONLY,
    "yesno": PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
}


class Prompts(PairingDelegate):
    """What the phone shows while it pairs."""

    def __init__(self, capability):
        super().__init__(capability)
        self.shown = asyncio.Queue()
        self.answers = asyncio.Queue()

    async def compare_numbers(self, number, digits):
        self.shown.put_nowait(f"{number:06}")
        return await self.answers.get()

    async def get_number(self):
        return await self.answers.get()


class Phone:
    def __init__(self, options):
        self.options = options
        self.prompts = Prompts(CAPABILITIES[options.io])
        self.steps = dict(step.split("=", 1) for step in options.step)
        self.sights = dict(sight.split("=", 1) for sight in options.see)
        self.heard = {}
        self.reactions = {}
        for reaction in options.on:
            part, command = reaction.split("=", 1)
            self.reactions.setdefault(part, []).append(command)
        self.pairing = None
        self.values = {}
        # The home's network, as the run told it.
        self.home = None
        self.waits = 0

    async def begin(self, socket):
        transport = await open_unix_client_transport(socket)
        self.device = Device(
            config=DeviceConfiguration(name="Other phone", irk=secrets.token_bytes(16)),
            host=Host(transport.source, transport.sink),
        )
        self.device.pairing_config_factory = lambda link: PairingConfig(
            sc=True,
            mitm=self.options.io != "none",
            delegate=self.prompts,
            identity_address_type=PairingConfig.AddressType.PUBLIC,
        )
        await self.device.power_on()

    async def pick(self, name):
        found = asyncio.get_running_loop().create_future()

        def heard(advertisement):
            names = (AdvertisingData.COMPLETE_LOCAL_NAME, AdvertisingData.SHORTENED_LOCAL_NAME)
            if name in [advertisement.data.get(kind) for kind in names] and not found.done():
                found.set_result(advertisement.address)

        self.device.on(Device.EVENT_ADVERTISEMENT, heard)
        await self.device.start_scanning(active=True, own_address_type=OwnAddressType.PUBLIC)
        address = await asyncio.wait_for(found, PATIENCE)
        await self.device.stop_scanning()
        await self.connect(address)
        if not self.options.unpaired:
            self.pairing = asyncio.create_task(self.link.pair())

    async def connect(self, address):
        self.address = address
        self.link = await self.device.connect(
            address, transport=PhysicalTransport.LE, own_address_type=OwnAddressType.PUBLIC
        )
        self.peer = Peer(self.link)
        await self.peer.request_mtu(MTU)
        self.values = {}

    async def come_and_go(self, word):
        if word == "leave":
            await self.link.disconnect()
        else:
            await self.connect(self.address)
            await self.link.encrypt()

    async def discover(self):
        if self.pairing:
            await asyncio.wait_for(self.pairing, PATIENCE)
        if self.values:
            return
        await self.peer.discover_services()
        for service in self.peer.services:
            for value in await service.discover_characteristics():
                self.values[value.uuid] = value

    async def use(self, command):
        word, *rest = command.split()
        if word == "pick":
            return await self.pick(" ".join(rest))
        if word in ("leave", "return"):
            return await self.come_and_go(word)
        await self.discover()
        value = self.values[UUID(rest[0])]
        if word == "read":
            await value.read_value()
        elif word == "describe":
            await value.discover_descriptors()
            description = value.get_descriptor(GATT_CHARACTERISTIC_USER_DESCRIPTION_DESCRIPTOR)
            await description.read_value()
        elif word == "write":
            await value.write_value(bytes.fromhex(rest[1]), with_response=True)
        elif word == "subscribe":
            queue = self.heard.setdefault(rest[0], asyncio.Queue())
            await value.subscribe(queue.put_nowait)
        else:
            raise ValueError(f"unknown command {command}")

    async def act(self, turn):
        action = turn.get("action")
        if action and action["control"] == "pick":
            await self.pick(action["text"].removeprefix("pick ").strip("“”"))
        elif action and action["control"] == "enterPasskey":
            self.prompts.answers.put_nowait(int(turn["passkey"]))
        elif step := re.search(r"the step “(.*)” says", turn["text"]):
            for command in filter(None, self.steps.get(step[1], "").split(";")):
                await self.use(command.strip())
        return "done"

    async def compare(self, number):
        """Whether the phone shows this number. It answers the accessory, too."""
        is_same = await asyncio.wait_for(self.prompts.shown.get(), PATIENCE) == number
        self.prompts.answers.put_nowait(is_same)
        return is_same

    async def look(self, turn):
        action = turn.get("action")
        if action and action["control"] == "confirmPasskey":
            return "yes" if await self.compare(turn["passkey"]) else "no"
        for part, uuid in self.sights.items():
            if part in turn["text"]:
                await asyncio.wait_for(self.heard[uuid].get(), PATIENCE)
                return "yes"
        return "skip"

    async def take(self, turn):
        """The answer to a turn; None if it has none."""
        self.home = turn.get("home")
        for part, commands in self.reactions.items():
            if part in turn["text"] and commands:
                await self.use(commands.pop(0))
        match turn["kind"]:
            case "begin":
                await self.begin(turn.get("socket"))
            case "act":
                return await self.act(turn)
            case "ask":
                return await self.look(turn)
            case "late":
                self.waits += 1
                return "wait" if self.waits < self.options.waits else "no"


def arguments():
    """The options of every phone."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--io", choices=CAPABILITIES, default="yesno")
    parser.add_argument("--step", action="append", default=[])
    parser.add_argument("--on", action="append", default=[])
    parser.add_argument("--see", action="append", default=[])
    parser.add_argument("--unpaired", action="store_true", help="the app pairs when it needs to")
    parser.add_argument("--waits", type=int, default=1, help="how often a late report is waited for")
    return parser


async def serve(phone):
    """Takes the turns on standard input, one after the other."""
    reader = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        turn = json.loads(line)
        try:
            answer = await phone.take(turn)
        except Exception as error:  # Bumble has no common base class of its errors.
            print(f"{turn['text']}: {error!r}", file=sys.stderr, flush=True)
            answer = "no"
        if turn["answers"]:
            print(answer, flush=True)


if __name__ == "__main__":
    asyncio.run(serve(Phone(arguments().parse_args())))

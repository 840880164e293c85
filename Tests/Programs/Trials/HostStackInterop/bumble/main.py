#!/usr/bin/env python3
"""The phone's peer over Google's Bumble, on a controller at a Unix socket.

    main.py SOCKET peripheral|central --io none|display|keyboard|yesno [--legacy] [--oob]

The README beside this folder lists the commands on standard input, and the lines on standard output.
"""

import argparse
import asyncio
import secrets
import sys

from bumble import att, data_types, gatt
from bumble.core import UUID, AdvertisingData, PhysicalTransport
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.hci import HCI_Error, OwnAddressType
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.smp import ErrorCode, OobContext, OobSharedData
from bumble.transport.unix import open_unix_client_transport

NAME = "Bumble"
# The service of an accessory, and the one that the phone publishes.
ACCESSORY, PHONE = UUID.from_16_bits(0xFF10), UUID.from_16_bits(0xFF20)
# The longest attribute packet that the program takes, in bytes.
MTU = 185
LONG_VALUE = bytes(3 * place % 256 for place in range(400))
CAPABILITIES = {
    "none": PairingDelegate.NO_OUTPUT_NO_INPUT,
    "display": PairingDelegate.DISPLAY_OUTPUT_ONLY,
    "keyboard": PairingDelegate.KEYBOARD_INPUT_ONLY,
    "yesno": PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
}


def say(line):
    print(line, flush=True)


class Person(PairingDelegate):
    """Somebody who answers by commands."""

    def __init__(self, capability):
        super().__init__(capability)
        self.answers = asyncio.Queue()

    async def compare_numbers(self, number, digits):
        say(f"number {number:06}")
        return await self.answers.get() == "yes"

    async def get_number(self):
        say("enter passkey")
        return int(await self.answers.get())

    async def display_number(self, number, digits):
        say(f"passkey {number:06}")

    async def generate_passkey(self):
        return secrets.randbelow(1_000_000)


class Program:
    def __init__(self, options, transport):
        self.options = options
        self.person = Person(CAPABILITIES[options.io])
        self.link = None
        self.values = {}
        self.device = Device(
            config=DeviceConfiguration(name=NAME, irk=secrets.token_bytes(16)),
            host=Host(transport.source, transport.sink),
        )
        self.device.gatt_server.max_mtu = MTU
        self.device.pairing_config_factory = lambda link: PairingConfig(
            sc=not options.legacy,
            mitm=options.io != "none",
            oob=self.out_of_band() if options.oob else None,
            delegate=self.person,
            identity_address_type=PairingConfig.AddressType.PUBLIC,
        )
        self.device.on(Device.EVENT_CONNECTION, self.connected)

    async def start(self):
        if self.options.role == "peripheral":
            self.add_services()
        await self.device.power_on()
        if self.options.role == "peripheral":
            await self.advertise()
        say("ready")

    @staticmethod
    def out_of_band():
        """Data of a phone: zeroes."""
        return PairingConfig.OobConfig(
            our_context=OobContext(), peer_data=OobSharedData(c=bytes(16), r=bytes(16)), legacy_context=None
        )

    # The link, in either role.

    def connected(self, link):
        self.link = link
        self.is_pairing = False
        say("connected")
        link.on(link.EVENT_PAIRING_START, self.pairing_started)
        link.on(link.EVENT_PAIRING, self.paired)
        link.on(link.EVENT_PAIRING_FAILURE, lambda reason: say(f"failed 0x{ErrorCode(reason):02X}"))
        link.on(link.EVENT_CONNECTION_ENCRYPTION_CHANGE, self.encryption_changed)
        link.on(link.EVENT_DISCONNECTION, lambda reason: say(f"disconnected 0x{reason:02X}"))

    def pairing_started(self):
        self.is_pairing = True

    def encryption_changed(self):
        if self.link.is_encrypted and not self.is_pairing:
            say("encrypted")

    def paired(self, keys):
        key = keys.ltk or keys.ltk_central or keys.ltk_peripheral
        kind = "authenticated" if key.authenticated else "unauthenticated"
        say(f"paired {kind} {'sc' if keys.ltk else 'legacy'}")

    # As an accessory.

    def add_services(self):
        kinds, needs = gatt.Characteristic.Properties, gatt.Characteristic
        protected = needs.READ_REQUIRES_ENCRYPTION
        self.notified = gatt.Characteristic("FF15", kinds.NOTIFY, 0)
        self.notified.on(
            gatt.Characteristic.EVENT_SUBSCRIPTION,
            lambda link, notifies, indicates: say("subscribed" if notifies else "unsubscribed"),
        )
        written = gatt.CharacteristicValue(write=lambda link, value: say(f"wrote {value.hex().upper()}"))
        characteristics = [
            gatt.Characteristic("FF11", kinds.READ, needs.READABLE, bytes([1, 2, 3])),
            gatt.Characteristic("FF12", kinds.READ, protected, b"secret"),
            gatt.Characteristic("FF13", kinds.READ, protected | needs.READ_REQUIRES_AUTHENTICATION, b"private"),
            gatt.Characteristic("FF14", kinds.WRITE, needs.WRITEABLE, written),
            self.notified,
            gatt.Characteristic("FF16", kinds.READ, needs.READABLE, LONG_VALUE),
        ]
        self.device.add_service(gatt.Service(ACCESSORY, characteristics))

    async def advertise(self):
        data = AdvertisingData(
            [
                data_types.Flags(
                    AdvertisingData.Flags.LE_GENERAL_DISCOVERABLE_MODE | AdvertisingData.Flags.BR_EDR_NOT_SUPPORTED
                ),
                data_types.CompleteListOf16BitServiceUUIDs([ACCESSORY]),
                data_types.CompleteLocalName(NAME),
            ]
        )
        await self.device.start_advertising(
            own_address_type=OwnAddressType.PUBLIC,
            auto_restart=True,
            advertising_data=bytes(data),
            advertising_interval_min=20,
            advertising_interval_max=20,
        )

    # As a central.

    async def connect(self):
        found = asyncio.get_running_loop().create_future()

        def heard(advertisement):
            services = advertisement.data.get_all(AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS)
            services += advertisement.data.get_all(AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS)
            if PHONE in [uuid for uuids in services for uuid in uuids] and not found.done():
                found.set_result(advertisement.address)

        self.device.on(Device.EVENT_ADVERTISEMENT, heard)
        await self.device.start_scanning(own_address_type=OwnAddressType.PUBLIC)
        address = await found
        self.device.remove_listener(Device.EVENT_ADVERTISEMENT, heard)
        await self.device.stop_scanning()
        link = await self.device.connect(
            address, transport=PhysicalTransport.LE, own_address_type=OwnAddressType.PUBLIC
        )
        self.peer = Peer(link)
        await self.peer.request_mtu(MTU)
        await self.peer.discover_services()
        self.values = {
            value.uuid: value for service in self.peer.services for value in await service.discover_characteristics()
        }
        say(f"discovered {len(self.values)}")

    async def secure(self):
        keys = await self.device.keystore.get(str(self.link.peer_address))
        if keys:
            await self.link.encrypt()
        else:
            await self.link.pair()

    async def use(self, word, uuid, rest):
        value = self.values[UUID(uuid)]
        try:
            if word == "read":
                say(f"read {uuid} {bytes(await value.read_value()).hex().upper()}")
            elif word == "write":
                await value.write_value(bytes.fromhex(rest), with_response=True)
                say(f"written {uuid}")
            else:
                await value.subscribe(lambda heard: say(f"notified {uuid} {heard.hex().upper()}"))
                say(f"written {uuid}")
        except att.ATT_Error as error:
            say(f"error {uuid} 0x{error.error_code:02X}")

    # Commands.

    async def obey(self, line):
        word, *rest = line.split()
        match word:
            case "yes" | "no":
                self.person.answers.put_nowait(word)
            case "type":
                self.person.answers.put_nowait(rest[0])
            case "notify":
                self.notified.value = bytes.fromhex(rest[0])
                await self.device.notify_subscribers(self.notified)
            case "connect":
                await self.connect()
            case "secure":
                await self.secure()
            case "read" | "write" | "subscribe":
                await self.use(word, rest[0], rest[1] if rest[1:] else "")
            case "disconnect":
                await self.link.disconnect()
            case _:
                say(f"unknown command {word}")

    async def run(self, line):
        """Obeys a command while others are obeyed: a pairing asks the person, whose answer is a command as well."""
        try:
            await self.obey(line)
        except HCI_Error as error:
            say(f"{line} failed: {error}")
        except Exception as error:  # Bumble has no common base class of its errors.
            print(f"{line} failed: {error!r}", file=sys.stderr, flush=True)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("place")
    parser.add_argument("role", choices=["peripheral", "central"])
    parser.add_argument("--io", choices=CAPABILITIES, required=True)
    parser.add_argument("--legacy", action="store_true")
    parser.add_argument("--oob", action="store_true")
    options = parser.parse_args()
    program = Program(options, await open_unix_client_transport(options.place))
    await program.start()
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    tasks = set()
    while line := await reader.readline():
        task = asyncio.create_task(program.run(line.decode()))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


if __name__ == "__main__":
    asyncio.run(main())

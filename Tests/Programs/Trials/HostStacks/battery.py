#!/usr/bin/env python3
"""A battery with Bluetooth LE over Google's Bumble: an accessory that needs no board.

It speaks H4 with a controller. Its level can be read only over a link that was paired by comparing a number.

    battery.py --socket PATH    H4 on a Unix socket; standard input takes commands, one a line
    battery.py                  H4 on standard input and output

Commands: `level PERCENT` sets the level and notifies it; `crash` ends the program with an exit code of 3.
"""

import asyncio
import secrets
import sys

from bumble import data_types, gatt
from bumble.core import AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.hci import OwnAddressType
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import StreamPacketSink, StreamPacketSource
from bumble.transport.unix import open_unix_client_transport

NAME = "Battery 7"


def say(line):
    print(line, file=sys.stderr, flush=True)


class Owner(PairingDelegate):
    """Somebody who looks at the accessory's display, and confirms the number."""

    def __init__(self):
        super().__init__(PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT)

    async def compare_numbers(self, number, digits):
        say(f"number {number:0{digits}}")
        return True


class Battery:
    def __init__(self, source, sink):
        self.percent = 100
        self.level = gatt.Characteristic(
            gatt.GATT_BATTERY_LEVEL_CHARACTERISTIC,
            gatt.Characteristic.Properties.READ | gatt.Characteristic.Properties.NOTIFY,
            gatt.Characteristic.READ_REQUIRES_ENCRYPTION | gatt.Characteristic.READ_REQUIRES_AUTHENTICATION,
            gatt.CharacteristicValue(read=lambda connection: bytes([self.percent])),
        )
        self.device = Device(config=DeviceConfiguration(name=NAME, irk=secrets.token_bytes(16)), host=Host(source, sink))
        self.device.pairing_config_factory = lambda connection: PairingConfig(
            delegate=Owner(), identity_address_type=PairingConfig.AddressType.PUBLIC
        )
        self.device.add_service(gatt.Service(gatt.GATT_BATTERY_SERVICE, [self.level]))
        self.device.on(Device.EVENT_CONNECTION, self.connected)

    async def advertise(self):
        await self.device.power_on()
        data = AdvertisingData(
            [
                data_types.Flags(
                    AdvertisingData.Flags.LE_GENERAL_DISCOVERABLE_MODE | AdvertisingData.Flags.BR_EDR_NOT_SUPPORTED
                ),
                data_types.IncompleteListOf16BitServiceUUIDs([gatt.GATT_BATTERY_SERVICE]),
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
        say(f"advertising as {self.device.public_address}")

    def connected(self, connection):
        say(f"connected to {connection.peer_address}")
        connection.on(connection.EVENT_PAIRING, lambda keys: say("paired"))
        connection.on(connection.EVENT_PAIRING_FAILURE, lambda reason: say(f"not paired: {reason}"))
        connection.on(connection.EVENT_DISCONNECTION, lambda reason: say(f"disconnected: {reason}"))

    async def obey(self, command):
        word, *rest = command.split()
        if word == "level":
            self.percent = int(rest[0])
            await self.device.notify_subscribers(self.level)
        elif word == "crash":
            say("crashing as told")
            sys.exit(3)


async def over_standard_streams():
    loop = asyncio.get_running_loop()
    source = StreamPacketSource()
    await loop.connect_read_pipe(lambda: source, sys.stdin.buffer)
    transport, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout.buffer)
    await Battery(source, StreamPacketSink(transport)).advertise()
    await asyncio.get_running_loop().create_future()


async def over_socket(path):
    transport = await open_unix_client_transport(path)
    battery = Battery(transport.source, transport.sink)
    await battery.advertise()
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        await battery.obey(line.decode())


if __name__ == "__main__":
    asyncio.run(over_socket(sys.argv[2]) if sys.argv[1:2] == ["--socket"] else over_standard_streams())

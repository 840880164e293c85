#!/usr/bin/env python3
"""A kettle with Bluetooth LE by Google's Bumble: a host stack that needs no board.

    kettle.py SOCKET NAME    H4 on a Unix socket; standard input takes commands, one per line

Its temperature can be read only over a link that was paired by numeric comparison. The command `heat DEGREES` changes
the temperature, and notifies it.
"""

from __future__ import annotations

import asyncio
import secrets
import sys

from bumble import gatt
from bumble.core import UUID, AdvertisingData
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.hci import OwnAddressType
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.unix import open_unix_client_transport

SERVICE = UUID("7E771000-5B1E-4C0B-8B39-0A5E4D1C9F10")
TEMPERATURE = UUID("7E771001-5B1E-4C0B-8B39-0A5E4D1C9F10")


def say(line: str) -> None:
    print(line, flush=True)


def degrees(text: str) -> int:
    """Reads a temperature of water: 0 to 100 °C."""
    value = int(text)
    if not 0 <= value <= 100:
        raise ValueError(f"water has 0 to 100 °C, not {value}")
    return value


class Owner(PairingDelegate):
    """Somebody who looks at the kettle's display, and confirms the number."""

    def __init__(self) -> None:
        super().__init__(PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT)

    async def compare_numbers(self, number: int, digits: int) -> bool:
        say(f"number {number:0{digits}}")
        return True


class Kettle:
    def __init__(self, device: Device, name: str) -> None:
        self._device = device
        self._name = name
        self._degrees = 20
        self._temperature = gatt.Characteristic(
            TEMPERATURE,
            gatt.Characteristic.Properties.READ | gatt.Characteristic.Properties.NOTIFY,
            gatt.Characteristic.READ_REQUIRES_ENCRYPTION | gatt.Characteristic.READ_REQUIRES_AUTHENTICATION,
            gatt.CharacteristicValue(read=lambda connection: bytes([self._degrees])),
        )
        device.pairing_config_factory = lambda connection: PairingConfig(
            delegate=Owner(), identity_address_type=PairingConfig.AddressType.PUBLIC
        )
        device.add_service(gatt.Service(SERVICE, [self._temperature]))
        device.on(Device.EVENT_CONNECTION, self._connected)

    async def switch_on(self) -> None:
        await self._device.power_on()
        flags = AdvertisingData.Flags.LE_GENERAL_DISCOVERABLE_MODE | AdvertisingData.Flags.BR_EDR_NOT_SUPPORTED
        uuids = AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS
        await self._device.start_advertising(
            own_address_type=OwnAddressType.PUBLIC,
            auto_restart=True,
            advertising_data=bytes(
                AdvertisingData([(AdvertisingData.FLAGS, bytes([flags])), (uuids, bytes(SERVICE))])
            ),
            scan_response_data=bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, self._name.encode())])),
            advertising_interval_min=20,
            advertising_interval_max=20,
        )
        say(f"{self._name} is on")

    async def obey(self, line: str) -> None:
        word, *rest = line.split()
        if word == "heat" and len(rest) == 1:
            self._degrees = degrees(rest[0])
            await self._device.notify_subscribers(self._temperature)
        else:
            say(f"unknown command: {line.strip()}")

    def _connected(self, connection: Connection) -> None:
        say("connected")
        connection.on(connection.EVENT_PAIRING, lambda keys: say("paired"))
        connection.on(connection.EVENT_DISCONNECTION, lambda reason: say("disconnected"))


async def main(socket: str, name: str) -> None:
    transport = await open_unix_client_transport(socket)
    configuration = DeviceConfiguration(name=name, irk=secrets.token_bytes(16))
    kettle = Kettle(Device(config=configuration, host=Host(transport.source, transport.sink)), name)
    await kettle.switch_on()
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        await kettle.obey(line.decode())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))

#!/usr/bin/env python3
"""A Bumble central sets up a Bumble accessory, and the HCI of both is written as btsnoop.

    two-bumbles.py FOLDER    writes bumble-central.btsnoop and bumble-accessory.btsnoop, and the central's HCI twice more:
                             bumble-asked.btsnoop, whose accessory asks for security, and the central pairs;
                             bumble-ignores.btsnoop, whose central does not

The central does what Bumble's own defaults say: no value of it is set here, except that it asks for an MTU of 517 bytes,
because Bumble asks for none by itself.
"""

import asyncio
import os
import sys
from pathlib import Path

from bumble import data_types, gatt
from bumble.controller import Controller
from bumble.core import AdvertisingData, UUID
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.hci import Address, OwnAddressType
from bumble.host import Host
from bumble.link import LocalLink
from bumble.snoop import BtSnooper
from bumble.transport.common import AsyncPipeSink

SERVICE = UUID("4C410001-6C61-6D70-2D68-696C00000000")
COLOUR = UUID("4C410002-6C61-6D70-2D68-696C00000000")
STATE = UUID("4C410003-6C61-6D70-2D68-696C00000000")


def device(name, address, link, file):
    controller = Controller(name, link=link, public_address=address)
    host = Host(controller, AsyncPipeSink(controller))
    host.snooper = BtSnooper(file)
    return Device(config=DeviceConfiguration(name=name, address=Address(address)), host=host)


def lamp():
    properties = gatt.Characteristic.Properties
    colour = gatt.Characteristic(
        COLOUR,
        properties.READ | properties.WRITE,
        gatt.Characteristic.READ_REQUIRES_ENCRYPTION | gatt.Characteristic.WRITEABLE,
        b"\x10\x20\x30",
    )
    state = gatt.Characteristic(STATE, properties.READ | properties.NOTIFY, gatt.Characteristic.READABLE, b"\x01")
    return gatt.Service(SERVICE, [colour, state]), state


async def meet(ours, its):
    """The accessory, its characteristic, and the link of the central to it."""
    link = LocalLink()
    central = device("Bumble", "F0:F1:F2:F3:F4:F5", link, ours)
    accessory = device("Lamp 7", "F1:F2:F3:F4:F5:F6", link, its)
    service, state = lamp()
    accessory.add_service(service)
    await accessory.power_on()
    await central.power_on()
    data = AdvertisingData([data_types.Flags(AdvertisingData.Flags.LE_GENERAL_DISCOVERABLE_MODE),
                            data_types.CompleteLocalName("Lamp 7")])
    await accessory.start_advertising(
        advertising_data=bytes(data), own_address_type=OwnAddressType.RANDOM, advertising_interval_min=20,
        advertising_interval_max=20)
    return accessory, state, await central.connect(accessory.random_address)


async def ask_for_security(path, pairs):
    with path.open("wb") as ours, open(os.devnull, "wb") as its:
        accessory, _, connection = await meet(ours, its)
        asked = asyncio.get_running_loop().create_future()
        connection.on("security_request", asked.set_result)
        next(iter(accessory.connections.values())).request_pairing()
        await asyncio.wait_for(asked, 5)
        if pairs:
            await connection.pair()
        peer = Peer(connection)
        await peer.discover_all()
        await peer.read_value(peer.get_characteristics_by_uuid(STATE)[0])
        await connection.disconnect()


async def set_up(folder):
    with (folder / "bumble-central.btsnoop").open("wb") as ours, (folder / "bumble-accessory.btsnoop").open("wb") as its:
        accessory, state, connection = await meet(ours, its)
        peer = Peer(connection)
        await peer.request_mtu(517)
        await peer.discover_all()
        await connection.pair()
        colour = peer.get_characteristics_by_uuid(COLOUR)[0]
        await peer.read_value(colour)
        heard = asyncio.get_running_loop().create_future()
        await peer.subscribe(peer.get_characteristics_by_uuid(STATE)[0], lambda value: heard.set_result(value))
        await peer.write_value(colour, b"\xff\x00\x00", with_response=True)
        await accessory.notify_subscribers(state, b"\x02")
        await asyncio.wait_for(heard, 5)
        await connection.disconnect()


if __name__ == "__main__":
    place = Path(sys.argv[1])
    asyncio.run(set_up(place))
    asyncio.run(ask_for_security(place / "bumble-asked.btsnoop", True))
    asyncio.run(ask_for_security(place / "bumble-ignores.btsnoop", False))

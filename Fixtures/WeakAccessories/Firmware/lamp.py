#!/usr/bin/env python3
"""A lamp with Bluetooth LE over Google's Bumble, with one weakness or without: an accessory that needs no board.

    lamp.py --socket PATH WEAKNESS weak|hardened    H4 on a Unix socket

A weakness is the name of a class below. A real lamp's program is in C: where that would write past a buffer, divide by zero or
follow a stray pointer, this one aborts.
"""

import asyncio
import logging
import os
import secrets
import struct
import sys
import time

from bumble import att, data_types, gatt
from bumble.core import AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.hci import OwnAddressType
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.unix import open_unix_client_transport

# The longest brightness that the lamp's buffer takes, and how many prepared writes its queue takes.
BUFFER, QUEUE = 32, 32
SIGNALING, SECURITY = 5, 6


def say(line):
    print(line, file=sys.stderr, flush=True)


class GuardedHost(Host):
    """Drops a packet at which Bumble's readers fail, as a product does."""

    def on_hci_packet(self, packet):
        try:
            super().on_hci_packet(packet)
        except Exception as error:
            say(f"dropped a packet: {error!r}")


class Lamp:
    """A lamp without a weakness. Each weakness below changes one thing."""

    def __init__(self, source, sink):
        self.prepared = []
        self.is_paired = False
        self.device = Device(
            config=DeviceConfiguration(name="Lamp", irk=secrets.token_bytes(16)), host=GuardedHost(source, sink)
        )
        self.device.pairing_config_factory = lambda connection: PairingConfig(
            delegate=PairingDelegate(PairingDelegate.NO_OUTPUT_NO_INPUT),
            mitm=False,
            identity_address_type=PairingConfig.AddressType.PUBLIC,
        )
        kinds, needs = gatt.Characteristic.Properties, gatt.Characteristic
        self.brightness = gatt.Characteristic(
            "FF01",
            kinds.READ | kinds.WRITE,
            needs.READABLE | needs.WRITEABLE,
            gatt.CharacteristicValue(read=lambda connection: bytes([10]), write=self.wrote),
        )
        self.device.add_service(gatt.Service("FF00", [self.brightness]))
        server = self.device.gatt_server
        self.command, server.on_att_write_command = server.on_att_write_command, self.commanded
        self.request, server.on_att_write_request = server.on_att_write_request, self.requested
        server.on_att_prepare_write_request = self.prepare
        server.on_att_execute_write_request = self.execute
        self.device.on(Device.EVENT_CONNECTION, self.connected)
        manager = self.device.l2cap_channel_manager
        self.on_pdu, manager.on_pdu = manager.on_pdu, self.received

    async def advertise(self):
        await self.device.power_on()
        await self.offer()

    async def offer(self):
        flags = AdvertisingData.Flags
        data = AdvertisingData(
            [
                data_types.Flags(flags.LE_GENERAL_DISCOVERABLE_MODE | flags.BR_EDR_NOT_SUPPORTED),
                data_types.CompleteListOf16BitServiceUUIDs([gatt.UUID.from_16_bits(0xFF00)]),
                data_types.CompleteLocalName("Lamp"),
            ]
        )
        await self.device.start_advertising(
            own_address_type=OwnAddressType.PUBLIC,
            auto_restart=self.offers_again(),
            advertising_data=bytes(data),
            advertising_interval_min=20,
            advertising_interval_max=20,
        )
        say("advertising")

    def offers_again(self):
        return True

    def connected(self, connection):
        connection.on(connection.EVENT_PAIRING, lambda keys: self.paired())
        task = asyncio.ensure_future(self.watch(connection))
        connection.on(connection.EVENT_DISCONNECTION, lambda reason: task.cancel())

    def paired(self):
        self.is_paired = True

    async def watch(self, connection):
        """Ends the link of somebody who does not pair."""
        await asyncio.sleep(8)
        if not connection.is_encrypted:
            await connection.disconnect()

    def received(self, connection, channel, pdu):
        """A frame of L2CAP."""
        self.on_pdu(connection, channel, pdu)

    def wrote(self, connection, value):
        if not 1 <= len(value) <= BUFFER:
            raise att.ATT_Error(att.ErrorCode.INVALID_ATTRIBUTE_LENGTH)

    # Bumble 0.0.236 lets anybody write any attribute, also the declaration of a service.

    def commanded(self, bearer, request):
        if request.attribute_handle == self.brightness.handle:
            self.command(bearer, request)

    def requested(self, bearer, request):
        if self.device.gatt_server.get_attribute(request.attribute_handle) not in [None, self.brightness]:
            raise att.ATT_Error(att.ErrorCode.WRITE_NOT_PERMITTED, request.attribute_handle)
        self.request(bearer, request)

    def prepare(self, bearer, request):
        if len(self.prepared) >= QUEUE:
            raise att.ATT_Error(att.ErrorCode.PREPARE_QUEUE_FULL)
        self.prepared.append(request)
        self.device.gatt_server.send_response(
            bearer,
            att.ATT_Prepare_Write_Response(
                attribute_handle=request.attribute_handle,
                value_offset=request.value_offset,
                part_attribute_value=request.part_attribute_value,
            ),
        )

    def execute(self, bearer, request):
        self.prepared = []
        self.device.gatt_server.send_response(bearer, att.ATT_Execute_Write_Response())


class LongValue(Lamp):
    """Copies a value into its buffer, however long it is."""

    def wrote(self, connection, value):
        if len(value) > BUFFER:
            say("the value is longer than the buffer")
            os.abort()


class EmptyValue(Lamp):
    """Waits for the first byte of a value, which an empty one does not have."""

    def wrote(self, connection, value):
        while not value:
            time.sleep(1)


class PreparedQueue(Lamp):
    """Keeps each prepared write in a table of a fixed size."""

    def prepare(self, bearer, request):
        if len(self.prepared) == QUEUE:
            say("the table of prepared writes is full")
            os.abort()
        super().prepare(bearer, request)


class ZeroCredits(Lamp):
    """Divides by the size of a channel's frames, which a stranger chooses."""

    def received(self, connection, channel, pdu):
        if channel == SIGNALING and len(pdu) >= 14 and pdu[0] == 0x14:
            size = struct.unpack_from("<H", pdu, 10)[0]
            if size == 0:
                say("division by zero")
                os.abort()
        super().received(connection, channel, pdu)


class ShortKey(Lamp):
    """Reads a public key to its end, wherever the packet ends."""

    def received(self, connection, channel, pdu):
        if channel == SECURITY and pdu[:1] == b"\x0c" and len(pdu) < 65:
            say("the key ends before its 64 bytes")
            os.abort()
        super().received(connection, channel, pdu)


class SilentAfterStranger(Lamp):
    """Does not advertise again when a link has ended on which nobody paired."""

    def offers_again(self):
        return False

    def connected(self, connection):
        super().connected(connection)
        connection.on(connection.EVENT_DISCONNECTION, lambda reason: self.ended())

    def ended(self):
        if self.is_paired:
            asyncio.ensure_future(self.offer())


class OneLink(Lamp):
    """Lets somebody who does not pair keep its only link."""

    async def watch(self, connection):
        pass


class PastTheEnd(Lamp):
    """Listens for other lamps, and reads each field of an advertisement to its end, wherever the advertisement ends."""

    def __init__(self, source, sink):
        super().__init__(source, sink)
        self.device.host.on("advertising_report", lambda report: self.heard(report.data))

    async def advertise(self):
        await super().advertise()
        await self.device.start_scanning(active=False)

    def heard(self, data):
        place = 0
        while place < len(data) and data[place]:
            place += 1 + data[place]
        if place > len(data):
            say("a field ends behind its advertisement")
            os.abort()


WEAKNESSES = {
    one.__name__: one
    for one in [LongValue, EmptyValue, PreparedQueue, ZeroCredits, ShortKey, SilentAfterStranger, OneLink, PastTheEnd]
}


async def main(path, weakness, build):
    logging.disable(logging.CRITICAL)
    transport = await open_unix_client_transport(path)
    kind = WEAKNESSES[weakness] if build == "weak" else Lamp
    await kind(transport.source, transport.sink).advertise()
    await transport.source.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[2:5]))

#!/usr/bin/env python3
"""A lamp that pairs by a number, over Google's Bumble, with one weakness or without: an accessory that needs no board.

    keys.py --socket PATH WEAKNESS weak|hardened    H4 on a Unix socket; the line `reset` on standard input resets it

A weakness is the name of a class below, and changes one thing of the lamp: whom it pairs with, by which keys and numbers, what it
shows to whom, what it advertises, and what a factory reset leaves.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import sys

from bumble import att, crypto, data_types, gatt, smp
from bumble.core import AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.hci import HCI_Error, OwnAddressType
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.unix import open_unix_client_transport

# The x coordinate of the debug mode's public key: Core Specification 6.0, Vol 3, Part H, 2.3.5.6.1.
DEBUG_KEY = bytes.fromhex("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")
# With what the owner's app signs its commands.
OWNERS_KEY = b"of the owner"
# The curve P-256: y² = x³ - 3x + B modulo P.
P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def say(line):
    print(line, file=sys.stderr, flush=True)


class Owner(PairingDelegate):
    """Somebody who looks at the lamp's display, and confirms the number."""

    def __init__(self, lamp):
        super().__init__(lamp.capability)
        self.lamp = lamp

    async def compare_numbers(self, number, digits):
        return True

    async def display_number(self, number, digits):
        say(f"passkey {number:06}")

    async def generate_passkey(self):
        return self.lamp.passkey()


class GuardedSession(smp.Session):
    """Refuses what the lamp does not want, before anything else is done."""

    def on_smp_pairing_request_command(self, command):
        lamp = self.manager.lamp
        # A key pair is for one pairing.
        self.manager._ecc_key = None if lamp.renews_keys else self.manager._ecc_key
        reason = lamp.objection(command)
        if reason is not None:
            return self.send_pairing_failed(reason)
        super().on_smp_pairing_request_command(command)

    def on_smp_pairing_public_key_command(self, command):
        if not self.manager.lamp.takes(command.public_key_x[::-1], command.public_key_y[::-1]):
            return self.send_pairing_failed(smp.ErrorCode.DHKEY_CHECK_FAILED)
        super().on_smp_pairing_public_key_command(command)


class Lamp:
    """A lamp without a weakness. Each weakness below changes one thing."""

    capability = PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT
    renews_keys = True
    name = "Lamp"
    address = OwnAddressType.RANDOM

    def __init__(self, source, sink):
        self.device = Device(
            config=DeviceConfiguration(name=self.name, irk=secrets.token_bytes(16), le_privacy_enabled=True),
            host=Host(source, sink),
        )
        self.device.pairing_config_factory = lambda connection: PairingConfig(
            delegate=Owner(self), identity_address_type=PairingConfig.AddressType.PUBLIC
        )
        manager = self.device.smp_manager
        manager.lamp, manager.session_proxy = self, GuardedSession
        self.update, self.device.update_keys = self.device.update_keys, self.keep
        kinds, needs = gatt.Characteristic.Properties, gatt.Characteristic
        brightness = gatt.Characteristic(
            "FF01",
            kinds.READ | kinds.WRITE,
            self.permissions(),
            gatt.CharacteristicValue(read=self.read, write=self.write),
        )
        self.device.add_service(gatt.Service("FF00", [brightness]))

    def permissions(self):
        needs = gatt.Characteristic
        return (
            needs.READABLE
            | needs.WRITEABLE
            | needs.READ_REQUIRES_ENCRYPTION
            | needs.WRITE_REQUIRES_ENCRYPTION
            | needs.READ_REQUIRES_AUTHENTICATION
            | needs.WRITE_REQUIRES_AUTHENTICATION
        )

    def read(self, connection):
        return bytes([10])

    def write(self, connection, value):
        pass

    async def start(self):
        await self.device.power_on()
        await self.advertise()
        say("advertising")

    async def advertise(self):
        flags = AdvertisingData.Flags
        data = AdvertisingData(
            [
                data_types.Flags(flags.LE_GENERAL_DISCOVERABLE_MODE | flags.BR_EDR_NOT_SUPPORTED),
                data_types.CompleteListOf16BitServiceUUIDs([gatt.UUID.from_16_bits(0xFF00)]),
                data_types.CompleteLocalName(self.name),
            ]
        )
        await self.device.start_advertising(
            own_address_type=self.address,
            auto_restart=True,
            advertising_data=bytes(data),
            scan_response_data=bytes(AdvertisingData(self.answer())),
            advertising_interval_min=20,
            advertising_interval_max=20,
        )

    def answer(self):
        """What it tells who asks for more."""
        return []

    # Pairing

    def objection(self, request):
        """Why a request to pair is refused; None if it is not."""
        if not request.auth_req & smp.AuthReq.SC or not request.auth_req & smp.AuthReq.MITM:
            return smp.ErrorCode.AUTHENTICATION_REQUIREMENTS
        if request.io_capability == smp.IoCapability.NO_INPUT_NO_OUTPUT:
            return smp.ErrorCode.AUTHENTICATION_REQUIREMENTS
        if request.maximum_encryption_key_size < 16:
            return smp.ErrorCode.ENCRYPTION_KEY_SIZE
        return None

    def takes(self, x, y):
        """Whether a public key may be used."""
        if x == DEBUG_KEY:
            return False
        x, y = int.from_bytes(x, "big"), int.from_bytes(y, "big")
        return (y * y - x * x * x + 3 * x - B) % P == 0

    def passkey(self):
        return secrets.randbelow(1_000_000)

    async def keep(self, identity, keys):
        """Keeps the keys of a pairing: the first ones of an identity, until a reset."""
        if await self.device.keystore.get(identity) is None:
            await self.update(identity, keys)

    async def reset(self):
        """Forgets everything."""
        await self.device.keystore.delete_all()
        await self.end_links()

    async def end_links(self):
        for connection in list(self.device.connections.values()):
            # It may have ended meanwhile.
            with contextlib.suppress(HCI_Error):
                await connection.disconnect()


class Legacy(Lamp):
    """Pairs without LE Secure Connections."""

    def objection(self, request):
        return None if not request.auth_req & smp.AuthReq.SC else super().objection(request)


class ShortKeys(Lamp):
    """Takes keys of 7 bytes."""

    def objection(self, request):
        reason = super().objection(request)
        return None if reason == smp.ErrorCode.ENCRYPTION_KEY_SIZE else reason


class OneKeyPair(Lamp):
    """Makes its key pair once."""

    renews_keys = False


class DebugKey(Lamp):
    """Takes the public key of the debug mode."""

    def takes(self, x, y):
        return x == DEBUG_KEY or super().takes(x, y)


class AnyPoint(Lamp):
    """Takes a public key that is no point of the curve."""

    def takes(self, x, y):
        if not super().takes(x, y):
            # What a multiplication gives that does not check its points.
            session = next(iter(self.device.smp_manager.sessions.values()))
            key = session.ecc_key
            session.ecc_key = type("Unchecked", (), {"x": key.x, "y": key.y, "dh": lambda *_: bytes(32)})()
        return True


class NoPerson(Lamp):
    """Pairs with somebody who says that it can neither show nor enter anything."""

    def objection(self, request):
        hides = request.io_capability == smp.IoCapability.NO_INPUT_NO_OUTPUT
        return None if hides else super().objection(request)


class ShownPasskey(Lamp):
    """Shows a number that its owner enters on the phone."""

    capability = PairingDelegate.DISPLAY_OUTPUT_ONLY


class FixedPasskey(ShownPasskey):
    """Shows the same number each time."""

    def passkey(self):
        return 271_828


class ShortPasskey(ShownPasskey):
    """Shows a number of four digits."""

    def passkey(self):
        return secrets.randbelow(10_000)


class CountedPasskey(ShownPasskey):
    """Shows the number before plus one."""

    last = 271_828

    def passkey(self):
        self.last += 1
        return self.last


class ToldPasskey(ShownPasskey):
    """Tells the number of the next pairing in its scan response."""

    def __init__(self, source, sink):
        self.next = secrets.randbelow(1_000_000)
        super().__init__(source, sink)

    def passkey(self):
        return self.next

    def answer(self):
        return [data_types.ServiceData16BitUUID(gatt.UUID.from_16_bits(0xFF00), b"%06d" % self.next)]


class CountedRandom(Lamp):
    """Counts instead of drawing by chance."""

    def __init__(self, source, sink):
        super().__init__(source, sink)
        self.count = 0
        crypto.r = self.next

    def next(self):
        self.count += 1
        return self.count.to_bytes(16, "little")


class StolenBond(Lamp):
    """Replaces the keys of its owner by those of anybody who says that it is the owner."""

    async def keep(self, identity, keys):
        await self.update(identity, keys)


class OneBond(Lamp):
    """Has room for one bond: that of who pairs last."""

    async def keep(self, identity, keys):
        if await self.device.keystore.get(identity) is None:
            await self.device.keystore.delete_all()
        await super().keep(identity, keys)


class AddressIsKey(Lamp):
    """Knows those who have paired by their addresses, whether or not a link is encrypted."""

    def __init__(self, source, sink):
        self.known = set()
        super().__init__(source, sink)

    def permissions(self):
        return gatt.Characteristic.READABLE | gatt.Characteristic.WRITEABLE

    async def keep(self, identity, keys):
        await super().keep(identity, keys)
        self.known |= {str(connection.peer_address) for connection in self.device.connections.values()}

    def read(self, connection):
        if not connection.is_encrypted and str(connection.peer_address) not in self.known:
            raise att.ATT_Error(att.ErrorCode.INSUFFICIENT_AUTHENTICATION)
        return super().read(connection)

    def write(self, connection, value):
        self.read(connection)


class SignedCommands(Lamp):
    """Obeys commands with its owner's signature over any link: a time in milliseconds, and a code for it."""

    def __init__(self, source, sink):
        super().__init__(source, sink)
        self.last = b""

    def permissions(self):
        needs = gatt.Characteristic
        return (
            needs.READABLE
            | needs.WRITEABLE
            | needs.READ_REQUIRES_ENCRYPTION
            | needs.READ_REQUIRES_AUTHENTICATION
        )

    def write(self, connection, value):
        time, code = bytes(value[:8]), bytes(value[8:])
        if hmac.digest(OWNERS_KEY, time, "sha256") != code or not self.is_new(time):
            raise att.ATT_Error(att.ErrorCode.WRITE_NOT_PERMITTED)
        self.last = time

    def is_new(self, time):
        return time > self.last


class RepeatedCommands(SignedCommands):
    """Obeys the same command twice."""

    def is_new(self, time):
        return True


class SilentCommands(SignedCommands):
    """Answers each command alike, and ignores those that it does not obey."""

    def write(self, connection, value):
        with contextlib.suppress(att.ATT_Error):
            super().write(connection, value)
            say("it obeys")


class RepeatedSilentCommands(SilentCommands):
    """Obeys the same command twice."""

    def is_new(self, time):
        return True


class SerialName(Lamp):
    """Advertises its serial number in its name."""

    name = "Lamp 4F2A19"


class PublicAddress(Lamp):
    """Advertises with its public address."""

    address = OwnAddressType.PUBLIC


class HiddenAttribute(Lamp):
    """Has a characteristic for its maker, which discovery does not show."""

    def __init__(self, source, sink):
        super().__init__(source, sink)
        kinds = gatt.Characteristic.Properties
        secret = gatt.Characteristic("FF0F", kinds.READ, gatt.Characteristic.READABLE, b"maker")
        self.device.add_service(gatt.Service("FF0E", [secret]))
        server = self.device.gatt_server
        first = server.get_service_attribute(gatt.UUID.from_16_bits(0xFF0E)).handle
        # A read finds it by its handle.
        hidden = [server.get_attribute(attribute.handle) for attribute in server.attributes if attribute.handle >= first]
        server.attributes = [attribute for attribute in server.attributes if attribute not in hidden]


class KeptBonds(Lamp):
    """Keeps the bonds over a factory reset."""

    async def reset(self):
        await self.end_links()


class StoredValue(Lamp):
    """Keeps its brightness until a factory reset."""

    brightness = bytes([10])

    def read(self, connection):
        return self.brightness

    def write(self, connection, value):
        self.brightness = bytes(value)

    async def reset(self):
        self.brightness = StoredValue.brightness
        await super().reset()


class KeptValue(StoredValue):
    """Keeps its brightness over a factory reset."""

    async def reset(self):
        await Lamp.reset(self)


# What is beside each weakness: a lamp that is the same in all else.
TWINS = {
    FixedPasskey: ShownPasskey, ShortPasskey: ShownPasskey, CountedPasskey: ShownPasskey, ToldPasskey: ShownPasskey,
    RepeatedCommands: SignedCommands, RepeatedSilentCommands: SilentCommands, KeptValue: StoredValue,
}  # fmt: skip
WEAKNESSES = [
    Legacy, ShortKeys, OneKeyPair, DebugKey, AnyPoint, NoPerson, FixedPasskey, CountedRandom, StolenBond, AddressIsKey,
    RepeatedCommands, RepeatedSilentCommands, SerialName, PublicAddress, HiddenAttribute, KeptBonds, KeptValue,
    ShortPasskey, CountedPasskey, ToldPasskey, OneBond,
]  # fmt: skip


async def main(path, weakness, build):
    logging.disable(logging.CRITICAL)
    transport = await open_unix_client_transport(path)
    kind = next(one for one in WEAKNESSES if one.__name__ == weakness)
    lamp = (kind if build == "weak" else TWINS.get(kind, Lamp))(transport.source, transport.sink)
    await lamp.start()
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        if line.strip() == b"reset":
            await lamp.reset()
            say("was reset")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[2:5]))

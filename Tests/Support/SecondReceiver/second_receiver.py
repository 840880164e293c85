#!/usr/bin/env python3
"""A second receiver of notifications, by another hand than the reference accessory's.

Written from Documentation and from the comments of GATTFraming.swift and NotificationUpdate.swift alone, over the package
`cryptography`: what those say must be enough for an accessory to receive a notification.

It reads one JSON object a line and answers with any number of them, the last of which is {"done": true}:

    in    {"connected": 185}                                   a link is up; its ATT_MTU
          {"written": "security" | "notifications", "value": hex}
    out   {"notify": "security" | "notifications", "value": hex}
          {"screen": [{"source", "sourceName", "identifier", "title", "subtitle", "body", "alerts"}]}
          {"keys": "XWing" | "P256"}                           both ends have keys
          {"refused": "why"}                                   something was dropped
"""

import json
import struct
import sys
import uuid

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec, mlkem, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAXIMUM_CONTENT = 1 << 20
MAXIMUM_MESSAGE = MAXIMUM_CONTENT + 64
NUMBERS, FOLLOWS = 1 << 30, 1 << 31
SUITES = {1: "P256", 2: "XWing"}


class Refused(Exception):
    """Bytes that are not what the format says."""


# HPKE, RFC 9180, base mode: what a recipient needs to export a secret.


def hmac_sha256(key, data):
    code = hmac.HMAC(key, hashes.SHA256())
    code.update(data)
    return code.finalize()


def extract(salt, key):
    return hmac_sha256(salt or bytes(32), key)


def expand(key, info, length):
    block, output, number = b"", b"", 1
    while len(output) < length:
        block = hmac_sha256(key, block + info + bytes([number]))
        output, number = output + block, number + 1
    return output[:length]


class Labelled:
    """LabeledExtract and LabeledExpand of section 4, under one suite's identifier."""

    def __init__(self, suite_id):
        self.suite_id = suite_id

    def extract(self, salt, label, key):
        return extract(salt, b"HPKE-v1" + self.suite_id + label + key)

    def expand(self, key, label, info, length):
        return expand(key, struct.pack(">H", length) + b"HPKE-v1" + self.suite_id + label + info, length)


def exporter_secret(kem_id, shared_secret, info):
    """KeySchedule of section 5.1 with HKDF-SHA256 and AES-256-GCM, as far as the exporter."""
    labelled = Labelled(b"HPKE" + struct.pack(">HHH", kem_id, 1, 2))
    context = b"\0" + labelled.extract(b"", b"psk_id_hash", b"") + labelled.extract(b"", b"info_hash", info)
    secret = labelled.extract(shared_secret, b"secret", b"")
    exporter = labelled.expand(secret, b"exp", context, 32)
    return lambda text: labelled.expand(exporter, b"sec", text, 32)


class P256:
    """DHKEM(P-256, HKDF-SHA256), section 4.1. A public key travels without its first byte, an encapsulated one with it."""

    number, kem_id = 1, 0x0010

    def __init__(self):
        self.private = ec.generate_private_key(ec.SECP256R1())
        numbers = self.private.public_key().public_numbers()
        self.point = b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
        self.public = self.point[1:]

    def decapsulate(self, encapsulated):
        if len(encapsulated) != 65:
            raise Refused("an encapsulated key of P-256 has 65 bytes")
        peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), encapsulated)
        labelled = Labelled(b"KEM" + struct.pack(">H", self.kem_id))
        key = labelled.extract(b"", b"eae_prk", self.private.exchange(ec.ECDH(), peer))
        return labelled.expand(key, b"shared_secret", encapsulated + self.point, 32)


class XWing:
    """X-Wing: ML-KEM-768 and X25519 together; both keys and ciphertexts are ML-KEM's, then X25519's."""

    number, kem_id = 2, 0x647A

    def __init__(self):
        self.lattice = mlkem.MLKEM768PrivateKey.generate()
        self.curve = x25519.X25519PrivateKey.generate()
        self.curve_public = self.curve.public_key().public_bytes_raw()
        self.public = self.lattice.public_key().public_bytes_raw() + self.curve_public

    def decapsulate(self, encapsulated):
        if len(encapsulated) != 1120:
            raise Refused("an encapsulated key of X-Wing has 1120 bytes")
        lattice, curve = encapsulated[:1088], encapsulated[1088:]
        digest = hashes.Hash(hashes.SHA3_256())
        digest.update(self.lattice.decapsulate(lattice))
        digest.update(self.curve.exchange(x25519.X25519PublicKey.from_public_bytes(curve)))
        digest.update(curve + self.curve_public + rb"\.//^" + b"\\")
        return digest.finalize()


# The wire: GATTFraming.swift.


class Reader:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        if self.place + count > len(self.data):
            raise Refused("the bytes end early")
        self.place += count
        return self.data[self.place - count : self.place]

    def number(self, size):
        return int.from_bytes(self.take(size), "little")

    def rest(self):
        return self.take(len(self.data) - self.place)

    @property
    def is_at_end(self):
        return self.place == len(self.data)

    def end(self):
        if not self.is_at_end:
            raise Refused("bytes after the end")


class Joiner:
    def __init__(self):
        self.forget()

    def forget(self):
        self.message, self.announced, self.next = b"", 0, None

    def join(self, segment):
        try:
            return self.take(segment)
        except Refused:
            self.forget()
            raise

    def take(self, segment):
        reader = Reader(segment)
        head, number = reader.number(1), reader.number(1)
        if head >> 4 != 1 or head & 0x0C:
            raise Refused("no segment of version 1")
        if head & 1:
            self.forget()
            self.announced, self.next = reader.number(4), 0
            if self.announced > MAXIMUM_MESSAGE:
                raise Refused("a message that is too long is announced")
        if number != self.next:
            raise Refused("a gap")
        if reader.is_at_end:
            raise Refused("a segment without a part of the message")
        self.message += reader.rest()
        self.next = (number + 1) % 256
        is_last = bool(head & 2)
        if len(self.message) > self.announced or is_last != (len(self.message) == self.announced):
            raise Refused("not the announced length")
        if not is_last:
            return None
        message = self.message
        self.forget()
        return message


def split(message, length):
    segments, place = [], 0
    while place < len(message):
        first = place == 0
        part = message[place : place + length - (6 if first else 2)]
        place += len(part)
        head = 0x10 | (1 if first else 0) | (2 if place == len(message) else 0)
        segments.append(
            bytes([head, len(segments) % 256]) + (struct.pack("<I", len(message)) if first else b"") + part
        )
    return segments


def decode_update(data):
    """NotificationUpdate.swift: the operation, and the fields by their tags."""
    reader = Reader(data)
    if reader.number(1) != 1:
        raise Refused("no update of version 1")
    operation, fields = reader.number(1), {}
    while not reader.is_at_end:
        tag, length = reader.number(1), reader.number(4)
        if tag in fields:
            raise Refused("a field, twice")
        fields[tag] = reader.take(length)
    return operation, fields


def receipt_of(number, outcome):
    return bytes([17]) + struct.pack("<I", number) + bytes([outcome])


class Accessory:
    """An accessory with a screen. `suites` are those that it has, by their numbers on the wire."""

    def __init__(self, suites):
        self.suites = suites
        self.pair = None
        self.keys = None
        self.seen = set()
        self.screen = {}
        self.output = []
        self.connected(23)

    def connected(self, mtu):
        self.segment_length = min(mtu - 3, 512)
        self.joiners = {"security": Joiner(), "notifications": Joiner()}
        self.last, self.receipt = None, receipt_of(0, 5)

    def tell(self, **event):
        self.output.append(event)

    def send(self, channel, message):
        for segment in split(message, self.segment_length):
            self.tell(notify=channel, value=segment.hex())

    def written(self, channel, segment):
        try:
            message = self.joiners[channel].join(segment)
            if message is not None:
                {"security": self.take_key, "notifications": self.take_delivery}[channel](Reader(message))
        except Refused as refused:
            self.tell(refused=str(refused))

    # The key exchange.

    def take_key(self, reader):
        kind, suite, version = reader.number(1), reader.number(1), reader.number(1)
        identifier = reader.take(reader.number(1)).decode()
        if version != 1 or suite not in self.suites:
            self.tell(refused="a suite that this accessory does not have")
            return self.send("security", bytes([4, 1]))
        if kind == 1:
            reader.end()
            return self.send_public_key(suite)
        if kind != 3:
            raise Refused("a message that only an accessory sends")
        key = reader.take(reader.number(2))
        reader.end()
        if self.pair is None or self.pair.number != suite:
            return self.send("security", bytes([4, 3]))
        info = f"{SUITES[suite]}-Version1-{identifier}"
        try:
            export = exporter_secret(self.pair.kem_id, self.pair.decapsulate(key), info.encode())
        except (Refused, ValueError) as error:
            self.tell(refused=f"the encapsulated key: {error}")
            return self.send("security", bytes([4, 2]))
        self.keys, self.seen = (export, info), set()
        self.tell(keys=SUITES[suite])
        self.send("security", bytes([4, 0]))

    def send_public_key(self, suite):
        self.pair = {1: P256, 2: XWing}[suite]()
        key = self.pair.public
        self.send("security", bytes([2, suite, 1, 1, 0]) + struct.pack("<H", len(key)) + key)

    # Notifications.

    def take_delivery(self, reader):
        kind = reader.number(1)
        if kind == 19:
            reader.end()
            return self.send("notifications", self.receipt)
        if kind != 16:
            raise Refused("no delivery")
        number, session = reader.number(4), uuid.UUID(bytes=reader.take(16))
        if not self.is_next(number):
            self.tell(refused="a delivery whose predecessor did not come")
            return self.send("notifications", receipt_of(number, 5))
        outcome = self.receive(session, reader.rest())
        self.receipt = receipt_of(number, outcome)
        self.send("notifications", self.receipt)
        if outcome in (2, 3):
            self.send_public_key(self.pair.number if self.pair else max(self.suites))

    def is_next(self, number):
        place = number % NUMBERS
        if number & FOLLOWS:
            if self.last is None:
                return False
            step = (place - self.last) % NUMBERS
            if step == 0 or step > NUMBERS // 2:
                return True
            if step != 1:
                return False
        self.last = place
        return True

    def receive(self, session, sealed):
        if self.keys is None:
            return 3
        nonce = sealed[:12]
        if (session, nonce) in self.seen:
            return 1
        export, info = self.keys
        secret = export(f"{info}-HostToAccessory-{str(session).upper()}".encode())
        try:
            plaintext = AESGCM(secret).decrypt(nonce, sealed[12:], None)
        except (InvalidTag, ValueError):
            self.keys = None
            self.tell(refused="a delivery that does not open")
            return 2
        self.seen.add((session, nonce))
        try:
            self.show(plaintext)
        except (Refused, UnicodeDecodeError) as error:
            self.tell(refused=f"the content: {error}")
            return 4
        return 0

    def show(self, plaintext):
        operation, fields = decode_update(plaintext)
        if operation == 4:
            self.screen = {}
        else:
            if 1 not in fields or 2 not in fields:
                raise Refused("no identifier")
            name = (fields[2].decode(), fields[1].decode())
            if operation == 3:
                self.screen.pop(name, None)
            elif operation in (1, 2):
                texts = {key: fields.get(tag, b"").decode() for tag, key in TEXTS.items()}
                shown = {"source": name[0], "identifier": name[1], **texts, "alerts": fields.get(7) == b"\1"}
                if operation == 1 or name in self.screen:
                    self.screen[name] = shown
            else:
                raise Refused("an unknown operation")
        self.tell(screen=list(self.screen.values()))


TEXTS = {3: "sourceName", 4: "title", 5: "subtitle", 6: "body"}


def main():
    suites = [number for number, name in SUITES.items() if name in (sys.argv[1:] or SUITES.values())]
    accessory = Accessory(suites)
    for line in sys.stdin:
        event = json.loads(line)
        if "connected" in event:
            accessory.connected(event["connected"])
        else:
            accessory.written(event["written"], bytes.fromhex(event["value"]))
        for answer in accessory.output + [{"done": True}]:
            print(json.dumps(answer), flush=True)
        accessory.output = []


if __name__ == "__main__":
    main()

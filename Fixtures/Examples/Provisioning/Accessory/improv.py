"""Packets of the Improv Wi-Fi protocol over Bluetooth LE, as https://www.improv-wifi.com/ble/ describes them.

Everything here is pure: bytes in, values out. What a phone writes may be anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

SERVICE = "00467768-6228-2272-4663-277478268000"
CURRENT_STATE = "00467768-6228-2272-4663-277478268001"
ERROR_STATE = "00467768-6228-2272-4663-277478268002"
RPC_COMMAND = "00467768-6228-2272-4663-277478268003"
RPC_RESULT = "00467768-6228-2272-4663-277478268004"
CAPABILITIES = "00467768-6228-2272-4663-277478268005"
SERVICE_DATA = "00004677-0000-1000-8000-00805f9b34fb"


class State(IntEnum):
    AUTHORIZATION_REQUIRED = 1
    AUTHORIZED = 2
    PROVISIONING = 3
    PROVISIONED = 4


class Error(IntEnum):
    NONE = 0
    INVALID_PACKET = 1
    UNKNOWN_COMMAND = 2
    UNABLE_TO_CONNECT = 3
    NOT_AUTHORIZED = 4
    UNKNOWN = 0xFF


class Command(IntEnum):
    SEND_WIFI = 1
    IDENTIFY = 2
    DEVICE_INFO = 3


class Capability(IntEnum):
    IDENTIFY = 1
    DEVICE_INFO = 2


class MalformedPacket(Exception):
    """Bytes that are not a packet, with the reason."""


@dataclass(frozen=True)
class Packet:
    """A command with its data. The command may be an unknown one."""

    command: int
    data: bytes


@dataclass(frozen=True)
class Credentials:
    ssid: bytes
    """1 to 32 bytes."""
    passphrase: str
    """8 to 63 printable characters of ASCII, or 64 hexadecimal digits; empty for an open network."""

    def __repr__(self) -> str:
        # The passphrase must not get into a log.
        return f"Credentials({self.ssid!r})"


def checksum(content: bytes) -> int:
    """The low byte of the sum of all bytes."""
    return sum(content) & 0xFF


def encode(command: int, data: bytes) -> bytes:
    """A whole packet. The data has at most 255 bytes."""
    if len(data) > 255:
        raise ValueError(f"a packet has room for 255 bytes of data, not {len(data)}")
    content = bytes([command, len(data)]) + data
    return content + bytes([checksum(content)])


def encode_result(command: int, strings: list[str]) -> bytes:
    """The answer to a command: a list of strings of at most 255 bytes together, lengths included."""
    data = b""
    for text in strings:
        coded = text.encode()
        data += bytes([len(coded)]) + coded
    return encode(command, data)


def service_data(state: State, capabilities: int) -> bytes:
    """What the advertisement carries."""
    return bytes([state, capabilities, 0, 0, 0, 0])


def parse_credentials(data: bytes) -> Credentials:
    """Reads the data of SEND_WIFI.

    Raises MalformedPacket if the lengths do not fit together, or if no network has such a name or passphrase.
    """
    if not data or len(data) < 2 + data[0]:
        raise MalformedPacket("the network's name is cut off")
    end = 1 + data[0]
    ssid, password = data[1:end], data[end + 1 :]
    if len(password) != data[end]:
        raise MalformedPacket(f"{data[end]} bytes of passphrase are announced, but {len(password)} are there")
    if not 1 <= len(ssid) <= 32:
        raise MalformedPacket(f"a network's name has 1 to 32 bytes, not {len(ssid)}")
    if not all(0x20 <= byte < 0x7F for byte in password):
        raise MalformedPacket("a passphrase has printable characters of ASCII only")
    text = password.decode("ascii")
    is_key = len(text) == 64 and all(digit in "0123456789abcdefABCDEF" for digit in text)
    if text and not 8 <= len(text) <= 63 and not is_key:
        raise MalformedPacket(f"a passphrase has 8 to 63 characters, not {len(text)}")
    return Credentials(ssid, text)


class Assembler:
    """Puts packets together from writes. A write has a part of a packet: on an old phone, 20 bytes."""

    PAUSE = 5.0
    """A write that comes later than this many seconds after the last one begins a new packet."""

    def __init__(self) -> None:
        self._bytes = b""
        self._last = 0.0

    def reset(self) -> None:
        """Forgets an incomplete packet."""
        self._bytes = b""

    def feed(self, part: bytes, now: float) -> Packet | None:
        """Takes a write, and returns the packet that it completes.

        Raises MalformedPacket if the bytes are not a packet; the next write begins a new one.
        """
        if now - self._last > self.PAUSE:
            self.reset()
        self._last = now
        self._bytes += part
        if len(self._bytes) < 3 or len(self._bytes) < 3 + self._bytes[1]:
            return None
        whole, self._bytes = self._bytes, b""
        if len(whole) > 3 + whole[1]:
            raise MalformedPacket(f"{len(whole) - 3 - whole[1]} bytes follow the checksum")
        if checksum(whole[:-1]) != whole[-1]:
            raise MalformedPacket("the checksum is wrong")
        return Packet(whole[0], whole[2:-1])

#!/usr/bin/env python3
"""Writes the packets of a phone's btsnoop as PacketLogger, btmon and a sniffer would have.

    as-other-tools.py CAPTURE.btsnoop NAME    writes NAME.pklg, NAME.btmon, NAME-air.pcap, NAME-encrypted.pcap and NAME-radio.pcap

PacketLogger and btmon have the same packets of HCI. The sniffer, a Nordic one, has the link layer: the request to connect, the data, and the
packets of the link layer's own protocol that begin encryption. In the first of its files it has decrypted all, in the second it had no
key: what follows LL_START_ENC_REQ is noise. The third has the decrypted packets with the radio headers of other sniffers.
"""

import struct
import sys
from pathlib import Path

ACCESS = bytes.fromhex("7856AF50")
ADVERTISING = bytes.fromhex("D6BE898E")
EPOCH = 0x00DCDDB30F2F8000  # of 1970, in the microseconds of btsnoop


def records(path):
    """The packets: microseconds since 1970, whether the host sent it, and the bytes with H4's type."""
    data = path.read_bytes()[16:]
    while data:
        _, length, flags, _, time = struct.unpack(">IIIIQ", data[:24])
        yield time - EPOCH, flags & 1 == 0, data[24 : 24 + length]
        data = data[24 + length :]


def packet_logger(path, packets):
    kinds = {(1, True): 0, (4, False): 1, (2, True): 2, (2, False): 3}
    with path.open("wb") as file:
        for time, sent, packet in packets:
            body = struct.pack(">IIB", time // 1_000_000, time % 1_000_000, kinds[packet[0], sent]) + packet[1:]
            file.write(struct.pack(">I", len(body)) + body)


def monitor(path, packets):
    """A btsnoop file of Linux' monitor (datalink 2001): an index and an opcode for each packet."""
    kinds = {(1, True): 2, (4, False): 3, (2, True): 4, (2, False): 5}
    with path.open("wb") as file:
        file.write(b"btsnoop\0" + struct.pack(">II", 1, 2001))
        for time, sent, packet in packets:
            size = len(packet) - 1
            file.write(struct.pack(">IIIIQ", size, size, kinds[packet[0], sent], 0, time + EPOCH) + packet[1:])


class Sniffer:
    """A file of LINKTYPE_NORDIC_BLE (272)."""

    link_type = 272

    def __init__(self, path):
        self.file = path.open("wb")
        self.file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, self.link_type))
        self.count = 0

    def write(self, time, access, pdu, from_central=True, encrypted=False, readable=True):
        flags = 0x01 | (0x02 if from_central else 0) | (0x04 if encrypted else 0) | (0x08 if encrypted and readable else 0)
        air = access + pdu + b"\0\0\0"
        ble = struct.pack("<BBBBHI", 10, flags, 17, 40, self.count & 0xFFFF, time & 0xFFFFFFFF) + air
        kind = 6 if access == ACCESS else 2
        packet = b"\0" + struct.pack("<HBHB", len(ble), 3, self.count & 0xFFFF, kind) + ble
        self.file.write(struct.pack("<IIII", time // 1_000_000, time % 1_000_000, len(packet), len(packet)) + packet)
        self.count += 1


class RadioSniffer(Sniffer):
    """A file of LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR (256)."""

    link_type = 256

    def write(self, time, access, pdu, from_central=True, encrypted=False, readable=True):
        # Dewhitened, and the reference access address is valid; then whether it was decrypted, and who sent it.
        flags = 0x11 | (0x08 if encrypted else 0)
        if access == ACCESS:
            flags |= (2 if from_central else 3) << 7
        packet = struct.pack("<BbbB4sH", 17, -40, -90, 0, access, flags) + access + pdu + b"\0\0\0"
        self.file.write(struct.pack("<IIII", time // 1_000_000, time % 1_000_000, len(packet), len(packet)) + packet)


def sniffer(out, packets, readable):
    ours, encrypted = b"", False
    own = bytes(6)
    for time, sent, packet in packets:
        if packet[:3] == b"\x01\x05\x20":  # LE Set Random Address
            own = packet[4:10]
        elif packet[:3] == b"\x01\x0d\x20":  # LE Create Connection
            peer, interval, latency, timeout = packet[10:16], packet[19:21], packet[21:23], packet[23:25]
            out.write(time - 1000, ADVERTISING, bytes([0x40, 9]) + peer + b"\x02\x01\x06", False)
            body = own + peer + ACCESS + b"\x55\x55\x55\x02\x00\x00" + interval + latency + timeout + b"\xff\xff\xff\xff\x1f\x25"
            out.write(time, ADVERTISING, bytes([0xC5, len(body)]) + body)
        elif packet[:3] == b"\x01\x19\x20":  # LE Enable Encryption
            request = b"\x03" + packet[6:16] + bytes(12)
            out.write(time, ACCESS, bytes([3, len(request)]) + request)
            out.write(time + 10, ACCESS, b"\x03\x0d\x04" + bytes(12), False)
            out.write(time + 20, ACCESS, b"\x03\x01\x05", False)
            encrypted = True
        elif packet[:3] == b"\x01\x06\x04":  # Disconnect
            out.write(time, ACCESS, b"\x03\x02\x02\x13", True, encrypted, readable)
        elif packet[0] == 2:
            first = packet[2] >> 4 & 3 != 1
            data = packet[5:]
            if encrypted and not readable:
                data = bytes((byte * 37 + place) & 0xFF for place, byte in enumerate(data + b"mic4"))
            for start in range(0, len(data), 200):
                piece = data[start : start + 200]
                kind = 2 if first and start == 0 else 1
                out.write(time, ACCESS, bytes([kind, len(piece)]) + piece, sent, encrypted, readable)
    out.file.close()


if __name__ == "__main__":
    source, name = Path(sys.argv[1]), sys.argv[2]
    packets = list(records(source))
    packet_logger(Path(f"{name}.pklg"), packets)
    monitor(Path(f"{name}.btmon"), packets)
    sniffer(Sniffer(Path(f"{name}-air.pcap")), packets, True)
    sniffer(Sniffer(Path(f"{name}-encrypted.pcap")), packets, False)
    sniffer(RadioSniffer(Path(f"{name}-radio.pcap")), packets, True)

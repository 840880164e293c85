#!/usr/bin/env python3
"""Writes a capture of a monitor with radiotap headers and check sums, and one in which a phone joins later.

    as-monitor.py monitor.pcap                 a station joins an open network, comes back, and looks for a portal
    as-monitor.py late.pcapng WPA2.pcapng      the packets of WPA2.pcapng; from the station's first frame on, 3 s later

The station of the first is invented: it probes first, asks for its old address when it comes back, and asks for a portal as iPhones do
(captive.apple.com). It shows what a capture from elsewhere may have, not what a certain phone does.
"""

import struct
import sys
import zlib
from pathlib import Path

STATION, POINT, ALL = bytes.fromhex("5E0000000001"), bytes.fromhex("020000000900"), b"\xff" * 6
RATES = b"\x01\x04\x82\x84\x8b\x96\x32\x08\x0c\x12\x18\x24\x30\x48\x60\x6c"


class Monitor:
    """A file of LINKTYPE_IEEE802_11_RADIOTAP (127) with check sums behind its frames."""

    def __init__(self, path):
        self.file = path.open("wb")
        self.file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 127))
        self.number = 0

    def write(self, milliseconds, control, receiver, sender, third, body, again=False):
        self.number += not again
        flags = control[1] | (8 if again else 0)
        frame = bytes([control[0], flags]) + b"\0\0" + receiver + sender + third + struct.pack("<H", (self.number & 0xFFF) << 4) + body
        radio = b"\0\0\x0a\0\x22\0\0\0\x10\xc4"  # flags: a check sum follows; the signal: -60 dBm
        packet = radio + frame + struct.pack("<I", zlib.crc32(frame))
        time = 1_795_886_966_000 + milliseconds
        self.file.write(struct.pack("<IIII", time // 1000, time % 1000 * 1000, len(packet), len(packet)) + packet)

    def management(self, milliseconds, subtype, is_station, body, receiver=None, again=False):
        sender, other = (STATION, POINT) if is_station else (POINT, STATION)
        self.write(milliseconds, (subtype << 4, 0), receiver or other, sender, ALL if subtype == 4 else POINT, body, again)

    def data(self, milliseconds, is_station, payload, ports, tcp=0):
        source, destination = (ip(42), ip(1)) if is_station else (ip(1), ip(42))
        head = struct.pack(">HHIIBBHHH", *ports, int(tcp & 2 == 0), int(tcp & 0x10 != 0), 0x50, tcp, 64000, 0, 0) if tcp else b""
        body = head + payload if tcp else struct.pack(">HHHH", *ports, 8 + len(payload), 0) + payload
        packet = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), 0, 0, 64, 6 if tcp else 17, 0) + source + destination + body
        llc = b"\xaa\xaa\x03\0\0\0\x08\0" + packet
        if is_station:
            self.write(milliseconds, (8, 1), POINT, STATION, POINT, llc)
        else:
            self.write(milliseconds, (8, 2), STATION, POINT, POINT, llc)


def ip(host):
    return bytes([192, 168, 9, host])


def lease(operation, exchange, kind, options):
    head = struct.pack(">BBBBIHH", operation, 1, 6, 0, exchange, 0, 0) + bytes(16) + STATION + bytes(10 + 192)
    return head + b"\x63\x82\x53\x63" + bytes([53, 1, kind]) + options + b"\xff"


def question(name, kind, is_answer=False):
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    return struct.pack(">HHHHHH", 7, 0x8180 if is_answer else 0x0100, 1, 0, 0, 0) + labels + struct.pack(">BHH", 0, kind, 1)


def join(out, start, comes_back):
    name = b"\0\x06Lamp 9"
    out.management(start, 4, True, b"\0\0" + RATES + b"\x2d\x1a" + bytes(26), ALL)
    out.management(start + 2, 4, True, name + RATES + b"\x2d\x1a" + bytes(26), ALL)
    out.management(start + 4, 5, False, bytes(8) + b"\x64\0\x01\0" + name + RATES)
    out.management(start + 20, 11, True, b"\0\0\x01\0\0\0")
    out.management(start + 21, 11, True, b"\0\0\x01\0\0\0", again=True)
    out.management(start + 22, 11, False, b"\0\0\x02\0\0\0")
    out.management(start + 24, 0, True, b"\x01\0\x14\0" + name + RATES + b"\x2d\x1a" + bytes(26) + b"\xdd\x07\0\x50\xf2\x02\0\x01\0")
    out.management(start + 26, 1, False, b"\x01\0\0\0\x01\xc0" + RATES)
    wishes = b"\x37\x09\x01\x79\x03\x06\x0f\x6c\x72\x77\xfc\x39\x02\x05\xdc\x3d\x07\x01" + STATION + b"\x0c\x06iPhone"
    if not comes_back:
        out.data(start + 60, True, lease(1, 5, 1, wishes), (68, 67))
        out.data(start + 62, False, lease(2, 5, 2, b"\x33\x04\0\0\x0e\x10"), (67, 68))
    out.data(start + 64, True, lease(1, 5 + comes_back, 3, wishes), (68, 67))
    out.data(start + 66, False, lease(2, 5 + comes_back, 5, b"\x33\x04\0\0\x0e\x10"), (67, 68))
    for place, kind in enumerate([65, 1]):
        out.data(start + 80 + 4 * place, True, question("captive.apple.com", kind), (50000, 53))
        out.data(start + 82 + 4 * place, False, question("captive.apple.com", kind, True), (53, 50000))
    port = 50001 + comes_back
    out.data(start + 150, True, b"", (port, 80), 0x02)
    out.data(start + 151, False, b"", (80, port), 0x12)
    web = b"GET /hotspot-detect.html?secret=1 HTTP/1.0\r\nHost: captive.apple.com\r\nUser-Agent: CaptiveNetworkSupport\r\n\r\n"
    out.data(start + 152, True, web, (port, 80), 0x18)
    answer = b"HTTP/1.0 302 Found\r\nLocation: http://192.168.9.1/\r\nContent-Length: 0\r\n\r\n"
    out.data(start + 154, False, answer, (80, port), 0x18)
    out.management(start + 900, 10, True, b"\x08\0")


def later(source, out, delay):
    """A little-endian pcapng with times in nanoseconds: packets from the first one for or from a station on come later."""
    data, begun = Path(source).read_bytes(), False
    with out.open("wb") as file:
        while data:
            kind, length = struct.unpack("<II", data[:8])
            block, data = bytearray(data[:length]), data[length:]
            if kind == 6:
                high, low = struct.unpack("<II", block[12:20])
                radio = struct.unpack("<H", block[30:32])[0]
                begun = begun or block[28 + radio] == 0xB0
                time = (high << 32 | low) + (delay if begun else 0)
                block[12:20] = struct.pack("<II", time >> 32, time & 0xFFFFFFFF)
            file.write(block)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    if len(sys.argv) > 2:
        later(sys.argv[2], target, 3_000_000_000)
    else:
        monitor = Monitor(target)
        join(monitor, 0, False)
        join(monitor, 5000, True)
        monitor.file.close()

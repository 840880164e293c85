"""A lamp that gets the home's network over Bluetooth: its name, a tab, the passphrase and a line feed, in parts."""

import os
import subprocess
import sys

from gi.repository import GLib
from radio import Radio, say

STORE = "network"
LIMIT = 4
"""Seconds that a join may take."""


class Lamp(Radio):
    def __init__(self, is_faulty: bool) -> None:
        self._is_faulty = is_faulty
        self._buffer = self._asked = b""
        self._supplicant: subprocess.Popen[bytes] | None = None
        self._timer = 0
        self._show("down")
        super().__init__()
        if os.path.exists(STORE):
            with open(STORE, "rb") as file:
                self._join(file.read(), b"")

    def wrote(self, value: bytes) -> None:
        self._buffer += value
        if self._buffer.endswith(b"\n"):
            self._take(self._buffer)
            self._buffer = b""

    def disconnected(self) -> None:
        self._buffer = b""

    def _take(self, network: bytes) -> None:
        if os.path.exists(STORE):
            with open(STORE, "rb") as file:
                if file.read() == network:
                    return self.answer("joined")  # Nothing is left to do.
        # A faulty lamp keeps a network that it has never joined.
        if self._is_faulty:
            self._save(network)
        self._join(network, network)

    def _save(self, network: bytes) -> None:
        # Written beside the file and renamed: a power cut leaves the old or the new one. Then the folder, which has the name.
        with open(f"{STORE}.new", "wb") as file:
            file.write(network)
            file.flush()
            os.fsync(file.fileno())
        os.rename(f"{STORE}.new", STORE)
        folder = os.open(".", os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def _join(self, network: bytes, asked: bytes) -> None:
        self._end()
        self._asked = asked
        name, passphrase = network.decode().rstrip("\n").split("\t")
        with open("wpa_supplicant.conf", "w") as file:
            file.write(f'network={{\nssid="{name}"\npsk="{passphrase}"\nscan_freq=2412\n}}\n')
        command = ["wpa_supplicant", "-i", "wlan0", "-D", "nl80211", "-c", "wpa_supplicant.conf"]
        self._supplicant = subprocess.Popen(command, stdout=subprocess.PIPE)
        output = self._supplicant.stdout
        GLib.io_add_watch(output, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, self._heard)
        if asked:
            self._timer = GLib.timeout_add_seconds(LIMIT, self._failed_to_join)

    def _heard(self, output, *_: object) -> bool:
        lines = os.read(output.fileno(), 4096)
        if b"CTRL-EVENT-CONNECTED" in lines:
            self._show("up")
            if self._asked:
                self._save(self._asked)
                self._settle("joined")
        elif b"CTRL-EVENT-DISCONNECTED" in lines:
            self._show("down")
        return bool(lines)

    def _failed_to_join(self) -> bool:
        self._timer = 0
        self._end()
        self._settle("not joined")
        return False

    def _settle(self, answer: str) -> None:
        self._asked = b""
        if self._timer:
            GLib.source_remove(self._timer)
            self._timer = 0
        self.answer(answer)

    def _end(self) -> None:
        if self._supplicant:
            self._supplicant.kill()
            self._supplicant.wait()
            self._supplicant = None
            self._show("down")

    def _show(self, link: str) -> None:
        say(f"the network is {link}")
        with open("link", "w") as file:
            file.write(link)


Lamp(sys.argv[1] == "faulty").run()

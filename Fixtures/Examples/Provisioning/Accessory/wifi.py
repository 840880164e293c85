"""Joins a network with wpa_supplicant, by its control interface, and gets an address with udhcpc."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from typing import Callable

from gi.repository import GLib

from improv import Credentials

HERE = os.path.dirname(os.path.abspath(__file__))


class Supplicant:
    LIMIT = 20
    """Seconds until a network that was not joined counts as absent."""

    def __init__(self, interface: str, on_end: Callable[[bool], None]) -> None:
        """`on_end` is called at the end of each attempt, with whether the network was joined."""
        self._interface = interface
        self._on_end = on_end
        self._folder = f"/run/lantern-{os.getpid()}"
        self._timer = 0
        self._is_trying = False
        self._dhcp: subprocess.Popen[bytes] | None = None
        os.mkdir(self._folder, 0o700)
        # With -B it returns when it accepts commands.
        subprocess.run(
            ["wpa_supplicant", "-B", "-i", interface, "-D", "nl80211", "-C", f"{self._folder}/control"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        self._commands = self._connect("commands")
        self._events = self._connect("events")
        self._events.send(b"ATTACH")
        self._events.recv(4096)
        GLib.io_add_watch(self._events.fileno(), GLib.PRIORITY_DEFAULT, GLib.IO_IN, self._take_event)
        self._order("SET sae_pwe 2")

    def join(self, credentials: Credentials) -> None:
        """Begins to join. Leaves the previous network."""
        self._is_trying = True
        self._order("REMOVE_NETWORK all")
        number = self._ask("ADD_NETWORK")
        settings = {"ssid": credentials.ssid.hex(), "scan_ssid": "1"}
        if credentials.passphrase:
            is_key = len(credentials.passphrase) == 64
            settings["psk"] = credentials.passphrase if is_key else f'"{credentials.passphrase}"'
            settings["key_mgmt"] = "WPA-PSK" if is_key else "WPA-PSK SAE"
            settings["ieee80211w"] = "1"
        else:
            settings["key_mgmt"] = "NONE"
        for name, value in settings.items():
            self._order(f"SET_NETWORK {number} {name} {value}")
        self._order(f"SELECT_NETWORK {number}")
        self._timer = GLib.timeout_add_seconds(self.LIMIT, self._end, False)

    def stop(self) -> None:
        self._order("TERMINATE")

    def _connect(self, name: str) -> socket.socket:
        control = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        control.bind(f"{self._folder}/{name}")
        control.connect(f"{self._folder}/control/{self._interface}")
        control.settimeout(5)
        return control

    def _ask(self, command: str) -> str:
        self._commands.send(command.encode("ascii"))
        return self._commands.recv(4096).decode(errors="replace").strip()

    def _order(self, command: str) -> None:
        answer = self._ask(command)
        if answer != "OK":
            # Not the whole command: it may have the passphrase.
            raise RuntimeError(f"wpa_supplicant answers {' '.join(command.split()[:3])} with {answer}")

    def _take_event(self, *_: object) -> bool:
        event = self._events.recv(4096).decode(errors="replace")
        name = event.partition(">")[2].partition(" ")[0]
        if self._is_trying and name == "CTRL-EVENT-CONNECTED":
            self._get_address()
        elif self._is_trying and name in ("CTRL-EVENT-SSID-TEMP-DISABLED", "CTRL-EVENT-AUTH-REJECT"):
            self._end(False)
        return True

    def _get_address(self) -> None:
        if self._dhcp:
            return
        self._dhcp = subprocess.Popen(
            ["busybox", "udhcpc", "-f", "-q", "-n", "-t", "8", "-T", "1"]
            + ["-i", self._interface, "-s", f"{HERE}/address.sh"],
            stderr=subprocess.DEVNULL,
        )
        GLib.child_watch_add(GLib.PRIORITY_DEFAULT, self._dhcp.pid, self._take_address)

    def _take_address(self, process: int, status: int) -> None:
        # A client of an attempt that is over has been killed.
        if self._dhcp and self._dhcp.pid == process:
            self._dhcp = None
            self._end(status == 0)

    def _end(self, is_joined: bool) -> bool:
        self._is_trying = False
        if self._timer:
            GLib.source_remove(self._timer)
            self._timer = 0
        if self._dhcp:
            os.kill(self._dhcp.pid, signal.SIGKILL)
            self._dhcp = None
        if not is_joined:
            self._order("REMOVE_NETWORK all")
        self._on_end(is_joined)
        return False

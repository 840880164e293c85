#!/usr/bin/env python3
"""A lantern that gets its Wi-Fi network over Bluetooth LE, by the Improv Wi-Fi protocol.

    lantern.py [--button SECONDS]

With `--button`, a press of the button allows credentials for that many seconds. The button is the pipe `button` in the
working folder: each line is a press. The network is kept in the file `network.json`, and joined again after a restart.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import time

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

import improv
from bluez import Adapter, Advertisement, Application, Characteristic, Service
from improv import Credentials, Error, State
from provisioning import Provisioner
from wifi import Supplicant

NAME = "Lantern"
VERSION = "1.4.0"
STORE = "network.json"


def say(line: str) -> None:
    print(line, flush=True)


class Lantern:
    """The device of a provisioner, by BlueZ and wpa_supplicant."""

    RETRY = 15
    """Seconds until the next search for a known network that was absent."""

    def __init__(self, bus: dbus.Bus, button_seconds: int | None) -> None:
        self._button_seconds = button_seconds or 0
        self._timer = 0
        self._credentials: Credentials | None = None
        self._provisioner = Provisioner(
            self, ["lantern-os", VERSION, "Linux", NAME], needs_button=button_seconds is not None
        )
        self._supplicant = Supplicant("wlan0", self._join_ended)
        self._add_service(bus)

    def _add_service(self, bus: dbus.Bus) -> None:
        state, root = self._provisioner.state, "/lantern/improv"
        service = Service(bus, root, improv.SERVICE)
        told = ["read", "notify"]
        self._state = Characteristic(bus, f"{root}/state", improv.CURRENT_STATE, told, bytes([state]))
        self._error = Characteristic(bus, f"{root}/error", improv.ERROR_STATE, told, bytes([Error.NONE]))
        self._result = Characteristic(bus, f"{root}/result", improv.RPC_RESULT, told)
        command = Characteristic(
            bus,
            f"{root}/command",
            improv.RPC_COMMAND,
            ["write", "write-without-response"],
            on_write=lambda part: self._provisioner.received(part, time.monotonic()),
        )
        capabilities = Characteristic(
            bus, f"{root}/capabilities", improv.CAPABILITIES, ["read"], bytes([Provisioner.CAPABILITIES])
        )
        self._application = Application(
            bus, "/lantern", [service, self._state, self._error, self._result, command, capabilities]
        )
        self._advertisement = Advertisement(
            bus, "/lantern/advertisement", NAME, improv.SERVICE, improv.SERVICE_DATA, self._service_data(state)
        )
        adapter = Adapter(bus)
        adapter.power_on(NAME)
        adapter.on_disconnection(self._provisioner.disconnected)
        adapter.register("/lantern", "/lantern/advertisement", self._registered)

    def _service_data(self, state: State) -> bytes:
        return improv.service_data(state, Provisioner.CAPABILITIES)

    def _registered(self) -> None:
        say(f"{NAME} {VERSION} is ready: {self._provisioner.state.name}")
        self._listen_to_button()
        self._rejoin()

    def _listen_to_button(self) -> None:
        if not os.path.exists("button"):
            os.mkfifo("button", 0o600)
        # Open for writing as well: a pipe without a writer is always at its end.
        button = os.open("button", os.O_RDWR | os.O_NONBLOCK)

        def pressed(*_: object) -> bool:
            for _line in os.read(button, 4096).splitlines():
                say("the button is pressed")
                self._provisioner.pressed()
            return True

        GLib.io_add_watch(button, GLib.PRIORITY_DEFAULT, GLib.IO_IN, pressed)

    # The provisioner's requests

    def show_state(self, state: State) -> None:
        say(f"state {state.name}")
        self._state.set(bytes([state]))
        self._advertisement.set(self._service_data(state))

    def show_error(self, error: Error) -> None:
        if error is not Error.NONE:
            say(f"error {error.name}")
        self._error.set(bytes([error]))

    def show_result(self, result: bytes) -> None:
        self._result.set(result)

    def identify(self) -> None:
        say("blinking")

    def set_timer(self, is_on: bool) -> None:
        if self._timer:
            GLib.source_remove(self._timer)
            self._timer = 0
        if is_on:
            self._timer = GLib.timeout_add_seconds(self._button_seconds, self._timed_out)

    def _timed_out(self) -> bool:
        self._timer = 0
        self._provisioner.timed_out()
        return False

    def join(self, credentials: Credentials) -> None:
        self._credentials = credentials
        self._supplicant.join(credentials)

    def stop(self) -> None:
        """Leaves the network."""
        self._supplicant.stop()

    # The network

    def _join_ended(self, is_joined: bool) -> None:
        if is_joined:
            self._keep()
            self._provisioner.joined()
            return
        was_asked = self._provisioner.is_asked
        self._provisioner.not_joined()
        if not was_asked:
            GLib.timeout_add_seconds(self.RETRY, self._rejoin)

    def _keep(self) -> None:
        if not self._credentials:
            return
        content = {"ssid": self._credentials.ssid.hex(), "passphrase": self._credentials.passphrase}
        # Written beside the file and renamed: a power cut leaves the old or the new one.
        with open(os.open(f"{STORE}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        os.rename(f"{STORE}.new", STORE)

    def _rejoin(self) -> bool:
        if self._provisioner.state in (State.PROVISIONING, State.PROVISIONED):
            return False
        try:
            with open(STORE) as file:
                content = json.load(file)
        except FileNotFoundError:
            return False
        self._provisioner.rejoining()
        self.join(Credentials(bytes.fromhex(content["ssid"]), content["passphrase"]))
        return False


def main() -> None:
    options = argparse.ArgumentParser(description="A lantern that speaks Improv Wi-Fi.")
    options.add_argument("--button", type=int, metavar="SECONDS", help="how long a press allows credentials")
    arguments = options.parse_args()
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    lantern = Lantern(dbus.SystemBus(), arguments.button)
    loop = GLib.MainLoop()
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, loop.quit)
    loop.run()
    lantern.stop()


if __name__ == "__main__":
    main()

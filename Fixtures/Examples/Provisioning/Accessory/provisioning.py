"""The states of an Improv Wi-Fi service. Pure: what happened goes in, what to do goes to a Device."""

from __future__ import annotations

from typing import Protocol

from improv import (
    Assembler,
    Capability,
    Command,
    Credentials,
    Error,
    MalformedPacket,
    Packet,
    State,
    encode_result,
    parse_credentials,
)


class Device(Protocol):
    """What a provisioner needs from the accessory."""

    def show_state(self, state: State) -> None:
        """Shows the state to the phone and in the advertisement."""

    def show_error(self, error: Error) -> None:
        """Shows the error to the phone."""

    def show_result(self, result: bytes) -> None:
        """Sends the answer to a command to the phone."""

    def join(self, credentials: Credentials) -> None:
        """Begins to join a network. `joined` or `not_joined` of the provisioner is called later."""

    def identify(self) -> None:
        """Lets a person see which accessory this is."""

    def set_timer(self, is_on: bool) -> None:
        """Starts the timer of the authorization from the beginning, or stops it. At its end, `timed_out` is called."""


class Provisioner:
    CAPABILITIES = Capability.IDENTIFY | Capability.DEVICE_INFO

    def __init__(self, device: Device, info: list[str], needs_button: bool) -> None:
        """`info` is firmware name, firmware version, hardware and name of the accessory."""
        self._device = device
        self._info = info
        self._needs_button = needs_button
        self._assembler = Assembler()
        self.is_asked = False
        self._first_state = State.AUTHORIZATION_REQUIRED if needs_button else State.AUTHORIZED
        self.state = self._first_state

    def received(self, part: bytes, now: float) -> None:
        """The phone wrote a part of a command. `now` is in seconds."""
        try:
            packet = self._assembler.feed(part, now)
            if packet:
                self._obey(packet)
        except MalformedPacket:
            self._device.show_error(Error.INVALID_PACKET)

    def disconnected(self) -> None:
        """The phone is gone, so its packet stays incomplete."""
        self._assembler.reset()

    def pressed(self) -> None:
        """A person pressed the button."""
        if self._needs_button and self.state in (State.AUTHORIZATION_REQUIRED, State.AUTHORIZED):
            self._device.set_timer(True)
            self._change(State.AUTHORIZED)

    def timed_out(self) -> None:
        """The authorization is too old."""
        if self._needs_button and self.state is State.AUTHORIZED:
            self._change(State.AUTHORIZATION_REQUIRED)

    def rejoining(self) -> None:
        """The accessory joins the network that it knows from before."""
        self.is_asked = False
        self._change(State.PROVISIONING)

    def joined(self) -> None:
        self._change(State.PROVISIONED)
        if self.is_asked:
            self._device.show_result(encode_result(Command.SEND_WIFI, []))

    def not_joined(self) -> None:
        if not self.is_asked:
            # Nobody has pressed the button for that.
            return self._change(self._first_state)
        self._change(State.AUTHORIZED)
        if self._needs_button:
            self._device.set_timer(True)
        self._device.show_error(Error.UNABLE_TO_CONNECT)

    def _obey(self, packet: Packet) -> None:
        if packet.command not in list(Command):
            return self._device.show_error(Error.UNKNOWN_COMMAND)
        if packet.command == Command.SEND_WIFI:
            return self._provision(parse_credentials(packet.data))
        if packet.data:
            return self._device.show_error(Error.INVALID_PACKET)
        # The specification allows these before a network is joined.
        if self.state not in (State.AUTHORIZATION_REQUIRED, State.AUTHORIZED):
            return self._device.show_error(Error.UNKNOWN)
        self._device.show_error(Error.NONE)
        if packet.command == Command.IDENTIFY:
            return self._device.identify()
        self._device.show_result(encode_result(Command.DEVICE_INFO, self._info))

    def _provision(self, credentials: Credentials) -> None:
        if self.state is not State.AUTHORIZED:
            return self._device.show_error(Error.NOT_AUTHORIZED)
        self._device.show_error(Error.NONE)
        self._device.set_timer(False)
        self.is_asked = True
        self._change(State.PROVISIONING)
        self._device.join(credentials)

    def _change(self, state: State) -> None:
        if state is not self.state:
            self.state = state
            self._device.show_state(state)

"""A radio module: it tells its host what happens, a line each, and notifies what the host's lines say."""

import os

from gi.repository import GLib
from radio import Radio, say


class Module(Radio):
    def __init__(self) -> None:
        super().__init__()
        GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, self._order)

    def _order(self, *_: object) -> bool:
        lines = os.read(0, 4096)
        if not lines:
            os._exit(0)  # The host has ended.
        for line in lines.splitlines():
            self.answer(line.decode())
        return True

    def wrote(self, value: bytes) -> None:
        say(f"wrote {value.decode(errors='replace')}")

    def connected(self) -> None:
        say("connected")

    def disconnected(self) -> None:
        say("disconnected")


Module().run()

"""A lamp that does not advertise while a phone is connected."""

import sys

from radio import Radio, say


class Lamp(Radio):
    def __init__(self, is_faulty: bool) -> None:
        self._is_faulty = is_faulty
        self._has_command = False
        super().__init__()

    def connected(self) -> None:
        self._has_command = False
        self.advertise(False)

    def wrote(self, value: bytes) -> None:
        self._has_command = True
        self.answer("ok")

    def disconnected(self) -> None:
        # A faulty lamp begins again only after a conversation that had its end.
        if self._has_command or not self._is_faulty:
            self.advertise(True, lambda: say("advertises again"))


Lamp(sys.argv[1] == "faulty").run()

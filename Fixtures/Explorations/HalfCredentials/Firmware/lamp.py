"""A lamp that gets its credentials as JSON, in as many writes as it takes."""

import json
import sys

from radio import Radio, say


class Lamp(Radio):
    def __init__(self, is_faulty: bool) -> None:
        self._is_faulty = is_faulty
        self._buffer = b""
        super().__init__()

    def wrote(self, value: bytes) -> None:
        self._buffer += value
        if not self._buffer.endswith(b"}"):
            return
        try:
            json.loads(self._buffer)
            self.answer("ok")
        except ValueError:
            self.answer("no JSON")
        self._buffer = b""

    def disconnected(self) -> None:
        say("disconnected")
        # A faulty lamp takes the first half of one attempt and the whole of the next for one text.
        if not self._is_faulty:
            self._buffer = b""


Lamp(sys.argv[1] == "faulty").run()

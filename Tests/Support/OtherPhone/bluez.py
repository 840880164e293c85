#!/usr/bin/env python3
"""A phone that hil did not write: a board with stock BlueZ, whose person is this program, by bluetoothctl over SSH.

    hil run SCENARIO --rig hand,pi-acc --person "python3 bluez.py [OPTION…] -- ssh pi-phone"

The options are those of phone.py.
"""

import asyncio
import re
import sys

import phone

# Colours, and what moves the cursor.
ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x01\x02\r]")


class Board(phone.Phone):
    """The words are those that bluetoothctl prints."""

    def __init__(self, options, login):
        super().__init__(options)
        self.login = login
        self.text = ""
        self.news = asyncio.Event()

    async def begin(self, socket):
        await self.forget()
        self.shell = await asyncio.create_subprocess_exec(
            *self.login,
            *("bluetoothctl", "--agent", "DisplayYesNo"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        self.reading = asyncio.create_task(self.read())
        await self.prints("Agent registered")
        await self.say("power on", "succeeded")

    async def forget(self):
        """Removes what an earlier run has left."""
        for address in re.findall(r"Device (\S+)", await self.run("devices")):
            await self.run("remove", address)

    async def run(self, *words):
        """What bluetoothctl prints for one command."""
        shell = await asyncio.create_subprocess_exec(
            *self.login, "bluetoothctl", *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
        )
        return (await shell.communicate())[0].decode(errors="replace")

    async def read(self):
        while part := await self.shell.stdout.read(4096):
            self.text += ESCAPES.sub("", part.decode(errors="replace"))
            self.news.set()

    async def prints(self, pattern):
        """Waits for a text, and forgets what came before its end."""
        async with asyncio.timeout(phone.PATIENCE):
            while not (found := re.search(pattern, self.text)):
                self.news.clear()
                await self.news.wait()
        self.text = self.text[found.end() :]
        return found

    async def say(self, line, answer=None):
        self.shell.stdin.write(f"{line}\n".encode())
        await self.shell.stdin.drain()
        return await self.prints(answer) if answer else None

    async def pick(self, name):
        found = await self.say("scan le", rf"Device ((?:[0-9A-F]{{2}}:){{5}}[0-9A-F]{{2}}) {re.escape(name)}\b")
        self.address = found[1]
        await self.say("scan off")
        await self.say(f"pair {self.address}", "Attempting to pair")

    async def compare(self, number):
        shown = await self.prints(r"Confirm passkey (\d{6})")
        is_same = shown[1] == number
        await self.say("yes" if is_same else "no", "Pairing successful" if is_same else "Failed to pair")
        return is_same

    async def discover(self):
        if not self.values:
            await self.say(f"info {self.address}", "ServicesResolved: yes|UUID:")
            self.values = {"resolved": True}

    async def come_and_go(self, word):
        if word == "leave":
            await self.say(f"disconnect {self.address}", "Successful disconnected|Disconnection successful")
        else:
            # Linux encrypts the link by itself: it has the keys of the pairing.
            await self.say(f"connect {self.address}", "Connection successful")
        self.values = {}

    async def use(self, command):
        word, *rest = command.split()
        if word == "pick":
            return await self.pick(" ".join(rest))
        if word in ("leave", "return"):
            return await self.come_and_go(word)
        uuid, *rest = rest
        await self.discover()
        await self.say(f"gatt.select-attribute {uuid.lower()}", "service|char|Attribute")
        if word == "subscribe":
            self.heard[uuid] = asyncio.Queue()
            await self.say("gatt.notify on", "Notify started|Notifying: yes")
        elif word == "read":
            await self.say("gatt.read", "Attempting to read")
        elif word == "write":
            value = " ".join(f"0x{byte:02x}" for byte in bytes.fromhex(rest[0]))
            await self.say(f'gatt.write "{value}"', "Attempting to write")
        else:
            raise ValueError(f"unknown command {command}")

    async def look(self, turn):
        if any(part in turn["text"] for part in self.sights):
            await self.prints(r"Attribute \S+ Value:")
            return "yes"
        return await super().look(turn)


place = sys.argv.index("--")
options = phone.arguments().parse_args(sys.argv[1:place])
asyncio.run(phone.serve(Board(options, sys.argv[place + 1 :])))

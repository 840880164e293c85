"""Lends places of a labgrid coordinator to one runner of hil.

The runner writes a JSON object a line to this program's standard input, and reads answers and events from its standard output:

    {"id": 1, "call": {"take": {"_0": {"place": "bench-1", "excluding": [], "patience": 60}}}}    or "tags": {"kind": "hil"}
    {"id": 2, "call": {"giveBack": {"place": "bench-1"}}}
    {"id": 3, "call": {"cyclePower": {"place": "bench-1", "board": "host", "seconds": 10}}}
    {"id": 4, "call": {"list": {}}}
    {"id": 5, "call": {"free": {"place": "bench-1", "force": false}}}
    {"callOff": {"_0": 1}}    {"beat": {}}    {"close": {}}

    {"id": 1, "outcome": {"success": {"_0": …}}}    {"id": 1, "outcome": {"failure": {"_0": {"reason": "…", "remedy": "…"}}}}
    {"event": "ready", "owner": "…"}    {"event": "lost", "place": "…", "why": "…", "remedy": "…"}    {"event": "note", "text": "…"}

It is the lease as well. It outlives its runner: when the input ends, or when nothing comes for `--silence` seconds, it waits for
`--grace` seconds, in which the boards can restore themselves, gives everything back and ends.
"""

import argparse
import asyncio
import json
import logging
import os
import signal
import sys

from lease import Lease
from owner import Owner
from session import Refused

LONGEST_LINE = 1 << 20


class Program:
    def __init__(self, arguments):
        self.arguments = arguments
        self.lease = Lease(arguments.coordinator, Owner.current(arguments.job), self.tell, arguments.mend)
        self.cancels, self.tasks = {}, set()
        self.over = asyncio.Event()
        self.was_closed = False
        self.heard = 0.0

    def tell(self, message):
        try:
            os.write(1, json.dumps(message).encode() + b"\n")
        except OSError:
            # Nobody reads any more: the end of the input says so as well.
            self.over.set()

    async def run(self):
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, lambda: None)
        # Whoever ends all processes ends the runner as well, which gives its boards back before it closes the input.
        loop.add_signal_handler(signal.SIGTERM, lambda: loop.call_later(self.arguments.silence, self.over.set))
        connection = asyncio.ensure_future(self.lease.stay_connected())
        reading = asyncio.ensure_future(self.read())
        watching = asyncio.ensure_future(self.watch())
        self.tell({"event": "ready", "owner": str(self.lease.owner)})
        await self.over.wait()
        for task in (reading, watching):
            task.cancel()
        for cancel in self.cancels.values():
            cancel.set()
        if self.tasks:
            # A board whose power is off is switched on again.
            await asyncio.wait(self.tasks, timeout=20)
        if self.lease.held and not self.was_closed:
            await asyncio.sleep(self.arguments.grace)
        await self.lease.give_all_back()
        connection.cancel()
        if self.lease.session:
            await self.lease.session.end()

    async def read(self):
        """Reads calls until the input ends."""
        reader = asyncio.StreamReader(limit=LONGEST_LINE)
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        try:
            while line := await reader.readline():
                self.heard = loop.time()
                self.hear(line)
        except ValueError:
            logging.error("a line is longer than %d bytes", LONGEST_LINE)
        self.over.set()

    async def watch(self):
        """Ends the program when nothing was heard for long."""
        loop = asyncio.get_running_loop()
        self.heard = loop.time()
        while loop.time() - self.heard < self.arguments.silence:
            before = loop.time()
            await asyncio.sleep(1)
            if loop.time() - before > 5:
                # This process had no processor, so that it could not hear anything either.
                self.heard = loop.time()
        self.over.set()

    def hear(self, line):
        try:
            message = json.loads(line)
            number, call = message.get("id"), message.get("call")
            if call is not None:
                ((name, values),) = call.items()
        except (ValueError, TypeError, AttributeError):
            logging.error("cannot read %r", line[:200])
            return
        if call is not None:
            self.cancels[number] = asyncio.Event()
            task = asyncio.ensure_future(self.carry_out(number, name, values))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        elif "callOff" in message:
            cancel = self.cancels.get((message["callOff"] or {}).get("_0"))
            if cancel:
                cancel.set()
        elif "close" in message:
            self.was_closed = True
            self.over.set()

    async def carry_out(self, number, name, values):
        try:
            outcome = {"success": {"_0": await self.answer(name, values, self.cancels[number])}}
        except Refused as problem:
            outcome = {"failure": {"_0": {"reason": problem.reason, "remedy": problem.remedy}}}
        except Exception as problem:
            logging.exception("cannot do %s %s", name, values)
            outcome = {"failure": {"_0": {"reason": f"{type(problem).__name__}: {problem}"}}}
        finally:
            del self.cancels[number]
        self.tell({"id": number, "outcome": outcome})

    async def answer(self, name, values, cancel):
        lease, place = self.lease, values.get("place")
        match name:
            case "take":
                got = await lease.take(values["_0"], cancel)
                if got and cancel.is_set():
                    await lease.give_back(got["place"])
                    return None
                return got
            case "giveBack":
                await lease.give_back(place)
                return {}
            case "cyclePower":
                await lease.cycle_power(place, values["board"], values["seconds"])
                return {}
            case "list":
                return await lease.list()
            case "free":
                return await lease.free(place, values["force"])
            case other:
                raise Refused(f"the call {other}: it is unknown here")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--coordinator", default="127.0.0.1:20408")
    parser.add_argument("--job", default="run")
    parser.add_argument("--mend", action="store_true", help="release what killed jobs left")
    parser.add_argument("--silence", type=float, default=30)
    parser.add_argument("--grace", type=float, default=3)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    # That the coordinator is gone is told in the answers.
    logging.getLogger().addFilter(lambda record: "coordinator" not in record.getMessage())

    async def run():
        await Program(arguments).run()

    asyncio.run(run())


if __name__ == "__main__":
    main()

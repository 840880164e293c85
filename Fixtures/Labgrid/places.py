"""Lends places of a labgrid coordinator to one runner of hil.

The runner writes a JSON object a line to this program's standard input, and reads answers and events from its standard output:

    {"id": 1, "do": "take", "place": "bench-1"}    or  "tags": {"kind": "hil"}, with "excluding": […], "patience": seconds
    {"id": 2, "do": "give back", "place": "bench-1"}
    {"id": 3, "do": "cycle power", "place": "bench-1", "board": "host", "seconds": 10}
    {"id": 4, "do": "list"}
    {"id": 5, "do": "free", "place": "bench-1", "force": false}
    {"do": "cancel", "of": 1}    {"do": "beat"}    {"do": "close"}

    {"id": 1, "answer": …}    {"id": 1, "reason": "…", "remedy": "…"}
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
        """Reads orders until the input ends."""
        reader = asyncio.StreamReader(limit=LONGEST_LINE)
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        try:
            while line := await reader.readline():
                self.heard = loop.time()
                self.order(line)
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

    def order(self, line):
        try:
            request = json.loads(line)
            what = request["do"]
        except (ValueError, TypeError, KeyError):
            logging.error("cannot read %r", line[:200])
            return
        if what == "close":
            self.was_closed = True
            self.over.set()
        elif what == "cancel":
            if request.get("of") in self.cancels:
                self.cancels[request["of"]].set()
        elif what != "beat":
            self.cancels[request.get("id")] = asyncio.Event()
            task = asyncio.ensure_future(self.carry_out(request))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def carry_out(self, request):
        number = request.get("id")
        cancel = self.cancels[number]
        try:
            self.tell({"id": number, "answer": await self.answer(request, cancel)})
        except Refused as problem:
            self.tell({"id": number, "reason": problem.reason, "remedy": problem.remedy})
        except Exception as problem:
            logging.exception("cannot do %s", request)
            self.tell({"id": number, "reason": f"{type(problem).__name__}: {problem}"})
        finally:
            del self.cancels[number]

    async def answer(self, request, cancel):
        lease, place = self.lease, request.get("place")
        match request["do"]:
            case "take":
                got = await lease.take(request, cancel)
                if got and cancel.is_set():
                    await lease.give_back(got["place"])
                    return None
                return got
            case "give back":
                return await lease.give_back(place)
            case "cycle power":
                return await lease.cycle_power(place, request["board"], request.get("seconds", 10))
            case "list":
                return await lease.list()
            case "free":
                return await lease.free(place, request.get("force", False))
            case other:
                raise Refused(f"there is no order {other}")


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

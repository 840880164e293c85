"""Takes places, holds them, and gives them back."""

import asyncio

import power
from boards import Bench, Problem
from labgrid.remote.common import ReservationState
from owner import Owner, holder, words
from session import Gone, Refused, Session

#: How often a reservation is polled; the coordinator forgets it after 60 s.
POLL_SECONDS = 2
RECONNECT_SECONDS = 30


class Lease:
    """The places that one hil job has."""

    def __init__(self, address, owner, tell, mends):
        self.address, self.owner, self.tell, self.mends = address, owner, tell, mends
        self.session = None
        self.held = {}
        self._change = asyncio.Event()
        self._taking = asyncio.Lock()
        self._gone = None
        self._has_connected = False

    # The connection

    async def stay_connected(self):
        """Connects, and again each time that the connection is lost. Never ends."""
        while True:
            session = Session(self.address, asyncio.get_running_loop()).setup(self.owner, self._changed)
            try:
                await session.connect()
                if self.mends:
                    await self._mend(session)
            except Refused as problem:
                self._gone = problem
                self._changed(None)
                await asyncio.sleep(1)
                continue
            self.session, self._has_connected, self._gone = session, True, None
            self._changed(None)
            await session.stopping.wait()
            self.session = None
            for name in list(self.held):
                self._lose(name, f"{Gone(self.address).reason} any more", "look after it, then run again")
            self.held.clear()
            await session.end()

    async def connected(self, cancel=None):
        """The connection. One that was lost is waited for, half a minute; one that never was is not."""
        end = asyncio.get_running_loop().time() + RECONNECT_SECONDS
        while self.session is None:
            seconds = end - asyncio.get_running_loop().time()
            if seconds <= 0 or (self._gone and not self._has_connected):
                raise self._gone or Gone(self.address)
            if cancel and cancel.is_set():
                raise Refused("it was cancelled")
            await self._wait(seconds, cancel)
        return self.session

    async def _mend(self, session):
        """Releases what this process holds without knowing, and what killed jobs of this user on this machine left."""
        for place in list(session.places.values()):
            if self._is_left(place):
                await self._release_left(session, place)
        for one in await session.reservations():
            owner = Owner.parse(one.owner)
            if owner and owner.user == self.owner.user and (owner == self.owner or owner.runs is False):
                await session.cancel(one.token)

    def _is_left(self, place):
        """Whether a place was left by this process, or by a killed job of this user on this machine."""
        owner = Owner.parse(place.acquired)
        if owner is None or owner.user != self.owner.user or place.name in self.held:
            return False
        return owner == self.owner or owner.runs is False

    async def _release_left(self, session, place):
        text = f"released {place.name}, which was left by {words(place.acquired)}"
        await session.release(place.name, place.acquired)
        self.tell({"event": "note", "text": text})

    def _changed(self, name, is_gone=False):
        """Something is different at the coordinator, about the place of this name or about a resource that may be gone:
        whoever waits looks again."""
        change, self._change = self._change, asyncio.Event()
        change.set()
        if self.session is None:
            return
        # With a thousand places a look at all of them for each change would cost more than all the rest.
        names = [name] if name in self.held else list(self.held) if is_gone else []
        for name in names:
            bench = self.held[name]
            place = self.session.places.get(name)
            if place is None:
                self._lose(name, "it was deleted at the coordinator", "run again on another place")
            elif place.acquired != str(self.owner):
                new = f", and {words(place.acquired)} holds it" if place.acquired else ""
                self._lose(name, f"somebody released it{new}", "ask who did, then run again")
            else:
                for path in bench.paths:
                    if self.session.known.get(path) is None:
                        self._lose(
                            name, f"the exporter {path[0]} no longer offers {'/'.join(path[1:])}",
                            f"start labgrid-exporter on {path[0]} again",
                        )
                        break

    def _lose(self, name, why, remedy):
        if self.held[name].is_lost:
            return
        self.held[name].is_lost = True
        self.tell({"event": "lost", "place": name, "why": why, "remedy": remedy})

    async def _wait(self, seconds, cancel=None):
        """Waits until something changes, the request is cancelled, or the time is over."""
        waits = [asyncio.ensure_future(event.wait()) for event in (self._change, cancel) if event]
        _, pending = await asyncio.wait(waits, timeout=max(0, seconds), return_when=asyncio.FIRST_COMPLETED)
        for one in pending:
            one.cancel()

    # Taking

    async def take(self, request, cancel):
        """Takes a place: the one that the request names, or any with its tags.

        Returns it; None if there is none left to wait for. Raises Refused.
        """
        named, tags = request.get("place"), request.get("tags") or {}
        excluded = set(request.get("excluding") or [])
        end = asyncio.get_running_loop().time() + request.get("patience", 0)
        reserved, parked = None, []
        try:
            while not cancel.is_set():
                session = await self.connected(cancel)
                async with self._taking:
                    places = self._places(session, named, tags)
                    if all(place.name in self.held or place.name in excluded for place in places):
                        return None
                    wanted = [one for one in places if one.name not in self.held and one.name not in excluded]
                    problems = []
                    for place in wanted:
                        if self.mends and self._is_left(place):
                            await self._release_left(session, place)
                        is_ours = reserved is not None and place.reservation == reserved.token
                        if place.acquired or (place.reservation and not is_ours):
                            continue
                        bench = await self._acquire(session, place, problems)
                        if bench:
                            return {"place": place.name, **bench.json}
                left = end - asyncio.get_running_loop().time()
                if left <= 0:
                    if self.held and not named:
                        return None
                    raise await self._why_none(session, wanted, named, tags, problems)
                if reserved is None:
                    reserved = await session.reserve({"name": wanted[0].name} if named else tags)
                reserved = await self._poll(session, reserved)
                if reserved.state is ReservationState.allocated and not any(
                    one.reservation == reserved.token for one in wanted
                ):
                    # The coordinator chose one that is not wanted. It keeps that while it looks for another.
                    parked.append(reserved)
                    reserved = None
                    continue
                await self._wait(min(left, POLL_SECONDS), cancel)
            return None
        finally:
            for one in parked + ([reserved] if reserved else []):
                await self._forget(one)

    def _places(self, session, named, tags):
        """The places that a request means. Raises Refused if there are none."""
        places = sorted(session.places.values(), key=lambda place: place.name)
        if named:
            found = [one for one in places if one.name == named] or [one for one in places if named in one.aliases]
            if not found:
                known = ", ".join(one.name for one in places[:10]) or "none"
                raise Refused(f"the coordinator at {self.address} has no place {named}", f"it has {known}")
            return found[:1]
        found = [one for one in places if tags.items() <= one.tags.items()]
        if not found:
            text = ", ".join(f"{name}={value}" for name, value in tags.items())
            raise Refused(
                f"no place of the coordinator at {self.address} has the tags {text}",
                "`hil bench list` shows all; `labgrid-client -p PLACE set-tags` sets tags",
            )
        return found

    async def _acquire(self, session, place, problems):
        """Acquires a free place; None if it is not to be had, with the reason in `problems`."""
        try:
            bench = Bench(place, session.known)
            bench.is_lost = False
            await session.acquire(place.name)
        except Problem as problem:
            problems.append(f"{place.name}: {problem}")
            return None
        except Gone:
            raise
        except Refused as problem:
            problems.append(f"{place.name}: {problem.reason}")
            return None
        self.held[place.name] = bench
        return bench

    async def _poll(self, session, reserved):
        try:
            now = await session.poll(reserved.token)
        except Gone:
            raise
        except Refused as problem:
            raise Refused(f"its reservation is gone: {problem.reason}", "run again") from None
        if now.state in (ReservationState.expired, ReservationState.invalid):
            raise Refused(
                f"its reservation {now.token} is {now.state.name}: the coordinator did not hear of it in time", "run again"
            )
        return now

    async def _forget(self, reserved):
        try:
            if self.session:
                await self.session.cancel(reserved.token)
        except Refused:
            # It is gone already, or expires by itself a minute after the last poll.
            pass

    async def _why_none(self, session, wanted, named, tags, problems):
        """Why none of these places is to be had, as an error to raise."""
        owners = {one.token: one.owner for one in await session.reservations()}
        reasons, is_left = [], None
        for place in wanted:
            if place.acquired:
                reasons.append(f"{place.name} is held by {words(place.acquired)}")
                who = holder(place.acquired)
                if who.get("runs") is False and who["user"] == self.owner.user:
                    is_left = place.name
            elif place.reservation:
                reasons.append(f"{place.name} is reserved by {words(owners.get(place.reservation, '?/?'))}")
        reasons += problems
        text = "; ".join(reasons[:10]) + (f"; and {len(reasons) - 10} more" if len(reasons) > 10 else "")
        if is_left:
            remedy = f"`hil bench release {is_left}` releases it"
        elif problems and len(problems) == len(reasons):
            remedy = "look after the exporter and the place's matches and tags; `hil bench list` shows them"
        else:
            remedy = "wait until it is released, or take another place; `hil bench list` shows all"
        if named:
            return Refused(text, remedy)
        text = f"none of {len(wanted)} place{'s' if len(wanted) > 1 else ''} is free: {text}"
        return Refused(text, remedy)

    # Giving back

    async def give_back(self, name):
        """Releases a place, if this job still has it."""
        if self.held.pop(name, None) is not None and self.session:
            await self.session.release(name, str(self.owner))

    async def give_all_back(self):
        """Releases everything. Whatever cannot be released now is released by the next job of this user here."""
        for one in await asyncio.gather(*map(self.give_back, list(self.held)), return_exceptions=True):
            if isinstance(one, Exception) and not isinstance(one, Refused):
                raise one

    async def cycle_power(self, name, board, seconds):
        bench = self.held.get(name)
        if bench is None:
            raise Refused("this job does not hold the place")
        found = bench.power(board)
        if found is None:
            raise Refused(f"nothing switches its {board} board", f"give the place a power resource of the name {board}-power")
        if not power.can_switch(found[0]):
            raise Refused(f"hil does not know how to switch a {found[0]}", "labgrid-client power does, by hand")
        try:
            await asyncio.get_running_loop().run_in_executor(None, power.cycle, name, *found, seconds)
        except Exception as problem:
            raise Refused(f"{found[0]}: {type(problem).__name__}: {problem}", "look after the power switch") from None

    # For people

    async def list(self):
        """All places, with who holds them and since when, as JSON objects."""
        session = await self.connected()
        owners = {one.token: one.owner for one in await session.reservations()}
        return [self._described(session, place, owners) for _, place in sorted(session.places.items())]

    def _described(self, session, place, owners):
        described = {
            "name": place.name, "comment": place.comment, "tags": place.tags, "aliases": sorted(place.aliases),
            "holder": holder(place.acquired), "since": place.changed if place.acquired else None,
            "reserved": holder(owners.get(place.reservation)) if not place.acquired else None,
        }
        try:
            return {**described, "boards": Bench(place, session.known).json}
        except Problem as problem:
            return {**described, "problem": str(problem)}

    async def free(self, named, by_force):
        """Releases what killed hil jobs of this user hold; a named place also if the job runs, or by force whoever holds it.

        Returns a JSON object for each place that was released, or that a hil job of this user keeps.
        """
        session = await self.connected()
        places = self._places(session, named, {}) if named else sorted(session.places.values(), key=lambda one: one.name)
        done = []
        for place in places:
            owner = Owner.parse(place.acquired)
            is_own = owner is not None and owner.user == self.owner.user
            outcome = {"place": place.name, "holder": holder(place.acquired), "released": False}
            if not place.acquired:
                if named:
                    done.append(outcome)
            elif is_own and (named or owner.runs is False) or by_force and named:
                await session.release(place.name, place.acquired)
                done.append({**outcome, "released": True})
            elif named:
                raise Refused(
                    f"it is held by {words(place.acquired)}, which is not a hil job of {self.owner.user}",
                    "--force takes it from them",
                )
            elif is_own:
                done.append(outcome)
        return done

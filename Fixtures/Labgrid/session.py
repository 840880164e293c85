"""The connection to a coordinator, over labgrid's own client, and its calls."""

import asyncio
import logging

import grpc
from labgrid.remote.client import ClientSession, ServerError
from labgrid.remote.common import Reservation
from labgrid.remote.generated import labgrid_coordinator_pb2 as messages

from boards import Resources

#: How long one call may take: the coordinator gives an exporter 10 s for each of a place's resources.
CALL_SECONDS = 60
CONNECT_SECONDS = 10


class Refused(Exception):
    """The coordinator refused a call, or a request makes no sense: why, and what to do about it."""

    def __init__(self, reason, remedy=None):
        super().__init__(reason)
        self.reason, self.remedy = reason, remedy


class Gone(Refused):
    """The coordinator does not answer."""

    def __init__(self, address, why=None):
        super().__init__(
            f"the coordinator at {address} does not answer" + (f": {why}" if why else ""),
            "start it with `labgrid-coordinator`, or name another one in LG_COORDINATOR",
        )


class Session(ClientSession):
    """A client that says who it is, and calls back whenever something changes."""

    def setup(self, owner, changed):
        self.owner, self.changed = owner, changed
        self.known = Resources()
        return self

    def gethostname(self):
        return self.owner.hostpart

    def getuser(self):
        return self.owner.user

    async def connect(self):
        """Connects, and takes in all places and resources. Raises Gone."""
        try:
            await asyncio.wait_for(self.start(), CONNECT_SECONDS)
        except (ServerError, asyncio.TimeoutError, grpc.aio.AioRpcError):
            await self.end()
            raise Gone(self.address) from None

    async def end(self):
        try:
            await asyncio.wait_for(self.stop(), 2)
        except (asyncio.TimeoutError, AssertionError):
            logging.debug("the stream to the coordinator did not end")
        await self.close()

    async def on_place_changed(self, place_pb2):
        await super().on_place_changed(place_pb2)
        self.changed(place_pb2.name)

    async def on_place_deleted(self, name):
        await super().on_place_deleted(name)
        self.changed(name)

    async def on_resource_changed(self, exporter, group_name, resource_name, resource):
        # labgrid's own index is not used: it keeps resources that are gone.
        self.known.change(exporter, group_name, resource_name, resource)
        self.changed(None, is_gone=not resource.get("cls"))

    async def _call(self, method, request):
        try:
            return await method(request, timeout=CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
                raise Gone(self.address) from None
            raise Refused(error.details() or str(error.code())) from None

    async def acquire(self, name):
        await self._call(self.stub.AcquirePlace, messages.AcquirePlaceRequest(placename=name))
        if not await self.sync_with_coordinator():
            raise Gone(self.address)

    async def release(self, name, owner):
        """Releases a place if this owner still holds it."""
        await self._call(self.stub.ReleasePlace, messages.ReleasePlaceRequest(placename=name, fromuser=owner))
        await self.sync_with_coordinator()

    async def reserve(self, tags):
        filters = {"main": messages.Reservation.Filter(filter=tags)}
        answer = await self._call(
            self.stub.CreateReservation, messages.CreateReservationRequest(filters=filters, prio=0.0)
        )
        return Reservation.from_pb2(answer.reservation)

    async def poll(self, token):
        answer = await self._call(self.stub.PollReservation, messages.PollReservationRequest(token=token))
        return Reservation.from_pb2(answer.reservation)

    async def cancel(self, token):
        await self._call(self.stub.CancelReservation, messages.CancelReservationRequest(token=token))

    async def reservations(self):
        answer = await self._call(self.stub.GetReservations, messages.GetReservationsRequest())
        return [Reservation.from_pb2(one) for one in answer.reservations]

import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel

/// Host stacks without a board: their sockets on one side, their controllers on the other.
extension AirServer {
    /// Handles events of programs.
    func take(_ events: [HostStackPorts.Event]) { for event in events { perform(medium.take(event)) } }

    /// Makes a controller and its socket for a client.
    func attachStack(at wanted: DeviceAddress?, _ asked: Asked<HostStackPort>) -> AirAnswer {
        open(asked) { medium throws(AirError) in try medium.reserveStack(at: wanted, client: asked.ticket.client) }
    }

    /// Makes the phone's controller and its socket for a client.
    func attachPhone(_ asked: Asked<HostStackPort>) -> AirAnswer {
        open(asked) { medium throws(AirError) in try medium.reservePhone(client: asked.ticket.client) }
    }

    private func open(
        _ asked: Asked<HostStackPort>,
        _ reserve: (inout Medium) throws(AirError) -> (adapter: AdapterID, address: DeviceAddress)
    ) -> AirAnswer {
        do throws(AirError) {
            let (adapter, address) = try reserve(&medium)
            do throws(SystemError) { try stacks.open(adapter) } catch {
                medium.releaseStack(adapter)
                return asked.refuse("\(error)")
            }
            return asked.answer(HostStackPort(adapter: adapter, address: address, socket: stacks.path(of: adapter)))
        } catch { return asked.refuse("\(error)") }
    }

    /// Removes a controller and its socket.
    func detachStack(_ adapter: AdapterID) {
        stacks.close(adapter)
        medium.releaseStack(adapter)
    }

    /// Removes everything that a client has attached and left behind.
    func detachStacks(of client: Int) { for adapter in medium.stacks(of: client) { detachStack(adapter) } }
}

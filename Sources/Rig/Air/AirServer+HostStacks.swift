import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel

/// Host stacks without a board: their sockets on one side, their controllers on the other.
extension AirServer {
    /// Handles events of programs.
    func take(_ events: [HostStackPorts.Event]) { for event in events { perform(medium.take(event)) } }

    /// Makes a controller and its socket for a client.
    func attachStack(at wanted: DeviceAddress?, _ ticket: Ticket) -> AirReply {
        open { medium throws(AirError) in try medium.reserveStack(at: wanted, client: ticket.client) }
    }

    /// Makes the phone's controller and its socket for a client.
    func attachPhone(_ ticket: Ticket) -> AirReply {
        open { medium throws(AirError) in try medium.reservePhone(client: ticket.client) }
    }

    private func open(
        _ reserve: (inout Medium) throws(AirError) -> (adapter: AdapterID, address: DeviceAddress)
    ) -> AirReply {
        do throws(AirError) {
            let (adapter, address) = try reserve(&medium)
            do throws(SystemError) { try stacks.open(adapter) } catch {
                medium.releaseStack(adapter)
                return .refused("\(error)")
            }
            return .stack(HostStackPort(adapter: adapter, address: address, socket: stacks.path(of: adapter)))
        } catch { return .refused("\(error)") }
    }

    /// Removes a controller and its socket.
    func detachStack(_ adapter: AdapterID) -> AirReply {
        stacks.close(adapter)
        medium.releaseStack(adapter)
        return .done
    }

    /// Removes everything that a client has attached and left behind.
    func detachStacks(of client: Int) { for adapter in medium.stacks(of: client) { _ = detachStack(adapter) } }
}

import BoardProtocol
import Glibc
import HILBlueZ
import HILPOSIX
import HILTiming
import RadioModel
import Synchronization

/// The Bluetooth controller of a host board, while the phone's own host stack has it in place of the kernel.
package final class HostController: Sendable {
    /// A file that exists while it is taken. If the agent is killed, it says that the controller may still advertise,
    /// scan or have links, although the kernel has switched it off.
    package static let marker = "/run/hil/controller"

    /// What was taken.
    private struct Taken {
        let relay: ControllerRelay
        /// Whether the kernel had the adapter switched on.
        let wasPowered: Bool
    }

    private struct State {
        var taken: Taken?
        var lastSession: UInt32 = 0
    }

    private let address: DeviceAddress?
    private let folder: AgentFolder
    private let send: @Sendable (Frame) -> Void
    private let emit: @Sendable (BoardEvent) -> Void
    /// Lets one taking or giving back through at a time.
    private let gate = Gate()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - address: The address of the board's adapter; nil for the first one.
    ///   - folder: The agent's folder, `/run/hil`.
    ///   - send: Queues a frame for the runner. It never waits.
    init(
        at address: DeviceAddress?, in folder: AgentFolder, send: @escaping @Sendable (Frame) -> Void,
        emit: @escaping @Sendable (BoardEvent) -> Void
    ) {
        (self.address, self.folder, self.send, self.emit) = (address, folder, send, emit)
    }

    /// The session of the taken controller; nil if it is not taken.
    var session: UInt32? { state.withLock { $0.taken?.relay.session } }

    /// Switches the adapter off and takes it from the kernel.
    ///
    /// - Returns: The session of the messages, and the adapter's public address.
    /// - Throws: ``RadioError``. Then the kernel has the adapter as before.
    func take() async throws(RadioError) -> (session: UInt32, address: DeviceAddress) {
        await gate.enter()
        defer { gate.leave() }
        guard session == nil else { throw .invalid("the phone's host stack has the controller already") }
        let (adapter, controller) = try await find(within: .seconds(10))
        let session = state.withLock { state in
            state.lastSession += 1
            return state.lastSession
        }
        do {
            // A controller that the kernel has just found may still be starting; one that was on is ready, and the kernel
            // has reset it.
            try await adapter.setPowered(true, controller.number)
            try await adapter.setPowered(false, controller.number)
            try folder.write("", to: "controller")
            let send = send
            let relay = try ControllerRelay(session: session, send: { send($0.frame) }, emit: emit) {
                take, lost throws(SystemError) in
                try UserChannel(controller.number, take: take, lost: lost)
            }
            state.withLock { $0.taken = Taken(relay: relay, wasPowered: controller.isPowered) }
        } catch {
            try? await giveBackNow(or: controller.isPowered)
            let advice = (error as? SystemError).flatMap { UserChannel.advice(for: $0) }
            throw RadioError.rig("\(error)\(advice.map { ": \($0)" } ?? "")")
        }
        return (session, controller.address)
    }

    /// Passes a message of the runner to the controller. Returns at once.
    func take(_ payload: [UInt8]) {
        guard let message = ControllerFrame(payload: payload) else {
            return emit(.refused("a message of \(payload.count) bytes to the controller cannot be read"))
        }
        state.withLock { $0.taken?.relay }?.take(message)
    }

    /// Gives the controller back; returns when the kernel has it, powered as before. Does nothing if it is not taken.
    ///
    /// - Parameter session: Only if it was taken for this session; nil for any.
    func giveBack(of session: UInt32? = nil) async throws(RadioError) {
        await gate.enter()
        defer { gate.leave() }
        guard let now = self.session, session == nil || session == now else { return }
        try await giveBackNow(or: false)
    }

    /// Closes the controller. The kernel has it again, switched off.
    func close() async { await state.withLock { $0.taken }?.relay.close() }

    /// - Parameter wasPowered: The power if nothing was taken.
    private func giveBackNow(or wasPowered: Bool) async throws(RadioError) {
        let taken = state.withLock { state in
            defer { state.taken = nil }
            return state.taken
        }
        await taken?.relay.close()
        // A USB controller may load its firmware again.
        let (adapter, controller) = try await find(within: .seconds(20))
        do {
            // The host stack may have left advertisements, a scan or links. The kernel resets a controller that it
            // switches on.
            try await adapter.setPowered(true, controller.number)
            if !(taken?.wasPowered ?? wasPowered) { try await adapter.setPowered(false, controller.number) }
        } catch { throw RadioError(rig: error) }
        unlink(folder.file("controller"))
    }

    private func find(
        within limit: Duration
    ) async throws(RadioError) -> (HostAdapter, HostAdapter.Controller) {
        do {
            let adapter = try HostAdapter(at: address)
            return (adapter, try await adapter.controller(within: limit))
        } catch { throw RadioError(rig: error) }
    }
}

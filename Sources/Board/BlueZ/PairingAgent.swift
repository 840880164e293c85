import HILDBus
import Synchronization

/// The pairing agent: answers the questions of bluetoothd during pairing.
///
/// Source: BlueZ 5.82, `doc/org.bluez.Agent.rst`.
package final class PairingAgent: Sendable {
    /// What this end of a pairing can show to a person and ask for.
    package enum Capability: String, Sendable {
        case displayOnly = "DisplayOnly"
        case displayYesNo = "DisplayYesNo"
        case keyboardOnly = "KeyboardOnly"
        case noInputNoOutput = "NoInputNoOutput"
        case keyboardDisplay = "KeyboardDisplay"
    }

    /// A question or a message of bluetoothd, with the object path of the device.
    package enum Request: Sendable {
        /// Numeric comparison: are the six digits the same on both devices? Needs an answer.
        case confirm(device: String, passkey: UInt32, Answer)
        /// The peer started a pairing without a comparison. Needs an answer.
        case authorize(device: String, Answer)
        /// The question no longer needs an answer.
        case cancelled
    }

    /// Answers a request once.
    package struct Answer: Sendable {
        let call: BusCall

        /// Accepts or refuses. A second answer is ignored.
        package func callAsFunction(_ isAccepted: Bool) {
            if isAccepted { call.reply() } else { call.fail(BlueZ.ErrorName.rejected, "refused by the person") }
        }
    }

    /// The object path of the agent.
    package static let path = "/hil/agent"
    private let daemon: BluetoothDaemon
    private let capability: Capability

    /// Puts the agent on the bus. Call ``register(within:)`` to make bluetoothd use it.
    ///
    /// - Parameter handler: Called on the connection's thread.
    package init(
        of daemon: BluetoothDaemon, capability: Capability, handler: @escaping @Sendable (Request) -> Void
    ) {
        self.daemon = daemon
        self.capability = capability
        let refuse: @Sendable (BusCall) -> Void = { $0.fail(BlueZ.ErrorName.rejected, "there is no keyboard") }
        let acknowledge: @Sendable (BusCall) -> Void = { $0.reply() }
        let methods: [String: @Sendable (BusCall) -> Void] = [
            "Release": acknowledge,
            "Cancel": { call in
                call.reply()
                handler(.cancelled)
            },
            "RequestConfirmation": { call in
                guard call.arguments.count == 2, case .path(let device) = call.arguments[0],
                    case .uint32(let passkey) = call.arguments[1]
                else { return call.fail(BlueZ.ErrorName.rejected, "wrong arguments") }
                handler(.confirm(device: device, passkey: passkey, Answer(call: call)))
            },
            "RequestAuthorization": { call in
                guard case .path(let device)? = call.arguments.first else {
                    return call.fail(BlueZ.ErrorName.rejected, "wrong arguments")
                }
                handler(.authorize(device: device, Answer(call: call)))
            },
            "AuthorizeService": acknowledge, "DisplayPasskey": acknowledge, "DisplayPinCode": acknowledge,
            "RequestPasskey": refuse, "RequestPinCode": refuse,
        ]
        daemon.connection.export(BusObject([BlueZ.Interface.agent: .init(methods: methods)]), at: Self.path)
    }

    /// Makes bluetoothd ask others from now on.
    package func unregister(within limit: Duration) async throws(BusError) {
        try await daemon.object("/org/bluez").call(
            "UnregisterAgent", of: BlueZ.Interface.agentManager, [.path(Self.path)], within: limit)
    }

    /// Makes it the default agent of bluetoothd. Call it again after bluetoothd has restarted.
    package func register(within limit: Duration) async throws(BusError) {
        let manager = daemon.object("/org/bluez")
        do throws(BusError) {
            try await manager.call(
                "RegisterAgent", of: BlueZ.Interface.agentManager,
                [.path(Self.path), .string(capability.rawValue)], within: limit)
        } catch { guard error.name == BlueZ.ErrorName.alreadyExists else { throw error } }
        try await manager.call(
            "RequestDefaultAgent", of: BlueZ.Interface.agentManager, [.path(Self.path)], within: limit)
    }
}

import DBus
import Synchronization

/// Answers bluetoothd's questions while it pairs.
///
/// Source: BlueZ 5.82, `doc/org.bluez.Agent.rst`.
package final class PairingAgent: Sendable {
    /// What this end of a pairing can show and ask a person.
    package enum Capability: String, Sendable {
        case displayOnly = "DisplayOnly"
        case displayYesNo = "DisplayYesNo"
        case keyboardOnly = "KeyboardOnly"
        case noInputNoOutput = "NoInputNoOutput"
        case keyboardDisplay = "KeyboardDisplay"
    }

    /// What bluetoothd asks or tells, with the object path of the device.
    package enum Request: Sendable {
        /// Numeric comparison: whether the six digits are the same on both ends. To be answered.
        case confirm(device: String, passkey: UInt32, Answer)
        /// A pairing without any comparison that the peer began. To be answered.
        case authorize(device: String, Answer)
        /// What was asked is of no interest any more.
        case cancelled
    }

    /// The one answer to a request.
    package struct Answer: Sendable {
        let call: BusCall

        /// Agrees or refuses; a second answer is ignored.
        package func callAsFunction(_ isAccepted: Bool) {
            if isAccepted { call.reply() } else { call.fail(BlueZ.ErrorName.rejected, "refused by the person") }
        }
    }

    /// Where the agent is on the bus.
    package static let path = "/hil/agent"
    private let daemon: BluetoothDaemon
    private let capability: Capability

    /// Puts the agent on the bus; ``register(within:)`` makes bluetoothd know it.
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

    /// Makes it bluetoothd's default agent; again after bluetoothd was restarted.
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

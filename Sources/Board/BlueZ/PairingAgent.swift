import HILDBus
import RadioModel
import Synchronization

/// The pairing agent: answers the questions of bluetoothd during pairing.
///
/// Source: BlueZ 5.82, `doc/org.bluez.Agent.rst`.
package final class PairingAgent: Sendable {
    /// A question or a message of bluetoothd, with the object path of the device.
    package enum Request: Sendable {
        /// Numeric comparison: are the six digits the same on both devices? Needs an answer.
        case confirm(device: String, passkey: UInt32, Answer)
        /// The peer started a pairing without a comparison. Needs an answer.
        case authorize(device: String, Answer)
        /// The person enters the number that the other device shows. Needs an answer.
        case enter(device: String, NumberAnswer)
        /// Show this number: the person enters it on the other device.
        case show(device: String, passkey: UInt32)
    }

    /// Answers a request once.
    package struct Answer: Sendable {
        let call: BusCall

        /// Accepts or refuses. A second answer is ignored.
        package func callAsFunction(_ isAccepted: Bool) {
            if isAccepted { call.reply() } else { call.fail(BlueZ.ErrorName.rejected, "refused by the person") }
        }
    }

    /// Answers with a number, once.
    package struct NumberAnswer: Sendable {
        let call: BusCall

        /// Enters a number, 0 to 999999; nil to refuse. A second answer is ignored.
        package func callAsFunction(_ passkey: UInt32?) {
            if let passkey { call.reply([.uint32(passkey)]) } else { call.fail(BlueZ.ErrorName.rejected, "no number") }
        }
    }

    /// The object path of the agent.
    package static let path = "/hil/agent"
    private let daemon: BluetoothDaemon
    private let capability: Mutex<PairingCapability>

    /// Puts the agent on the bus. Call ``register(within:)`` to make bluetoothd use it.
    ///
    /// - Parameter handler: Called on the connection's thread.
    package init(
        of daemon: BluetoothDaemon, capability: PairingCapability, handler: @escaping @Sendable (Request) -> Void
    ) {
        self.daemon = daemon
        self.capability = Mutex(capability)
        let refuse: @Sendable (BusCall) -> Void = { $0.fail(BlueZ.ErrorName.rejected, "LE has no PIN codes") }
        let acknowledge: @Sendable (BusCall) -> Void = { $0.reply() }
        let methods: [String: @Sendable (BusCall) -> Void] = [
            "Release": acknowledge, "Cancel": acknowledge,
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
            "RequestPasskey": { call in
                guard case .path(let device)? = call.arguments.first else {
                    return call.fail(BlueZ.ErrorName.rejected, "wrong arguments")
                }
                handler(.enter(device: device, NumberAnswer(call: call)))
            },
            "DisplayPasskey": { call in
                guard call.arguments.count == 3, case .path(let device) = call.arguments[0],
                    case .uint32(let passkey) = call.arguments[1]
                else { return call.fail(BlueZ.ErrorName.invalidArguments, "wrong arguments") }
                call.reply()
                handler(.show(device: device, passkey: passkey))
            },
            "AuthorizeService": acknowledge, "DisplayPinCode": acknowledge, "RequestPinCode": refuse,
        ]
        daemon.connection.export(BusObject([BlueZ.Interface.agent: .init(methods: methods)]), at: Self.path)
    }

    /// Makes bluetoothd ask other agents from now on.
    package func unregister(within limit: Duration) async throws(BusError) {
        try await daemon.object("/org/bluez").call(
            "UnregisterAgent", of: BlueZ.Interface.agentManager, [.path(Self.path)], within: limit)
    }

    /// Sets what this end can show and ask for. A change takes effect with the next ``register(within:)``.
    package func setCapability(_ wanted: PairingCapability) { capability.withLock { $0 = wanted } }

    /// Makes it the default agent of bluetoothd. Call it again after bluetoothd has restarted.
    package func register(within limit: Duration) async throws(BusError) {
        let manager = daemon.object("/org/bluez")
        do throws(BusError) {
            try await manager.call(
                "RegisterAgent", of: BlueZ.Interface.agentManager,
                [.path(Self.path), .string(capability.withLock { $0 }.rawValue)], within: limit)
        } catch { guard error.name == BlueZ.ErrorName.alreadyExists else { throw error } }
        try await manager.call(
            "RequestDefaultAgent", of: BlueZ.Interface.agentManager, [.path(Self.path)], within: limit)
    }
}

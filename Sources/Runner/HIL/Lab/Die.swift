import BoardProtocol
import RadioModel
import RigModel
import Timing

/// The accessory board, as a person with the accessories in the hand has it.
public final class AccessoryBoard: Sendable {
    private let board: BoardClient
    private let air: AirHandle
    private let recorder: ScenarioRecorder

    init(_ board: BoardClient, air: AirHandle, recorder: ScenarioRecorder) {
        self.board = board
        self.air = air
        self.recorder = recorder
    }

    /// Switches an accessory on; returns when it is on the air.
    ///
    /// Each accessory has a Bluetooth adapter of its own, and with it an address, bonds and a GATT server. To switch on what
    /// has this adapter already is to restart it.
    ///
    /// - Parameter adapter: 0 is there from the start, 1 to 7 are made when they are asked for first. The board has one radio
    ///   for Wi-Fi, which is that of 0: an accessory of another adapter opens no network.
    /// - Throws: ``RadioModel/RadioError``: ``RadioModel/RadioError/invalid(_:)`` for an adapter that cannot be,
    ///   ``RadioModel/RadioError/unsupported(_:)`` for a network of an accessory that has no Wi-Fi.
    @discardableResult
    public func powerOn(
        _ configuration: DieConfiguration, adapter: AdapterID = .first, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> Die {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            guard adapter.exists else {
                throw RadioError.invalid(
                    "a rig has \(AdapterID.limit) accessories at most, on the adapters 0 to \(AdapterID.limit - 1): "
                        + "there is no adapter \(adapter)")
            }
            if adapter != .first {
                try await RigFailure.doing("plugging in Bluetooth adapter \(adapter)", on: "the accessory board") {
                    try await air.rig.plugIn(.bluetooth, of: .accessory, adapter: adapter, recorder)
                }
            }
            // From here on: what an earlier die told is not this one's.
            let start = board.events.count
            let answer = try await board.ask(.die(.powerOn(configuration), on: adapter))
            guard case .address(let address) = answer else {
                throw RigFailure("switching a die on", on: "the accessory board", "it answered \(answer)")
            }
            recorder.record(.onAir(address, "the accessory board's adapter \(adapter) (\(configuration.name))"))
            return Die(
                board, name: configuration.name, adapter: adapter, address: address, since: start, recorder: recorder)
        }
    }
}

extension DieConfiguration {
    /// A die out of its box.
    ///
    /// - Parameters:
    ///   - name: What it advertises, and the name of its network.
    ///   - security: How its network keeps strangers out; nil opens no network.
    ///   - passphrase: Of that network, 8 to 63 characters.
    ///   - channel: Of that network: 1 to 13, 36, 40, 44, 48, 149, 153, 157, 161 or 165.
    ///   - advertising: What it says of itself beside the name; by default its service.
    ///   - cipherSuites: How it agrees on keys for notifications, the best first.
    ///   - relay: Where its maker's relay is: ``Internet/relay``; nil for a die with no way into the internet.
    ///   - misbehaviour: What it does wrong with notifications, each once, in this order.
    public static func die(
        named name: String, security: WiFiSecurity? = nil, passphrase: String = "seven is a prime", channel: Int = 1,
        pairing: Pairing = .accepts, advertising: DieAdvertising = DieAdvertising(),
        cipherSuites: [CipherSuite] = CipherSuite.allCases, relay: String? = nil, misbehaviour: [Misbehaviour] = []
    ) -> DieConfiguration {
        let networks = security.map { security in
            [
                NetworkConfiguration(
                    ssid: name, security: security, passphrase: security == .open ? nil : passphrase, channel: channel)
            ]
        }
        return DieConfiguration(
            name: name, advertising: advertising, pairing: pairing, networks: networks ?? [],
            cipherSuites: cipherSuites, relay: relay, misbehaviour: misbehaviour)
    }
}

/// A Bluetooth die that is switched on.
public final class Die: Sendable {
    /// The name that it was given.
    public let name: String
    /// The Bluetooth adapter that it has for itself, by which faults name it.
    public let adapter: AdapterID
    /// Its own address. One with a private address is heard under another until it is bonded.
    public let address: DeviceAddress
    /// What it told of itself since it was switched on.
    public let events = EventLog<DieEvent>()
    /// What it shows.
    public let screen: DieScreen
    private let board: BoardClient
    private let pump: Task<Void, Never>
    private let recorder: ScenarioRecorder

    /// - Parameter start: Where in the board's events its own begin.
    init(
        _ board: BoardClient, name: String, adapter: AdapterID, address: DeviceAddress, since start: Int,
        recorder: ScenarioRecorder
    ) {
        self.board = board
        self.name = name
        self.adapter = adapter
        self.address = address
        self.recorder = recorder
        screen = DieScreen(events, recorder: recorder)
        pump = Task { [events] in
            var place = start
            do {
                while true {
                    // The log ends with an error when the agent is lost; a wait of a day is "for ever" here.
                    let (event, next) = try await board.events.first(
                        from: place, within: .seconds(86_400), waitingFor: "an event of the accessory board")
                    place = next
                    if case .die(let told, adapter) = event { events.append(told) }
                }
            } catch { events.finish(throwing: error) }
        }
    }

    deinit { pump.cancel() }

    /// Rolls: the face, 1 to 6, is told to the phone that subscribed.
    public func roll(
        _ face: UInt8, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await command(.roll(face: face), at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Changes its answer to pairing requests from now on.
    public func setPairing(
        _ pairing: DieConfiguration.Pairing, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await command(.setPairing(pairing), at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Opens one more network; returns when it can be heard.
    public func openNetwork(
        _ network: NetworkConfiguration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await command(.openNetwork(network), at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Changes the passphrase of a network of its, which starts anew: a phone that is on it loses it, and joins again with the new
    /// one alone. Returns when it can be heard again.
    ///
    /// - Parameters:
    ///   - passphrase: 8 to 63 characters.
    ///   - ssid: Of a network that is open and protected; by default the one of the die's name.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for a passphrase that no network can have, which changes nothing.
    public func changePassphrase(
        _ passphrase: String, of ssid: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        try await command(
            .changePassphrase(ssid: ssid ?? name, to: passphrase),
            at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    public func closeNetwork(
        ssid: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await command(.closeNetwork(ssid: ssid), at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Takes another private address at once; a die that has none throws.
    public func rotateAddress(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await command(.rotateAddress, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Off the air; it keeps its bonds and keys.
    public func powerOff(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await command(.powerOff, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Waits for something that the die tells of itself, from its start on.
    ///
    /// - Parameter what: What is awaited, for the error: `the die to be bonded`.
    /// - Throws: ``Timing/TimedOut``, or ``RadioModel/RadioError/rig(_:)`` when its board is lost.
    @discardableResult
    public func event(
        within limit: Duration, waitingFor what: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, where matches: @escaping @Sendable (DieEvent) -> Bool
    ) async throws -> DieEvent {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try await events.first(within: limit, waitingFor: what, where: matches).event
        }
    }

    /// Has the die do something, at the wish of a scenario's line.
    func command(_ command: DieCommand, at location: SourceLocation) async throws {
        try await recorder.call(at: location) { try await self.command(command) }
    }

    func command(_ command: DieCommand) async throws {
        let answer = try await board.ask(.die(command, on: adapter))
        guard case .done = answer else {
            throw RigFailure("doing \(command)", on: "the accessory board", "it answered \(answer)")
        }
    }
}

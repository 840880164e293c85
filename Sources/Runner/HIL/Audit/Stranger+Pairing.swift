import HILBluetoothHost
import HILPhoneRadio
import HILTiming
import RadioModel

/// How a stranger pairs.
extension Stranger {
    /// What it does when a number is shown, or asked for.
    package enum Answer: Sendable {
        /// Says that the numbers are the same, and enters 000000.
        case accepts
        case refuses
        case enters(UInt32)
        /// Enters what its person reads on the accessory; nil if nobody can read anything.
        case reads(@Sendable () async -> UInt32?)
    }

    /// How an attempt to pair went.
    package struct Pairing: Sendable {
        /// The strength of the key; nil if there is none.
        package var bond: Bond?
        /// Why there is none.
        package var end: PairingEnd?
        /// The numbers that it was shown, or was to show.
        package var numbers: [UInt32] = []
        /// Whether the accessory waits for a number that it shows itself.
        package var wasAsked = false
    }

    /// The security manager's own limit is 30 s for each step.
    private static let pairingLimit = Duration.seconds(120)

    /// Pairs over the link to a device.
    ///
    /// - Throws: ``StackFailure`` if the stranger itself failed, which says nothing about the device.
    package func pair(with device: DeviceAddress, _ answer: Answer = .accepts) async throws -> Pairing {
        var pairing = Pairing()
        let mark = log.mark
        let answers = Task { [driver, log] in
            var mark = mark
            while let (event, next) = try? await log.first(
                Stranger.questions, since: mark, within: Stranger.pairingLimit)
            {
                mark = next
                await Stranger.answer(event, of: device, answer, driver)
            }
        }
        defer { answers.cancel() }
        do {
            if case .paired(let bond, _) = try await driver.perform(.pair(device)) { pairing.bond = bond }
            // All that happened before it is in the log then.
            try await next("the end of the pairing", since: mark, within: Stranger.powerLimit) {
                if case .paired = $0 { () } else { nil }
            }
        } catch StackFailure.pairing(let end) {
            pairing.end = end
        } catch let error as StackFailure where error.isOfTheLink {
            pairing.end = PairingEnd(.linkLost, by: .link, while: .response, detail: "\(error)")
        }
        let identified = EventPattern<StackEvent, DeviceAddress>("its identity") {
            if case .identified(device, let identity) = $0 { identity } else { nil }
        }
        identities[device] = log.all(identified, since: mark).last ?? identities[device]
        if let identity = identities[device] { heard.insert(identity) }
        pairing.numbers = log.all(Stranger.shownNumber, since: mark)
        pairing.wasAsked = log.contains(
            EventPattern("a question for a number") { if case .askPasskey = $0 { () } else { nil } }, since: mark)
        return pairing
    }

    private static let shownNumber = EventPattern<StackEvent, UInt32>("a number") { event in
        switch event {
        case .compare(_, let number), .showPasskey(_, let number): number
        default: nil
        }
    }

    private static let questions = EventPattern<StackEvent, StackEvent>("a question of the pairing") { event in
        switch event {
        case .compare, .askPasskey, .askConsent: event
        default: nil
        }
    }

    private static func answer(
        _ event: StackEvent, of device: DeviceAddress, _ answer: Answer, _ driver: StackDriver
    ) async {
        switch (event, answer) {
        case (.askPasskey, .accepts): await driver.act { $0.enterPasskey(device, 0, at: $1) }
        case (.askPasskey, .enters(let number)): await driver.act { $0.enterPasskey(device, number, at: $1) }
        case (.askPasskey, .reads(let read)):
            let number = await read()
            await driver.act { $0.enterPasskey(device, number, at: $1) }
        case (.askPasskey, .refuses): await driver.act { $0.enterPasskey(device, nil, at: $1) }
        case (_, .refuses): await driver.act { $0.confirm(device, false, at: $1) }
        default: await driver.act { $0.confirm(device, true, at: $1) }
        }
    }

    /// Keeps what comes to its security manager from now on, and may change what it sends there.
    ///
    /// - Parameter change: The command in place of one that it sends, with its code in front; nil for the same.
    package func watchPairing(
        changing change: @escaping @Sendable (SMPCommand.Code, [UInt8]) -> [UInt8]? = { _, _ in nil }
    ) async -> EventLog<[UInt8]> {
        let received = EventLog<[UInt8]>()
        let tap = PacketTap { packet in
            let bytes = Array(packet.frame.payload)
            guard packet.frame.channel == .securityManager, let first = bytes.first else { return .pass }
            if packet.direction == .received {
                received.append(bytes)
                return .pass
            }
            return SMPCommand.Code(rawValue: first).flatMap { change($0, bytes) }.map { .replace($0) } ?? .pass
        }
        await driver.act { stack, _ in
            stack.tap(tap)
            return []
        }
        return received
    }

    /// Forgets the bond with a device, as if it had never been there.
    package func forget(_ device: DeviceAddress) async {
        let address = current(device)
        identities[device] = nil
        await driver.act { $0.forget(address, at: $1) }
    }
}

extension StackFailure {
    /// Whether it is the end of the link, which the device may have brought about.
    fileprivate var isOfTheLink: Bool {
        switch self {
        case .notConnected, .notEstablished, .linkEnded: true
        default: false
        }
    }
}

extension EventLog<[UInt8]> {
    /// The commands of the security manager that came, in order.
    var codes: [SMPCommand.Code] { events.compactMap { $0.first.flatMap { SMPCommand.Code(rawValue: $0) } } }

    /// Why the device said that pairing has failed; nil if it did not.
    var refusal: PairingFailure? {
        events.last { $0.first == SMPCommand.Code.pairingFailed.rawValue && $0.count > 1 }.map {
            PairingFailure(rawValue: $0[1])
        }
    }

    /// What the device says that it can show and enter; nil if it did not answer a request to pair.
    var capability: PairingCapability? {
        events.first { $0.first == SMPCommand.Code.pairingResponse.rawValue && $0.count > 1 }.flatMap {
            PairingCapability(code: $0[1])
        }
    }

    /// What came, in words.
    var words: String { events.isEmpty ? "nothing" : codes.map { "\($0)" }.joined(separator: ", ") }
}

extension PairingFeatures {
    /// Says that it can neither show nor enter anything, so that pairing just works.
    mutating func hidesItself() {
        capability = .noInputNoOutput
        asksForAuthentication = false
    }
}

import HILBluetoothHost
import HILPhoneRadio
import HILRecord
import HILTiming
import RadioModel
import RigModel

/// A stranger near the accessory: the phone's own Bluetooth host with an attacker's habits, on a controller of its own.
///
/// Its packets go over the same air as the phone's, and are in the capture beside them.
@MainActor
package final class Stranger {
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

    /// Its address on the air.
    package let address: DeviceAddress
    package let driver: StackDriver
    /// The only device that it may meet; nil on a simulated air.
    var target: Bystanders.Target? { bystanders.target }
    private let controller: StrangersController
    /// Its controller may be somebody else's once it has left.
    private var hasLeft = false
    /// The devices that it may connect to.
    private var heard: Set<DeviceAddress> = []
    /// The identities of the devices that it has paired with, by the addresses at which it heard them.
    private var identities: [DeviceAddress: DeviceAddress] = [:]
    private let log: EventLog<StackEvent>
    private let pump: Task<Void, Never>
    /// Whom it leaves alone.
    private let bystanders: Bystanders

    /// How many events it keeps.
    private static let mostEvents = 10_000
    private static let powerLimit = Duration.seconds(10)
    /// The security manager's own limit is 30 s for each step.
    private static let pairingLimit = Duration.seconds(120)

    private init(_ controller: StrangersController, _ driver: StackDriver, near bystanders: Bystanders) {
        (self.controller, self.driver, self.bystanders) = (controller, driver, bystanders)
        address = controller.address.address
        let log = EventLog<StackEvent>(keepingAtMost: Stranger.mostEvents)
        self.log = log
        pump = Task { [events = driver.events] in
            for await event in events { log.append(event) }
        }
    }

    deinit { pump.cancel() }

    /// Puts a stranger on the air.
    ///
    /// - Parameters:
    ///   - habits: What it supports, and how it pairs.
    ///   - bystanders: Whom it leaves alone.
    ///   - address: The public address of a controller of its own; nil for the next free one.
    ///   - attacks: Whether its packets are those of an attack in the reports.
    /// - Throws: `RigLacks` if the rig has no controller for it; `OutOfReach`, `RadioError.rig`, `TimedOut`.
    static func appear(
        in lab: Lab, with habits: HostPersonality = .stranger, near bystanders: Bystanders,
        at address: DeviceAddress? = nil, attacks: Bool = true
    ) async throws -> Stranger {
        let controller = try await StrangersController.find(for: lab, at: address)
        do {
            let random: RandomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
            let identity = DeviceIdentity(
                resolvingKey: Value128(high: UInt64.random(in: 0 ... .max), low: UInt64.random(in: 0 ... .max)),
                address: controller.address)
            let stack = BluetoothStack(habits, identity: identity, random: random)
            let stranger = Stranger(
                controller, StackDriver(stack, on: controller.transport), near: bystanders)
            await stranger.driver.start()
            lab.recorder.record(.onAir(stranger.address, attacks ? "a stranger" : "a passer-by"))
            if attacks {
                lab.recorder.record(
                    .audit(.stranger(address: "\(stranger.address)", interface: controller.interface)))
            }
            try await stranger.begin()
            return stranger
        } catch {
            await controller.leave()
            throw error
        }
    }

    /// Has its controller, and is on.
    private func begin() async throws {
        guard !hasLeft, try await controller.take(for: self) else { return }
        let mark = log.mark
        await driver.act { $0.powerOn(at: $1) }
        try await next("its controller", since: mark, within: Self.powerLimit) {
            if case .poweredOn = $0 { () } else { nil }
        }
        if let target { try await accept(target.address) }
    }

    /// Lets somebody else have its controller. Its links end in order; it remembers its bonds.
    func stepAside() async {
        let mark = log.mark
        await driver.act { $0.powerOff(at: $1) }
        _ = try? await next("the end of its links", since: mark, within: .seconds(2)) {
            if case .poweredOff = $0 { () } else { nil }
        }
    }

    /// Takes it off the air. Its links end in order. A second call does nothing.
    package func leave() async {
        guard !hasLeft else { return }
        hasLeft = true
        await stepAside()
        await controller.leave()
    }

    // MARK: What it hears

    /// Waits for an event, from a mark on.
    @discardableResult
    package func next<Value: Sendable>(
        _ what: String, since mark: EventLog<StackEvent>.Mark = .start, within limit: Duration,
        _ pick: @escaping @Sendable (StackEvent) -> Value?
    ) async throws -> Value {
        try await log.first(EventPattern(what, value: pick), since: mark, within: limit, waitingFor: what).value
    }

    package var mark: EventLog<StackEvent>.Mark { log.mark }
    package var events: [StackEvent] { log.events }

    /// Listens until a device advertises that can be connected to, and is neither the phone nor a neighbour.
    package func hear(
        within limit: Duration = .seconds(10), where isWanted: @escaping @Sendable (Discovery) -> Bool = { _ in true }
    ) async throws -> Discovery {
        try await begin()
        var settings = ScanSettings()
        guard let target else { return try await hear(settings, within: limit, where: isWanted) }
        if target.resolvingKey != nil {
            // Nobody is asked for anything before it is known which one it is.
            settings.isActive = false
            let found = try await hear(settings, within: limit) { _ in true }
            if found.address != target.address { try await accept(found.address) }
            settings.isActive = true
        }
        settings.hearsAcceptListOnly = true
        return try await hear(settings, within: limit, where: isWanted)
    }

    private func hear(
        _ settings: ScanSettings, within limit: Duration, where isWanted: @escaping @Sendable (Discovery) -> Bool
    ) async throws -> Discovery {
        let mark = log.mark
        await driver.act { $0.scan(settings, at: $1) }
        let heard: Result<Discovery, any Error>
        do {
            heard = .success(
                try await next("an advertisement of the accessory", since: mark, within: limit) { [bystanders] in
                    guard case .heard(let discovery) = $0, discovery.isConnectable, isWanted(discovery),
                        !bystanders.include(discovery.address)
                    else { return nil }
                    return discovery
                })
        } catch { heard = .failure(error) }
        await driver.act { $0.scan(nil, at: $1) }
        let discovery = try heard.get()
        self.heard.insert(discovery.device.address)
        return discovery
    }

    /// Lets its controller hear a device when it hears only those of its list.
    private func accept(_ device: PeerAddress) async throws {
        guard case .command(.success, _) = try await driver.perform(.command(.leAddToFilterAcceptList(device))) else {
            throw StackFailure.invalid("a stranger's controller takes no device into its filter accept list")
        }
    }

    // MARK: What it does

    /// Connects to a device that it has heard.
    ///
    /// - Throws: ``StackFailure``, also for a device that it is to leave alone.
    package func connect(to device: DeviceAddress) async throws {
        try await begin()
        guard heard.contains(current(device)) else {
            throw StackFailure.invalid("a stranger connects to what it has heard of the accessory, not to \(device)")
        }
        _ = try await driver.perform(.connect(current(device)))
    }

    private func current(_ device: DeviceAddress) -> DeviceAddress { identities[device] ?? device }

    /// Connects to a device as soon as it advertises again, encrypted if there is a bond with it.
    ///
    /// A device that is late may end a link that comes soon after the last one: it has a second try.
    package func connectAgain(to device: DeviceAddress) async throws {
        do { try await connectOnceHeard(device) } catch StackFailure.linkEnded { try await connectOnceHeard(device) }
    }

    private func connectOnceHeard(_ device: DeviceAddress) async throws {
        let address = current(device)
        _ = try await hear { $0.device.address == address }
        try await connect(to: device)
    }

    package func disconnect(from device: DeviceAddress) async {
        _ = try? await driver.perform(.disconnect(current(device)))
    }

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

    /// Sends one request of the attribute protocol as it is, and asks for no better protection.
    ///
    /// - Returns: The answer, which may be an Error Response.
    /// - Throws: ``StackFailure`` if none comes.
    package func request(_ pdu: ATTPDU, of device: DeviceAddress) async throws -> ATTPDU {
        do {
            guard case .gatt(.pdu(let answer)) = try await driver.perform(.gatt(current(device), .request(pdu))) else {
                throw StackFailure.invalid("the answer to \(pdu) is no packet")
            }
            return answer
        } catch StackFailure.gatt(.refused(let error, let handle)) {
            return .errorResponse(request: pdu.opcode.rawValue, handle: handle, error: error)
        }
    }

    /// Writes a value without an answer.
    package func command(_ value: [UInt8], to handle: UInt16, of device: DeviceAddress) async throws {
        _ = try await driver.perform(.writeWithoutResponse(current(device), handle, value))
    }

    /// Listens for a while, and asks for scan responses.
    ///
    /// - Returns: What it heard of the accessory, in order.
    func listen(for time: Duration) async throws -> [Discovery] {
        try await begin()
        var settings = ScanSettings()
        settings.hearsAcceptListOnly = target != nil
        let mark = log.mark
        await driver.act { [settings] in $0.scan(settings, at: $1) }
        try await Task.sleep(for: time)
        await driver.act { $0.scan(nil, at: $1) }
        let heard = EventPattern<StackEvent, Discovery>("an advertisement of the accessory") { [bystanders] in
            guard case .heard(let discovery) = $0, !bystanders.include(discovery.address) else { return nil }
            return discovery
        }
        return log.all(heard, since: mark)
    }

    /// All attributes that a device shows to anybody: handles and types, in order.
    package func attributes(of device: DeviceAddress) async throws -> [AttributeInformation] {
        var found: [AttributeInformation] = []
        var first: UInt16 = 1
        while case .findInformationResponse(let more) = try await request(
            .findInformationRequest(HandleRange(first, 0xFFFF)), of: device)
        {
            // A server that goes back, or gives nothing, would be asked for ever.
            guard let last = more.last?.handle, more.first.map({ $0.handle >= first }) == true else { break }
            found += more
            guard last < 0xFFFF else { break }
            first = last + 1
        }
        return found
    }
}

extension HostPersonality {
    /// A stranger with a phone's abilities: it hides nothing, asks nobody, and gives up soon.
    package static let stranger: HostPersonality = {
        var habits = HostPersonality.iPhone
        habits.access.addresses.isPrivate = false
        habits.access.connector.establishmentTries = 5
        habits.access.connector.limit = .seconds(5)
        habits.pairing.consent = .never
        habits.gattClient.subscribesToServiceChanged = .never
        return habits
    }()

    /// The same with other abilities for pairing.
    package static func stranger(pairing change: (inout PairingFeatures) -> Void) -> HostPersonality {
        var habits = HostPersonality.stranger
        change(&habits.pairing)
        return habits
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

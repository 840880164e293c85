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
    /// Its address on the air.
    package let address: DeviceAddress
    package let driver: StackDriver
    /// The only device that it may meet; nil on a simulated air.
    var target: Bystanders.Target? { bystanders.target }
    private let controller: StrangersController
    /// Its controller may be somebody else's once it has left.
    private var hasLeft = false
    /// The devices that it may connect to.
    var heard: Set<DeviceAddress> = []
    /// The identities of the devices that it has paired with, by the addresses at which it heard them.
    var identities: [DeviceAddress: DeviceAddress] = [:]
    let log: EventLog<StackEvent>
    private let pump: Task<Void, Never>
    /// Whom it leaves alone.
    private let bystanders: Bystanders

    /// How many events it keeps.
    private static let mostEvents = 10_000
    static let powerLimit = Duration.seconds(10)

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

    /// The address at which it meets a device now.
    func current(_ device: DeviceAddress) -> DeviceAddress { identities[device] ?? device }

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

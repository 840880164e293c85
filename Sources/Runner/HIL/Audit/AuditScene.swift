import BoardProtocol
import HILAudit
import HILBluetoothHost
import HILPhone
import HILRecord
import HILTiming
import RadioModel
import RigModel

/// The place of one check: a lab with an accessory that is new or set up, its owner, and the strangers near it.
@MainActor
final class AuditScene {
    let lab: Lab
    let expectations: AuditExpectations
    /// What attacks send.
    let order: AttackOrder
    private let journey: Scenario.Body
    /// What the owner's phone has written.
    let ownersWrites = OwnersWrites()
    /// What the accessory's program, stack or description has told.
    let told = EventLog<AccessoryNote>(keepingAtMost: mostNotes)
    private var strangers: [Stranger] = []
    private var wifiStrangers: [WiFiStranger] = []
    private var running: Task<Void, any Error>?
    private var isSetUp = false
    private let gate = TrialGate()
    /// What programs and daemons of the accessory did that was not asked for, during an attack and after it.
    let troubles = CollectedFailures()
    /// Whether such troubles are collected.
    var isAttacked = false
    /// Whether the accessory does not live any more, so that its owner's journey cannot go on.
    var isLost = false
    /// Whether strangers stay while the owner's journey goes on.
    var strangersStay = false
    /// What its owner's journey has shown after the attack; nil if that adds nothing.
    var lastFinding: AuditFinding?
    /// The packets that the accessory survived.
    var attacked: [AttackPacket]?

    /// How many notes of the accessory are kept.
    private static let mostNotes = 10_000
    /// How much longer the step of a journey may take during which strangers come.
    private static let patience = Duration.seconds(180)
    /// Read BD_ADDR. Source: Core Specification 6.0, Vol 4, Part E, 7.4.6.
    private static let readAddress: UInt16 = 0x1009
    /// How long a journey may take until its first screen.
    private static let screenLimit = Duration.seconds(20)

    init(
        _ lab: Lab, _ expectations: AuditExpectations, _ order: AttackOrder, journey: @escaping Scenario.Body
    ) {
        (self.lab, self.expectations, self.order, self.journey) = (lab, expectations, order, journey)
        lab.recorder.onAccessory { [told] in told.append($0) }
    }

    /// Notes what was tried or what came, a sentence.
    func note(_ text: String) { record(.tried(text: text)) }

    /// Records which characteristics are open, and to whom. All reports show the last one that a check records.
    func record(_ matrix: AuditMatrix) { record(.matrix(matrix)) }

    /// Records what determines the packets of a check that makes them by chance.
    func record(seed: UInt64) { record(.seed(seed)) }

    func record(_ note: AuditNote) { lab.recorder.record(.audit(note)) }

    // MARK: The owner

    /// Lets the owner's journey go on until the phone shows its first screen, where the person stops: the accessory is on,
    /// and not set up.
    ///
    /// - Returns: False if the journey ended before.
    func beginJourney() async throws -> Bool {
        let person = lab.phone.person
        let screens = EventLog<Bool>()
        person.onLook { [gate] screen in
            screens.append(true)
            return gate.look(at: screen)
        }
        gate.holdPerson()
        lab.patience = AuditScene.patience
        let work = Task { @MainActor [lab, journey] in
            defer { screens.append(false) }
            try await overhear { try await journey(lab) }
        }
        running = work
        let isHeld = try await screens.first(
            within: AuditScene.screenLimit, waitingFor: "the journey's first screen"
        ).event
        lab.patience = .zero
        guard isHeld else {
            try await work.value
            return false
        }
        await letPhoneHear()
        return true
    }

    /// Lets the owner's journey go on to its end: the accessory is set up.
    func finishJourney() async throws {
        try await giveControllerBack()
        gate.releasePerson(of: lab.phone)
        if let running {
            try await running.value
        } else {
            try await overhear { [lab, journey] in try await journey(lab) }
        }
        running = nil
        isSetUp = true
        lab.phone.person.onLook(nil)
    }

    /// - Throws: ``OutOfReach`` if nothing shows what the owner's phone writes.
    func requireOwnersWrites() throws {
        guard !lab.phone.hasRawBluetooth else { return }
        throw OutOfReach(
            "nothing here shows what its owner's phone writes",
            instead: "audit it with the phone of hil, on virtual boards")
    }

    /// Notes what the owner's phone writes while something is done.
    private func overhear(_ body: @escaping @MainActor @Sendable () async throws -> Void) async throws {
        // A rig on which the phone has no host of its own shows no packets.
        guard lab.phone.hasRawBluetooth else { return try await body() }
        try await lab.phone.bluetooth.raw.withFilter(
            { [ownersWrites] packet in
                ownersWrites.note(packet)
                return .pass
            }, during: body)
    }

    /// Lets the owner end as an owner does, which must work: the journey goes on, or the accessory is set up anew.
    func endWithOwner() async throws {
        if isSetUp { try await ownerStartsAnew() } else { try await finishJourney() }
    }

    /// The accessory that the owner's phone has a bond with, and the phone's own identity address; nil without a bond.
    func ownersBond() async throws -> (device: DeviceAddress, owner: DeviceAddress)? {
        guard let device = await lab.phone.bondedDevices.first else { return nil }
        let command = try await comeBack { try await self.lab.phone.bluetooth.raw.command(Self.readAddress, Data()) }
        guard let owner = DeviceAddress(bytes: command.values.reversed()) else { return nil }
        return (device, owner)
    }

    /// What the accessory's board keeps; nil if the accessory is no board of the rig.
    func accessoryHealth() async throws -> BoardHealth? {
        let connection = lab.rig.connection
        guard connection.absence == nil, connection.description.has(.accessoryBoard) else { return nil }
        return try await lab.rig.health(of: connection.accessory)
    }

    /// Whether the owner's phone can still encrypt a link with the key of its bond.
    func ownersKeyWorks(with device: DeviceAddress) async throws -> Bool {
        try await comeBack {
            do {
                try await self.lab.phone.radio.connect(device)
                return true
            } catch let error as RadioError where CentralFailure(error) == .peerRemovedPairing {
                self.note("its owner's phone says: \(CentralFailure.peerRemovedPairing)")
                return false
            }
        }
    }

    /// Does something while the owner's phone has Bluetooth.
    private func comeBack<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await giveControllerBack()
        try await lab.switchBluetooth(true)
        let value: Value
        do { value = try await body() } catch {
            try await lab.switchBluetooth(false)
            throw error
        }
        try await lab.switchBluetooth(false)
        return value
    }

    /// The owner goes away: the phone has no Bluetooth.
    func ownerLeaves() async throws { try await lab.switchBluetooth(false) }

    /// Restores the factory state of the accessory, as its team says.
    ///
    /// - Returns: False if nothing says how.
    func factoryReset() async throws -> Bool {
        if let reset = expectations.reset {
            try await reset(lab)
            return true
        }
        let location = lab.recorder.lastCall ?? SourceLocation(file: #fileID, path: #filePath, line: #line)
        for runner in lab.accessory.hookRunners where runner.hooks[.factoryReset] != nil {
            try await runner.run(.factoryReset, at: location)
            return true
        }
        return false
    }

    /// The owner removes the accessory, comes back and sets it up once more.
    func ownerStartsAnew() async throws {
        // Without Bluetooth, no attempt to connect to it is still under way.
        await lab.removeAccessories()
        // One that keeps its owner pairs with nobody else before.
        if expectations.reset != nil { _ = try await factoryReset() }
        try await giveControllerBack()
        try await lab.switchBluetooth(true)
        lab.beginAgain()
        try await journey(lab)
    }

    // MARK: Strangers

    /// A stranger who has heard the accessory and is connected to it.
    ///
    /// - Returns: The stranger, and the accessory's address.
    func approach(_ habits: HostPersonality = .stranger) async throws -> (Stranger, DeviceAddress) {
        let stranger = try await appear(habits)
        let device: DeviceAddress
        do { device = try await stranger.hear().device.address } catch let error as TimedOut {
            try requireKnownAddress(of: stranger.target)
            throw error
        }
        try await stranger.connect(to: device)
        return (stranger, device)
    }

    /// What a stranger hears of an accessory that is set up; nil if it does not advertise, which is noted.
    func hear(by stranger: Stranger) async throws -> Discovery? {
        do { return try await stranger.hear(within: .seconds(5)) } catch is TimedOut {
            try requireKnownAddress(of: stranger.target)
            note("it does not advertise once it is set up")
            return nil
        }
    }

    func appear(_ habits: HostPersonality = .stranger) async throws -> Stranger {
        let stranger = try await Stranger.appear(
            in: lab, with: habits, near: Bystanders(near: lab, target: try await target()))
        strangers.append(stranger)
        return stranger
    }

    /// A further stranger with Wi-Fi.
    func appearOnWiFi() async throws -> WiFiStranger {
        let stranger = try await WiFiStranger.appear(in: lab, as: AdapterID.strangers[wifiStrangers.count])
        wifiStrangers.append(stranger)
        return stranger
    }

    /// Lets all strangers go.
    func end() async {
        if !wifiStrangers.isEmpty { await WiFiStranger.leave(lab) }
        wifiStrangers = []
        for stranger in strangers { await stranger.leave() }
        strangers = []
        do { try await giveControllerBack() } catch {
            lab.recorder.record(.failure(Failure(.rig, "the phone did not get its controller back: \(error)")))
        }
    }

    /// Whether an attempt to pair gave a key, which is noted.
    func hasPaired(_ pairing: Stranger.Pairing, _ how: String) -> Bool {
        if let bond = pairing.bond {
            note("a stranger paired \(how): \(bond)")
        } else {
            note("pairing \(how) was refused: \(pairing.end.map { "\($0)" } ?? "no answer")")
        }
        return pairing.bond != nil
    }
}

/// What a check has shown.
enum AuditFinding: Sendable {
    case holds
    /// What an attacker can do, as a sentence.
    case breached(String)
    /// Why there is nothing to attack.
    case doesNotApply(String)
    /// Why nothing here shows it, and what to do instead.
    case outOfReach(String, instead: String)

    /// Whether it says something about the accessory.
    var isVerdict: Bool {
        switch self {
        case .holds, .breached: true
        case .doesNotApply, .outOfReach: false
        }
    }
}

/// A check of one control.
struct AuditCheck: Sendable {
    /// What the accessory is when the check begins.
    enum Start: Sendable {
        /// On, and not set up. Afterwards the owner's journey goes on, and must pass.
        case new
        /// Set up, and its owner is away. Afterwards the owner sets it up once more.
        case setUp
    }

    /// The control's name: `pairing.legacy`.
    let control: String
    let start: Start
    let run: @MainActor @Sendable (AuditScene) async throws -> AuditFinding

    init(
        _ control: String, _ start: Start,
        _ run: @escaping @MainActor @Sendable (AuditScene) async throws -> AuditFinding
    ) {
        (self.control, self.start, self.run) = (control, start, run)
    }

    static let all = pairing + numbers + access + air + robustness + hearing + ports + wifi + life

    static func of(_ control: String) -> AuditCheck? { all.first { $0.control == control } }
}

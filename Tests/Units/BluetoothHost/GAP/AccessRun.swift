import RadioModel
import Synchronization
import TestSupport

@testable import HILBluetoothHost

/// One phone's GAP with a controller that answers at once, and what the layers above hear.
struct AccessRun {
    var access: GenericAccess
    var controller: ControllerModel
    var now: Duration = .zero
    private(set) var heard: [GenericAccess.Output] = []
    private(set) var commands: [HCICommand] = []
    /// Whether commands wait for ``answer()``.
    var isSlow = false
    private(set) var unanswered: [(command: HCICommand, purpose: CommandPurpose)] = []

    init(
        _ controller: ControllerModel = ControllerModel(),
        configuration: GenericAccess.Configuration = GenericAccess.Configuration(),
        identity: DeviceIdentity = .numbered(1), isOn: Bool = true
    ) {
        access = GenericAccess(identity: identity, configuration: configuration, random: seededBytes(7))
        self.controller = controller
        if isOn { powerOn() }
    }

    /// With another configuration for connections, and with what the start made already taken.
    static func connecting(
        isExtended: Bool = false, _ change: (inout Connector.Configuration) -> Void = { _ in }
    ) -> AccessRun {
        var configuration = GenericAccess.Configuration()
        change(&configuration.connector)
        var run = AccessRun(ControllerModel(isExtended: isExtended), configuration: configuration)
        _ = (run.takeHeard(), run.takeCommands())
        return run
    }

    mutating func powerOn() {
        controller.reset()
        pump(access.powerOn(controller.information, at: now))
    }

    mutating func powerOff() {
        unanswered = []
        pump(access.powerOff())
        controller.reset()
    }

    /// Does something, and lets the controller answer.
    mutating func act(_ body: (inout GenericAccess, Duration) -> [GenericAccess.Output]) { pump(body(&access, now)) }

    mutating func receive(_ event: HCIEvent) { pump(access.receive(event, at: now)) }

    mutating func pump(_ outputs: [GenericAccess.Output]) {
        var waiting = outputs[...]
        while let output = waiting.popFirst() {
            guard case .command(let command, let purpose) = output else {
                heard.append(output)
                continue
            }
            commands.append(command)
            if isSlow { unanswered.append((command, purpose)) } else { waiting += answer(command, purpose) }
        }
    }

    /// Answers the oldest command that waits.
    mutating func answer() {
        guard !unanswered.isEmpty else { return }
        let (command, purpose) = unanswered.removeFirst()
        pump(answer(command, purpose))
    }

    private mutating func answer(_ command: HCICommand, _ purpose: CommandPurpose) -> [GenericAccess.Output] {
        let (status, events) = controller.take(command)
        return access.completed(purpose, status, at: now) + events.flatMap { access.receive($0, at: now) }
    }

    /// Lets time pass, with each deadline on the way.
    mutating func advance(by time: Duration) {
        let end = now + time
        var steps = 0
        while let deadline = access.deadline, deadline <= end, steps < 10_000 {
            now = max(now, deadline)
            pump(access.advance(to: now))
            steps += 1
        }
        now = end
        pump(access.advance(to: now))
    }

    /// The device that the controller listens for answers.
    mutating func connects(_ handle: Int) {
        let peer = controller.initiatingTo
        controller.connects()
        receive(.leConnectionComplete(.test(handle, peer: peer)))
    }

    /// A device connects to this phone.
    mutating func accepts(_ handle: Int, from peer: PeerAddress) {
        let isExtended = access.abilities?.usesExtendedCommands == true
        controller.advertisingEnds()
        receive(.leConnectionComplete(.test(handle, role: .peripheral, peer: peer)))
        if isExtended {
            receive(
                .advertisingSetTerminated(
                    AdvertisingSetEnd(set: 0, status: .success, handle: ConnectionHandle(handle))))
        }
    }

    /// What was heard since the last call.
    mutating func takeHeard() -> [GenericAccess.Output] {
        defer { heard = [] }
        return heard
    }

    mutating func takeCommands() -> [HCICommand] {
        defer { commands = [] }
        return commands
    }
}

extension [GenericAccess.Output] {
    var discoveries: [Discovery] { compactMap { if case .heard(let discovery) = $0 { discovery } else { nil } } }
    var links: [OpenedLink] { compactMap { if case .opened(let link) = $0 { link } else { nil } } }
    var failures: [ConnectFailure] { compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } } }
    var refusals: [String] { compactMap { if case .refused(let text) = $0 { text } else { nil } } }
    var plans: [AdvertisingPlan] { compactMap { if case .advertising(let plan) = $0 { plan } else { nil } } }
    var addresses: [PeerAddress] { compactMap { if case .addressChanged(let address) = $0 { address } else { nil } } }
}

extension PeerAddress {
    static func numbered(_ number: UInt8, isRandom: Bool = true) -> PeerAddress {
        PeerAddress(.numbered(number), isRandom: isRandom)
    }
}

extension DeviceIdentity {
    /// A device with a key of its own.
    static func numbered(_ number: UInt8) -> DeviceIdentity {
        DeviceIdentity(resolvingKey: Value128(high: 0x1234, low: UInt64(number) + 1), address: .numbered(number))
    }

    /// A private address of this device.
    func address(_ seed: UInt64) -> PeerAddress {
        ResolvablePrivateAddress.make(key: resolvingKey, random: seededBytes(seed))
    }
}

extension AdvertisingReport {
    static func test(
        _ address: PeerAddress, _ data: [UInt8], kind: AdvertisementKind = [.legacy, .connectable, .scannable]
    ) -> AdvertisingReport {
        var report = AdvertisingReport(kind: kind)
        (report.address, report.data, report.rssi) = (address, data, -60)
        return report
    }

    static func response(_ address: PeerAddress, _ data: [UInt8]) -> AdvertisingReport {
        test(address, data, kind: [.legacy, .scannable, .scanResponse])
    }
}

/// Random bytes that are the same for the same seed.
func seededBytes(_ seed: UInt64) -> RandomBytes {
    let numbers = Mutex(SeededNumbers(seed: seed))
    return { count in
        numbers.withLock { numbers in (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) } }
    }
}

/// The name as an advertising field.
func nameField(_ name: String) -> [UInt8] { [UInt8(name.utf8.count + 1), 0x09] + Array(name.utf8) }

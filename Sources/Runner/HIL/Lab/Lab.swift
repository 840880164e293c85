import BoardProtocol
import HILAudit
import HILBluetoothHost
import HILPhone
import HILRecord
import HILTiming
import RigModel

/// The lab that a scenario runs in: the phone, the accessory board, and the air between them.
@MainActor
public final class Lab {
    /// The simulated phone. At the start it is switched on, and no app runs.
    public nonisolated let phone: Phone
    /// The accessory board. At the start no accessory is switched on.
    public nonisolated let accessory: AccessoryBoard
    /// The simulated internet. At the start there is none: see ``Internet/open(_:fileID:filePath:line:)``.
    public nonisolated let internet: Internet
    /// The network of a home, which accessories join. At the start it is not open.
    public nonisolated let homeNetwork: HomeNetwork
    /// The air between the boards.
    public nonisolated let air: AirHandle
    /// The two boards, with their faults and versions.
    public nonisolated let rig: RigHandle
    nonisolated let recorder: ScenarioRecorder
    let clock: any Clock<Duration>
    /// Signals that the phone, a board or the air has reported an event.
    let changes = ChangeSignal()
    /// How much longer than its budget a step may take, because something goes wrong on purpose.
    var patience = Duration.zero
    /// The values of the case that runs, by the names of their axes.
    var axisValues: [String: any Sendable] = [:]
    /// The person who plays the scenario by hand; nil if nobody does.
    var played: PlayedPerson?
    /// What the attacks of an audit send.
    let attack: AttackOrder
    /// The file for the packets that are suspected of a breach; nil to keep none.
    let packetsFile: String?
    private let screens: ScreenFolder?
    private var pumps: [Task<Void, Never>] = []
    /// Who the phone is over Bluetooth; nil if its host is not the lab's own.
    var phoneIdentity: DeviceIdentity?
    /// The phone's controller, if strangers can borrow it; nil if they have others.
    var hostController: BorrowedController?
    /// The public address of the accessory board's adapter; nil without a board.
    var accessoryAddress: DeviceAddress?
    /// End the watched logs, so that each pump passes on the remaining events and ends.
    private var logEnders: [@Sendable () -> Void] = []

    /// - Parameter options: The folders for drawings and logs, and that of the package.
    init(
        phone: Phone, rig: RigHandle, recorder: ScenarioRecorder, clock: any Clock<Duration>,
        options: LabOptions = LabOptions()
    ) {
        screens = options.screens.map { path in
            ScreenFolder(path) { [recorder] in recorder.record($0) }
        }
        (attack, packetsFile) = (options.attack, options.suspectsFile)
        self.phone = phone
        self.rig = rig
        air = rig.air
        self.recorder = recorder
        self.clock = clock
        accessory = AccessoryBoard(
            rig.accessory, air: air, recorder: recorder, package: options.package, logs: options.logs,
            packages: options.packages)
        internet = Internet(rig.accessory, recorder: recorder)
        homeNetwork = HomeNetwork(
            rig.connection, phone: phone, recorder: recorder, capture: options.capture)
        phone.explainNearMisses { ScanResponses.explaining($0, in: options.capture) }
        phone.onCallSite { recorder.recordCallSite(at: SourceLocation(file: $0, path: $1, line: $2)) }
        watchPhone()
        for board in [rig.host, rig.accessory] { watch(board) }
        if case .board(let home, _)? = rig.connection.home { watchRouter(home) }
    }

    deinit { for pump in pumps { pump.cancel() } }

    /// All failures so far. A scenario may use them to end early.
    package nonisolated var failures: [Failure] { recorder.failures }

    /// Stops host stacks, completes the capture and records the remaining events. After that the rig may be stopped.
    package func close() async {
        await air.stopStacks()
        do { try await rig.connection.capture?.stop() } catch {
            let what = "the capture is not complete: \(Failure(error).message)"
            recorder.record(.failure(Failure(.rig, what, finding: Finding(.capture))))
        }
        // A failure that is reported but not recorded yet would make the verdict wrong.
        for end in logEnders { end() }
        for pump in pumps { await pump.value }
        await screens?.finish()
        recorder.record(.done)
    }

    private func watchPhone() {
        pump(phone.log, of: "the phone") { [recorder, screens, phone] event in
            switch event.kind {
            case .screen(let screen):
                recorder.record(phone: event.kind)
                screens?.add(screen)
            case .radio(.valueChanged(let device, let characteristic, let value)):
                // A radio knows only handles; the phone knows the attributes.
                let words = phone.bluetooth.words(forValue: value, of: characteristic, by: device)
                recorder.record(phone: .note("Bluetooth", words))
            case .radio(.advertisement): break  // There are several a second, and the capture has them all.
            case .rigFailure(let what): recorder.record(.failure(Failure(.rig, what)))
            default: recorder.record(phone: event.kind)
            }
        }
    }

    private func watch(_ board: BoardClient) {
        let role = board.role
        let lost: @Sendable (any Error) -> Void = { [accessory, homeNetwork] in
            if role == .accessory { accessory.lose($0) } else { homeNetwork.lose($0) }
        }
        pump(board.events, of: "the \(role) board", lost) {
            [
                recorder, accessory, homeNetwork, tolerance = rig.tolerance, versions = rig.versions,
                isInHand = rig.connection.isPhoneInHand
            ] event in
            let isExpected = tolerance.covers(event, of: board.role)
            func report(_ what: String, _ kind: Finding.Kind, _ program: String? = nil) {
                let finding = Finding(kind, of: role, program: program)
                recorder.record(isExpected ? .note(text: what) : .failure(Failure(.rig, what, finding: finding)))
            }
            switch event {
            case .radio: break  // The phone gets these events, and they are recorded there.
            case .accessory where role == .host: break  // The phone's own services; the phone gets these events.
            case .accessory(let data, let kind, let adapter):
                if let event = accessory.story(of: data, by: kind, on: adapter) { recorder.record(event) }
            case .homeNetwork(let event): homeNetwork.take(event)
            case .wifiKey: break  // Only the key file beside the capture keeps it.
            case .refused(let why): report("the \(board.role) board's agent refused bytes: \(why)", .agent)
            case .daemonLost(let name, let how, let after):
                let loss = DaemonLoss(
                    name: name, how: how, after: after, board: role,
                    version: name == "bluetoothd" ? versions[role.rawValue]?["bluez"] : nil)
                let failure = loss.failure(isInUse: accessory.isInUse)
                recorder.record(isExpected ? .note(text: failure.message) : .failure(failure))
            case .programPrinted, .programEnded: accessory.take(event)
            case .reportsDropped(let count):
                recorder.record(
                    .note(
                        text: "the \(role.rawValue) board left out \(count) advertising reports for the phone: "
                            + "its connection to this machine, or this machine, is too slow for them"))
            case .stood(let seconds): recorder.record(.stood(board: role, seconds: seconds))
            case .woke(let seconds):
                let need =
                    role == .host && !isInHand ? "; declare `.needs(.wifi)`, and it is on when the scenario begins" : ""
                let time = Duration.seconds(seconds).short
                recorder.record(.note(text: "the \(role.rawValue) board was switched on for this, in \(time)\(need)"))
            case .agentStarted:
                if role == .accessory { accessory.take(event) }
                report("the agent of the \(board.role) board has restarted", .agent)
            }
        }
    }

    /// Records what the home's router says that is a board of its own.
    private func watchRouter(_ board: BoardClient) {
        pump(board.events, of: "the home's board", { [homeNetwork] in homeNetwork.lose($0) }) {
            [recorder, homeNetwork] event in
            func report(_ what: String, _ kind: Finding.Kind) {
                recorder.record(.failure(Failure(.rig, what, finding: Finding(kind))))
            }
            switch event {
            case .homeNetwork(let event): homeNetwork.take(event)
            case .refused(let why): report("the agent of the home's board refused bytes: \(why)", .agent)
            case .daemonLost(let name, let how, _): report("\(name) of the home's board \(how)", .daemon)
            case .agentStarted: report("the agent of the home's board has restarted", .agent)
            case .radio, .accessory, .wifiKey, .programPrinted, .programEnded, .reportsDropped, .stood, .woke: break
            }
        }
    }

    /// Records the events of the air. Most of them are failures of the rig.
    func watch(_ events: EventLog<AirEvent>) {
        pump(events, of: "the air") { [recorder, air, tolerance = rig.tolerance] event in
            func report(_ what: String, of whom: String) {
                let isExpected = tolerance.coversRadios(of: whom)
                recorder.record(isExpected ? .note(text: what) : .failure(Failure(.rig, what)))
            }
            switch event {
            case .attached, .detached, .fired, .arrived: recorder.record(air: event)
            case .hostStack(let adapter, let what):
                recorder.record(air: event)
                if case .cutOff(let why) = what { air.cutOff(adapter, why) }
            case .refused(let from, let why): report("the air refused bytes of \(from): \(why)", of: from)
            case .lost(let board, let radio):
                report("the \(board) board's \(radio) port is gone", of: board.rawValue)
            case .captureFailed(let why):
                recorder.record(.failure(Failure(.rig, "the capture is not complete: \(why)")))
            }
        }
    }

    /// The error that ends a log which is no longer watched.
    private struct Closed: Error {}

    /// Passes every event of a log on. If the log ends with an error, that is a failure of the rig.
    private func pump<Event>(
        _ log: EventLog<Event>, of whom: String, _ lost: @escaping @Sendable (any Error) -> Void = { _ in },
        _ take: @escaping @Sendable (Event) -> Void
    ) {
        logEnders.append { log.finish(throwing: Closed()) }
        pumps.append(
            Task { [recorder, changes] in
                do {
                    for try await event in log.events() {
                        take(event)
                        changes.tell()
                    }
                } catch is Closed {
                } catch {
                    lost(error)
                    if !Task.isCancelled { recorder.record(.failure(Failure(.rig, Failure(error).message))) }
                }
            })
    }
}

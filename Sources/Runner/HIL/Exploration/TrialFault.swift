import BoardProtocol
import HILPhone
import HILRecord
import HILTiming
import RigModel

/// A fault of a trial, ready to happen on a lab.
@MainActor
struct TrialFault {
    typealias Step = @MainActor @Sendable () async throws -> Void

    /// Makes it happen, and returns the proof that it did.
    let begin: @MainActor @Sendable () async throws -> String
    /// How long it lasts.
    var pause = Duration.zero
    /// Whether it lasts until the attempt has ended, however long that is.
    var lastsForAttempt = false
    /// Ends it.
    var undo: Step = {}
    /// Whether the packet at which it happens is lost with it.
    var losesPacket = false
    /// Whether the attempt is over with it, because the app is.
    var endsAttempt = false

    /// The fault of a kind at a moment.
    ///
    /// Faults of the person and of packets are none of these: the phone's screens and links do them.
    init?(_ kind: FaultKind, at layer: Moment.Layer, in lab: Lab) {
        let (phone, rig) = (lab.phone, lab.rig)
        switch kind {
        case .packetDropped, .packetDoubled, .packetHeld, .personCancels, .personWaits: return nil
        case .linkLost:
            self = layer == .wifi ? TrialFault.wifiLinkLost(in: lab) : TrialFault.bluetoothLinkLost(in: lab)
        case .outOfRange:
            begin = {
                try await rig.connection.distance?.set(metres: nil)
                return "the boards were out of range"
            }
            pause = .seconds(5)
            undo = { try await rig.connection.distance?.set(metres: TrialFault.usualDistance) }
            losesPacket = true
        case .bluetoothOff:
            begin = {
                await phone.switchBluetooth(false)
                return try TrialFault.proof("Bluetooth was off", if: !phone.bluetoothIsOn)
            }
            pause = .seconds(1)
            undo = { await phone.switchBluetooth(true) }
        case .wifiOff:
            begin = {
                await phone.switchWiFi(false)
                return try TrialFault.proof("Wi-Fi was off", if: !phone.wifiIsOn)
            }
            pause = .seconds(1)
            undo = { await phone.switchWiFi(true) }
        case .appSuspended:
            begin = {
                // An event of its accessory may wake it at once, as on an iPhone.
                let mark = phone.log.mark
                phone.suspendApp()
                let suspended = EventPattern<PhoneEvent, Void>("the app to be suspended") {
                    if case .app(_, "was suspended") = $0.kind { () } else { nil }
                }
                return try TrialFault.proof(
                    "the app was suspended", if: phone.log.contains(suspended, since: mark))
            }
            pause = .seconds(5)
            undo = { phone.resumeApp() }
        case .appEnded:
            begin = {
                // An app's own code cannot be stopped here. It goes on to where it waits for the phone, and ends there.
                if !layer.isPacket { try await lab.clock.sleep(for: .milliseconds(50)) }
                phone.terminateApp()
                return try TrialFault.proof("the app had ended", if: phone.app == nil)
            }
            endsAttempt = true
        case .programKilled: self = TrialFault.programKilled(in: lab)
        case .powerCut: self = TrialFault.powerCut(in: lab)
        case .bluetoothdKilled: self = TrialFault.daemonKilled(.bluetoothd, in: lab)
        case .hostapdKilled: self = TrialFault.daemonKilled(.hostapd, in: lab)
        case .networkGone:
            begin = {
                try await lab.homeNetwork.close()
                return "the home's network was closed"
            }
            pause = .seconds(5)
            undo = { try await lab.homeNetwork.switchOn() }
        }
    }

    /// A team's own fault.
    init(_ fault: TeamFault, in lab: Lab) {
        begin = {
            try await fault.begin(lab)
            return "\(fault.name) happened"
        }
        undo = { try await fault.undo(lab) }
        lastsForAttempt = true
    }

    private init(
        begin: @escaping @MainActor @Sendable () async throws -> String, pause: Duration, undo: @escaping Step,
        losesPacket: Bool = false
    ) {
        (self.begin, self.pause, self.undo, self.losesPacket) = (begin, pause, undo, losesPacket)
    }

    /// In metres, as on a new rig.
    static let usualDistance = 1.0
    /// The longest supervision timeout of a phone's link is 6 s.
    private static let linkEndLimit = Duration.seconds(8)
    /// How long the air keeps a Wi-Fi link silent.
    private static let wifiSilence = Duration.seconds(3)

    private static func proof(_ text: String, if isTrue: Bool) throws -> String {
        guard isTrue else { throw RigFailure("making a fault happen", "it is not so that \(text)") }
        return text
    }

    /// The boards are out of range until the phone has given the link up.
    ///
    /// A fault of the air begins with a packet, and a link on which one is awaited in vain carries none.
    private static func bluetoothLinkLost(in lab: Lab) -> TrialFault {
        let began = Holder(EventLog<PhoneEvent>.Mark.start)
        return TrialFault(
            begin: {
                began.value = lab.phone.log.mark
                try await lab.rig.connection.distance?.set(metres: nil)
                return "the Bluetooth link was silent"
            }, pause: .zero,
            undo: {
                let end = EventPattern<PhoneEvent, Void>("the link to end") {
                    if case .radio(.disconnected) = $0.kind { () } else { nil }
                }
                let hasEnded = (try? await lab.phone.log.first(end, since: began.value, within: linkEndLimit)) != nil
                try await lab.rig.connection.distance?.set(metres: TrialFault.usualDistance)
                // Without a link, the fault made no sense this time.
                _ = try proof("the phone gave the link up", if: hasEnded)
            }, losesPacket: true)
    }

    private static func wifiLinkLost(in lab: Lab) -> TrialFault {
        let number = Holder<Int?>(nil)
        return TrialFault(
            begin: {
                number.value = try await lab.rig.connection.air?.arm(.linkLoss(.wifi), firings: 1)
                return "the Wi-Fi link was silent"
            }, pause: wifiSilence,
            undo: {
                guard let armed = number.value else { return }
                let fired = try await lab.rig.connection.air?.disarm(armed) ?? 0
                _ = try proof("a frame was lost with the Wi-Fi link", if: fired > 0)
            }, losesPacket: true)
    }

    @MainActor
    private final class Holder<Value> {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private static func programKilled(in lab: Lab) -> TrialFault {
        TrialFault(
            begin: {
                let running = lab.accessory.startedPrograms.filter(\.isRunning)
                for program in running { _ = try await program.end(grace: .zero) }
                return try proof("the program was killed", if: !running.isEmpty)
            }, pause: .milliseconds(500), undo: { try await lab.accessory.startProgramsAgain() })
    }

    private static func daemonKilled(_ daemon: BoardDaemon, in lab: Lab) -> TrialFault {
        let repair = Holder<RigHandle.Repair?>(nil)
        return TrialFault(
            begin: {
                repair.value = try await lab.rig.fire(.killed(daemon, on: .accessory))
                return "\(daemon.rawValue) was killed"
            }, pause: .milliseconds(500), undo: { try await repair.value?() })
    }

    private static func powerCut(in lab: Lab) -> TrialFault {
        let repair = Holder<RigHandle.Repair?>(nil)
        return TrialFault(
            begin: {
                repair.value = try await lab.rig.fire(.powerCut(on: .accessory))
                return "the board had no power"
            }, pause: .seconds(1),
            undo: {
                try await repair.value?()
                try await lab.accessory.startProgramsAgain()
                try await lab.accessory.powerOnAgain()
            }, losesPacket: true)
    }
}

extension AccessoryBoard {
    /// Starts the programs that have ended, with their files.
    @MainActor
    func startProgramsAgain() async throws {
        for program in startedPrograms where !program.isRunning { try await program.start(keepsFiles: true) }
    }

    /// Switches on again what the agent hosted before the board lost its power.
    @MainActor
    func powerOnAgain() async throws {
        let restarts = programs.withLock { $0.restarts.sorted { $0.key.rawValue < $1.key.rawValue } }
        for restart in restarts { try await restart.value() }
    }
}

extension TrialFault {
    /// Why faults cannot happen on this lab, by their names, at the end of a journey without a fault.
    static func unavailable(in lab: Lab) async throws -> [String: String] {
        let (connection, description) = (lab.rig.connection, lab.rig.description)
        var reasons: [FaultKind: String] = [:]
        func lacks(_ capability: Capability, _ kinds: FaultKind...) {
            guard let lack = description.lack(of: [capability]) else { return }
            for kind in kinds { reasons[kind] = lack.description }
        }
        lacks(.distance, .outOfRange, .linkLost)
        lacks(.power, .powerCut)
        lacks(.air, .linkLost, .packetDropped, .packetDoubled)
        lacks(.accessoryBoard, .programKilled, .powerCut, .bluetoothdKilled, .hostapdKilled)
        if lab.accessory.startedPrograms.isEmpty {
            reasons[.programKilled] = "the scenario runs no program on the board"
        }
        if !lab.homeNetwork.wasOpened { reasons[.networkGone] = "the scenario opens no home's network" }
        if connection.absence != nil {
            for kind in [FaultKind.powerCut, .bluetoothdKilled, .hostapdKilled] {
                reasons[kind] = "the accessory is no board"
            }
        } else if description.has(.accessoryBoard) {
            let health = try await lab.rig.health(of: connection.accessory)
            if !health.daemons.contains(.bluetoothd) || health.owned.contains(.bluetoothd) {
                reasons[.bluetoothdKilled] = "the board runs no bluetoothd of its own"
            }
            if !health.daemons.contains(.hostapd) { reasons[.hostapdKilled] = "the accessory opens no network" }
        }
        return Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, $0.value) })
    }
}

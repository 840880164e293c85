import BoardProtocol
import HILPOSIX
import HILPhone
import HILTiming
import HostRadio
import RadioModel
import RigModel

extension Lab {
    /// Makes a rig ready for a scenario.
    ///
    /// It sets the clocks, starts the capture, plugs in and powers the radios, switches the phone on, and begins to put the
    /// host stacks on the air that the scenario declares. If the rig has no capture or cannot plug radios, that part is
    /// left out.
    ///
    /// - Parameters:
    ///   - connect: Connects to the rig.
    ///   - stacks: The host stacks; nil for none.
    ///   - keepsProgram: Whether the scenario's program may run on the accessory board already.
    /// - Throws: `RigFailure` or `RadioError.rig`, which say what is not ready.
    package static func open(
        _ connect: () async throws -> RigConnection, with stacks: HostStacksAhead? = nil, keepsProgram: Bool = false,
        options: LabOptions, recorder: ScenarioRecorder
    ) async throws -> Lab {
        recorder.record(.preparing)
        let rig = try await connect()
        if case .network(let home)? = rig.home, let secret = home.passphrase { recorder.hide(secret) }
        if let path = options.capture { try await rig.capture?.start(into: path) }
        let air = AirHandle(rig, recorder: recorder)
        if let stacks { air.take(stacks) }
        async let host: DeviceAddress? = rig.asleep.contains(.host) ? nil : prepare(rig.host, of: rig)
        async let accessory = prepare(rig.accessory, of: rig, keepsProgram: keepsProgram)
        _ = try await host
        let accessoryAddress = try await accessory
        if let accessoryAddress { recorder.record(.onAir(accessoryAddress, "the accessory board's adapter")) }
        // A board that sleeps cannot tell; those of an earlier scenario's boards are the same.
        var versions = options.versions ?? [:]
        let untold = [rig.host, rig.accessory].filter {
            versions[$0.role.rawValue] == nil && !rig.asleep.contains($0.role)
        }
        try await versions.merge(ask(untold)) { $1 }
        recorder.record(.boardsReady(versions: versions))
        let handle = RigHandle(rig, versions: versions, air: air, recorder: recorder)
        let faults = await handle.faultsBefore()
        guard faults.isEmpty else {
            let reason = "they are not pristine: " + faults.map(\.message).joined(separator: "; ")
            throw BoardsNotPristine(
                failure: RigFailure("making the boards ready", reason), finding: faults.lazy.compactMap(\.finding).first
            )
        }
        let opened = try await PhoneOpening.radio(of: rig, recorder: recorder)
        let phone = Phone(radio: opened.radio)
        phone.becomeCurrent()
        let lab = Lab(phone: phone, rig: handle, recorder: recorder, clock: ContinuousClock(), options: options)
        (lab.phoneIdentity, lab.hostController) = (opened.identity, opened.controller)
        lab.accessoryAddress = accessoryAddress
        // A search in vain explains the failure that follows. Only the nearest misses are worth reading.
        recorder.explain { [weak phone, weak home = lab.homeNetwork] in
            (phone?.bluetooth.unanswered.prefix(2).map(\.self) ?? [])
                + ((phone?.nearMisses ?? []) + (home?.nearMisses ?? [])).prefix(3).map(\.description)
        }
        if let path = options.keys, rig.capture != nil { lab.keepKeys(in: WiFiKeyFile(path)) }
        lab.watch(rig.events)
        return lab
    }

    /// Sets a board's clock, and plugs in and powers its radios.
    ///
    /// - Returns: The address of its Bluetooth adapter; nil for a host board, and if there is no such board.
    private static func prepare(
        _ board: BoardClient, of rig: RigConnection, keepsProgram: Bool = false
    ) async throws -> DeviceAddress? {
        try await RigFailure.doing("getting ready", on: "the \(board.role.rawValue) board") {
            if rig.description.has(.ownBoards) {
                try await board.ask(within: .seconds(5)) { .system(.setClock(nanoseconds: wallClockNanoseconds(), $0)) }
            }
            // Not on a fresh board, but on one that an earlier scenario has used.
            if board.role == .accessory {
                try await board.ask { .program(.end(sparesAhead: keepsProgram, $0)) }
            }
            var address: DeviceAddress?
            if let adapters = rig.adapters, rig.has(board.role) {
                async let wifi = adapters.attach(.wifi, to: board.role, adapter: .first)
                // The phone has a Bluetooth controller of its own.
                if board.role == .accessory {
                    address = try await adapters.attach(.bluetooth, to: .accessory, adapter: .first)
                }
                _ = try await wifi
            }
            let addresses = try await board.ask { .system(.powerRadios($0)) }
            return address ?? addresses.bluetooth
        }
    }

    /// The versions of kernel, daemons and agent, by board.
    private static func ask(_ boards: [BoardClient]) async throws -> [String: [String: String]] {
        let answers = boards.map { board in
            Task { try await board.ask(within: .seconds(20)) { .system(.versions($0)) } }
        }
        var versions: [String: [String: String]] = [:]
        for (board, answer) in zip(boards, answers) { versions[board.role.rawValue] = try await answer.value }
        return versions
    }
}

import Air
import BoardProtocol
import HostRadio
import POSIX
import Phone
import Timing

extension Lab {
    /// Makes the boards of a started rig ready for a scenario: greets the agents, sets the clocks, starts the capture,
    /// plugs the radios in and powers them, and switches the phone on.
    ///
    /// - Throws: ``RigFault`` or ``RadioModel/RadioError/rig(_:)``, which say what did not get ready.
    public static func open(_ endpoints: RigEndpoints, recorder: ScenarioRecorder) async throws -> Lab {
        recorder.record(.preparing)
        let air = try await AirClient.connect(to: endpoints.air)
        async let hostBoard = BoardClient.connect(to: endpoints.hostAgent, role: .host, within: .seconds(30))
        async let accessoryBoard = BoardClient.connect(
            to: endpoints.accessoryAgent, role: .accessory, within: .seconds(30))
        _ = try await air.ask(.startCapture(path: endpoints.capture))
        let host = try await hostBoard
        let accessory = try await accessoryBoard
        let handle = AirHandle(
            capture: endpoints.capture, events: air.events, recorder: recorder,
            power: { board, adapter in
                let command: BoardCommand =
                    adapter == .first
                    ? .powerRadios : .powerAdapter(adapter, AirAddress.of(.bluetooth, on: board, adapter: adapter))
                _ = try await (board == .host ? host : accessory).ask(command, within: .seconds(30))
            }, ask: { try await air.ask($0, within: $0.patience) })
        async let hostReady: Void = prepare(host, air: handle)
        async let accessoryReady: Void = prepare(accessory, air: handle)
        _ = try await (hostReady, accessoryReady)
        let versions: [String: [String: String]]
        if let known = endpoints.versions { versions = known } else { versions = try await ask([host, accessory]) }
        recorder.record(.boardsReady(versions: versions))
        let phone = Phone(radio: BoardRadio(host))
        phone.becomeCurrent()
        let sockets = endpoints.power.compactMap { name, path in BoardRole(rawValue: name).map { ($0, path) } }
        let rig = RigHandle(
            host: host, accessory: accessory, versions: versions, air: handle, recorder: recorder,
            powerSockets: Dictionary(uniqueKeysWithValues: sockets))
        let faults = await rig.faultsBefore()
        guard faults.isEmpty else { throw RigFault("the boards are not pristine: " + faults.joined(separator: "; ")) }
        let lab = Lab(
            phone: phone, rig: rig, air: handle, recorder: recorder, clock: ContinuousClock(),
            screens: endpoints.screens)
        if let path = endpoints.keys { lab.keepKeys(in: WiFiKeyFile(path)) }
        lab.watch(air.events)
        return lab
    }

    private static func prepare(_ board: BoardClient, air: AirHandle) async throws {
        _ = try await board.ask(.setClock(nanoseconds: wallClockNanoseconds()), within: .seconds(5))
        async let bluetooth: Void = air.done(.attach(board.role, .bluetooth))
        async let wifi: Void = air.done(.attach(board.role, .wifi))
        _ = try await (bluetooth, wifi)
        _ = try await board.ask(.powerRadios, within: .seconds(30))
    }

    /// The versions of what runs on the boards.
    private static func ask(_ boards: [BoardClient]) async throws -> [String: [String: String]] {
        let answers = boards.map { board in
            Task {
                guard case .versions(let versions) = try await board.ask(.versions, within: .seconds(20)) else {
                    throw RigFault("the \(board.role) board tells no versions")
                }
                return versions
            }
        }
        var versions: [String: [String: String]] = [:]
        for (board, answer) in zip(boards, answers) { versions[board.role.rawValue] = try await answer.value }
        return versions
    }
}

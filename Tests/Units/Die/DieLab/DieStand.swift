import BoardProtocol
import DieLab
import DieProtocol
import Foundation
import HIL
import HILPOSIX
import HILRecord
import HILTiming
import RadioModel
import RigModel
import StubRig
import Synchronization

/// A lab whose accessory board answers like a die, and its recording.
@MainActor
final class DieStand {
    let lab: Lab
    let accessory: StubAgent
    private let recorded: Recorded
    /// The sockets behind the lab.
    private let boards: [any Sendable]

    private final class Recorded: Sendable {
        let events = Mutex<[ScenarioEvent]>([])
    }

    init() async throws {
        let folder = "/tmp/hil-die-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let agents = EventLog<StubAgent>()
        let boards = [
            try DieStand.serve("\(folder)/host") { StubAgent($0, role: .host) },
            try DieStand.serve("\(folder)/air") { StubAir($0) },
            try DieStand.serve("\(folder)/phone") { StubController($0) },
            try DieStand.serve("\(folder)/accessory") { descriptor in
                let agent = StubAgent(descriptor, role: .accessory, answer: DieStand.answer)
                agents.append(agent)
                return agent
            },
        ]
        let places = ["host", "accessory", "air", "phone"].map { ($0, "\(folder)/\($0)") }
        let endpoint = RigEndpoint(StubRigKind.whole, addresses: Dictionary(uniqueKeysWithValues: places))
        let recorded = Recorded()
        lab = try await Lab.open(
            { try await StubConnector().connect(to: endpoint) }, options: LabOptions(),
            recorder: ScenarioRecorder { event in recorded.events.withLock { $0.append(event.stamped.event) } })
        accessory = try await agents.first(within: .seconds(300), waitingFor: "the accessory board").event
        self.recorded = recorded
        self.boards = boards
    }

    /// The lines of dice in the recorded story.
    var story: [String] {
        recorded.events.withLock { events in
            events.compactMap {
                if case .accessory(let note) = $0 { "\(note.accessory) \(note.adapter): \(note.text)" } else { nil }
            }
        }
    }

    /// Sends an event of the die.
    func tell(_ event: DieEvent, on adapter: AdapterID = .first) throws {
        accessory.tell(.accessory(try JSONEncoder().encode(event), of: "die", on: adapter))
    }

    private nonisolated static func answer(_ call: BoardCall) -> Answer? {
        guard case .accessory(.ask(let data, _, let adapter, let reply)) = call else { return nil }
        let answer =
            switch try? JSONDecoder().decode(DieCall.self, from: data) {
            case .powerOn?: try? JSONEncoder().encode(StubAgent.address(of: adapter))
            case .perform?: try? JSONEncoder().encode([String: String]())
            case nil: nil as Data?
            }
        return answer.map { reply($0) }
    }

    /// Accepts one connection.
    private static func serve(
        _ path: String, _ make: @escaping @Sendable (Descriptor) -> any Sendable
    ) throws -> any Sendable {
        let listener = try UnixSocket.listen(at: path)
        let held = Held()
        startThread(named: "stub") {
            while let socket = try? UnixSocket.accept(on: listener) {
                let made = make(socket)
                held.parts.withLock { $0.append(made) }
            }
        }
        return held
    }

    private final class Held: Sendable {
        let parts = Mutex<[any Sendable]>([])
    }
}

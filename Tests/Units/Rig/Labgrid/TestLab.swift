import Foundation
import HILBench
import HILPOSIX
import HILTiming
import RigModel
import StubRig
import Synchronization
import TestSupport
import Testing

@testable import HILLabgrid

/// A coordinator of labgrid and an exporter with benches, as programs of this machine on its loopback address.
final class TestLab: Sendable {
    static let packages = "\(checkout)/.build/tests-labgrid"
    /// Whether the tests can run: `make check` installs what they need.
    static let isHere =
        ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"
        || FileManager.default.fileExists(atPath: "\(packages)/labgrid")

    /// The benches, with the tags of their places. The last one says nowhere which board is its accessory.
    static let benches = [
        "bench-1": ["kind": "hil"], "bench-2": ["kind": "hil", "accessory": "pi-acc"],
        "bench-3": ["kind": "hil", "accessory": "none"], "half": ["kind": "part"],
    ]

    private struct State {
        var coordinator: LineProcess?
        var exporter: LineProcess?
        var port = 0
    }

    let folder = NSTemporaryDirectory() + "hil-labgrid-\(UUID().uuidString)"
    private let state = Mutex(State())

    /// - Parameters:
    ///   - prelude: Lines of Python that the coordinator runs first.
    ///   - more: How many more places there are, of the kind `many`; they need no exporter.
    ///   - power: The port of a web server that switches the power of the first bench's accessory board.
    init(prelude: String = "", more: Int = 0, power: Int = 9) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let places = TestLab.benches.sorted { $0.key < $1.key }.map { name, tags in
            """
            \(name):
              aliases: [\(name)-alias]
              comment: ''
              tags: {\(tags.map { "\($0): \($1)" }.joined(separator: ", "))}
              matches: [{exporter: lab, group: \(name), cls: '*', name: null, rename: null}]
              created: 1.0
              changed: 1.0

            """
        }
        let many = (0..<more).map { number in
            "many-\(number): {tags: {kind: many, host: h\(number), accessory: a\(number)}, matches: []}\n"
        }
        try (places + many).joined().write(toFile: "\(folder)/places.yaml", atomically: false, encoding: .utf8)
        let resources = """
            bench-1:
              host: {cls: NetworkService, address: 127.0.0.11, username: root}
              accessory: {cls: NetworkService, address: 127.0.0.12, username: pi, port: 2222}
              accessory-power: {cls: NetworkPowerPort, model: simplerest, host: 'http://127.0.0.1:\(power)/{index}/{value}', index: 7}
            bench-2:
              host: {cls: NetworkService, address: 127.0.0.21, username: root}
            bench-3:
              host: {cls: NetworkService, address: 127.0.0.31, username: root}
            half:
              host: {cls: NetworkService, address: 127.0.0.41, username: root}
            """
        try resources.write(toFile: "\(folder)/resources.yaml.in", atomically: false, encoding: .utf8)
        try await startCoordinator(prelude: prelude)
        try await startExporter()
    }

    deinit {
        state.withLock { state in
            state.exporter?.process.signal(SIGKILL)
            state.coordinator?.process.signal(SIGKILL)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static var environment: [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LG_") }.merging([
            "PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1",
        ]) { $1 }
    }

    var address: String { "127.0.0.1:\(state.withLock { $0.port })" }

    /// labgrid's client for a user of a machine.
    func engine(user: String = "sam", host: String = "ci-3") -> LabgridEngine {
        let variables = TestLab.environment.merging(["LG_USERNAME": user, "LG_HOSTNAME": host]) { $1 }
        return LabgridEngine(
            packages: TestLab.packages, program: "\(checkout)/Fixtures/Labgrid/places.py", coordinator: address,
            variables: variables)
    }

    func benches(
        _ request: String, except unwanted: Set<String> = [], user: String = "sam", job: String = "nightly",
        patience: Duration = .zero,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> LabgridBenches {
        LabgridBenches(
            try LabgridRequest(parsing: request), except: unwanted, engine: engine(user: user), job: job,
            patience: patience,
            grace: .milliseconds(100), powerOff: .milliseconds(100), note: note)
    }

    /// The holders of all places that are held, as another user sees them.
    func holders() async throws -> [String: LabgridPlace.Holder] {
        try await LabgridPlaces(engine(user: "kim")).list().reduce(into: [:]) { $0[$1.name] = $1.holder }
    }

    /// Waits until somebody waits for a place: labgrid's own client sees the reservation.
    func reserved(_ place: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let output = try await ProgramOutput(
                of: ["python3", "-m", "labgrid.remote.client", "-x", address, "reservations"],
                environment: TestLab.environment.map { "\($0)=\($1)" })
            if output.text.contains("name=\(place)") { return }
            guard ContinuousClock.now < deadline else {
                throw TimedOut(waitingFor: "a reservation", limit: .seconds(60))
            }
        }
    }

    func startCoordinator(prelude: String = "") async throws {
        let port = state.withLock { $0.port }
        let program = "\(prelude)\nimport labgrid.remote.coordinator as program\nprogram.main()"
        let coordinator = try LineProcess(
            ["env", "-C", folder, "python3", "-c", program, "-l", "127.0.0.1:\(port)"],
            environment: TestLab.environment)
        let line = try await coordinator.line(with: "listening on")
        let found = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        state.withLock { ($0.coordinator, $0.port) = (coordinator, found) }
    }

    /// The processor time of the coordinator so far, in seconds.
    var coordinatorTime: Double {
        let pid = state.withLock { $0.coordinator?.process.pid } ?? 0
        let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        // After the name in parentheses, the times in programs and in the kernel are the fields 14 and 15 (proc(5)).
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    func killCoordinator() async {
        await state.withLock { $0.coordinator }?.kill()
    }

    func startExporter() async throws {
        let exporter = try LineProcess(
            [
                "env", "-C", folder, "python3", "-m", "labgrid.remote.exporter", "--coordinator", address, "--name",
                "lab",
                "resources.yaml.in",
            ], environment: TestLab.environment)
        state.withLock { $0.exporter = exporter }
        try await exporter.line(with: "add resource half")
        try await eventuallyOffered()
    }

    func killExporter() async { await state.withLock { $0.exporter }?.kill() }

    /// Waits until the coordinator has the last of the exporter's resources.
    private func eventuallyOffered() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await LabgridPlaces(engine(user: "kim")).list().contains(where: {
            $0.name != "half" && $0.boards == nil
        }) {
            guard ContinuousClock.now < deadline else {
                throw TimedOut(waitingFor: "the exporter", limit: .seconds(60))
            }
        }
    }
}

extension LabgridBenches {
    /// Takes a bench that there has to be.
    func bench(excluding names: Set<String> = []) async throws -> LentBench {
        try #require(try await take(excluding: names))
    }
}

/// The failure of a take that has to fail.
func failure(of benches: LabgridBenches) async -> RigFailure? {
    do {
        _ = try await benches.take(excluding: [])
        return nil
    } catch { return error as? RigFailure }
}

import BoardProtocol
import Foundation
import HILAir
import HILPOSIX
import HILTiming
import RigModel
import Synchronization

/// The capabilities of stub rigs.
package enum StubRigKind {
    /// Every capability that a stub can imitate.
    package static let whole = RigDescription(
        "stub",
        has: [
            .bluetooth, .wifi, .accessoryBoard, .ownBoards, .air, .distance, .capture, .adapters, .snapshot,
            .processorTimes, .homeNetwork, .homeRouter, .homeControl,
        ])

    /// Only two agents.
    package static let twoAgents = RigDescription(
        "stub", has: [.bluetooth, .wifi, .accessoryBoard, .ownBoards],
        reasons: [.power: "nobody pretends to have a switch"])

    /// The phone's board alone: the accessory is a device that nobody logs in to.
    package static let phoneAlone = RigDescription("stub", has: [.bluetooth, .wifi])
}

/// Starts stub rigs behind real sockets in this process.
package struct StubRigs: RigProvider {
    package let description: RigDescription
    private let failure: String?
    private let wait: Duration
    private let isOnlyFirst: Bool
    private let starts = StartCount()

    /// - Parameters:
    ///   - failure: The error of every start; nil if starts succeed.
    ///   - wait: How long each scenario's boards wait for a processor.
    ///   - firstOnly: Whether only the first rig's boards wait.
    package init(
        _ description: RigDescription = StubRigKind.whole, failure: String? = nil, waiting wait: Duration = .zero,
        firstOnly: Bool = false
    ) {
        self.description = description
        self.failure = failure
        self.wait = wait
        isOnlyFirst = firstOnly
    }

    package func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig {
        if let failure { throw RigFailure("starting the stubs", failure) }
        let isFirst = starts.value.add(1, ordering: .relaxed).newValue == 1
        return try StubRigProcess(description, waiting: isFirst || !isOnlyFirst ? wait : .zero)
    }
}

private final class StartCount: Sendable {
    let value = Atomic(0)
}

/// Connects workers to stub rigs.
package struct StubConnector: RigConnector {
    package let kind = StubRigKind.whole.kind

    package init() {}

    package func connect(to endpoint: RigEndpoint) async throws -> RigConnection {
        var rig = RigConnection(
            endpoint.description,
            host: try await BoardClient.connect(to: try endpoint.address("host"), role: .host),
            accessory: try await BoardClient.connect(to: try endpoint.address("accessory"), role: .accessory))
        rig.phoneController = StubPhone(socket: try endpoint.address("phone"))
        guard endpoint.description.has(.air) else { return rig }
        let air = try await AirClient.connect(to: try endpoint.address("air"))
        let facets = AirFacets(air)
        rig.events = air.events
        (rig.air, rig.distance, rig.adapters, rig.capture) = (facets, facets, facets, facets.capture)
        return rig
    }
}

/// A stub rig.
package final class StubRigProcess: RunningRig {
    package let endpoint: RigEndpoint
    private let folder: String
    private let losses = EventLog<String>()
    private let parts = Mutex<[any Sendable]>([])

    private let wait: Duration
    private let timesAsked = Mutex(0)

    init(_ description: RigDescription, waiting wait: Duration) throws {
        self.wait = wait
        folder = "/tmp/hil-stub-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let names = ["host", "accessory", "phone"] + (description.has(.air) ? ["air"] : [])
        endpoint = RigEndpoint(
            description, addresses: Dictionary(uniqueKeysWithValues: names.map { [folder] in ($0, "\(folder)/\($0)") }))
        for role in BoardRole.allCases {
            try serve(try endpoint.address(role.rawValue)) { StubAgent($0, role: role) }
        }
        try serve(try endpoint.address("phone")) { StubController($0) }
        if description.has(.air) { try serve(try endpoint.address("air")) { StubAir($0) } }
    }

    package func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
        try await BoardClient.connect(to: try endpoint.address(board.rawValue), role: board, within: limit)
    }

    /// Reports that a part of the rig is lost.
    package func lose(_ what: String) { losses.append(what) }

    package func lost() async throws -> String {
        try await losses.first(within: .seconds(86_400), waitingFor: "a loss").event
    }

    /// Zero at first, then the time of a board that only waits for a processor.
    package var times: [RigPart: PartTimes] {
        let isFirst = timesAsked.withLock { count in
            defer { count += 1 }
            return count == 0
        }
        let waited = isFirst ? .zero : wait
        return [.accessory: PartTimes(processor: ProcessorTime(["1": .init(ran: .zero, waited: waited)]))]
    }

    package func saveBoards(in folder: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("both boards".utf8).write(to: URL(fileURLWithPath: "\(folder)/stub"))
    }

    package func stop() async { try? FileManager.default.removeItem(atPath: folder) }

    private func serve(_ path: String, _ make: @escaping @Sendable (Descriptor) -> any Sendable) throws {
        let listener = try UnixSocket.listen(at: path)
        startThread(named: "stub") { [weak self] in
            while let socket = try? UnixSocket.accept(on: listener) {
                self?.parts.withLock { $0.append(make(socket)) }
            }
        }
    }
}

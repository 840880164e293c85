import BoardProtocol
import Execution
import Foundation
import HIL
import POSIX
import Synchronization
import Timing

/// Makes rigs of stubs behind real sockets, in this process.
public struct StubRigs: RigProvider {
    public let kind = "stub"
    public let capabilities: Set<Capability> = [.bluetooth, .wifi]
    private let failure: String?
    private let wait: Duration

    /// - Parameters:
    ///   - failure: Why every start fails; nil for starts that do not.
    ///   - wait: For how long each scenario's boards are ready to run and get no processor.
    public init(failure: String? = nil, waiting wait: Duration = .zero) {
        self.failure = failure
        self.wait = wait
    }

    public func start(evidence: String) async throws -> any RunningRig {
        if let failure { throw RigFault(failure) }
        return try StubRigProcess(evidence: evidence, waiting: wait)
    }
}

/// One rig of stubs.
public final class StubRigProcess: RunningRig {
    public let endpoints: RigEndpoints
    public let notes: [String] = []
    private let folder: String
    private let losses = EventLog<String>()
    private let parts = Mutex<[any Sendable]>([])

    private let wait: Duration
    private let timesAsked = Mutex(0)

    init(evidence: String, waiting wait: Duration) throws {
        self.wait = wait
        folder = "/tmp/hil-stub-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        var endpoints = RigEndpoints(
            hostAgent: "\(folder)/host", accessoryAgent: "\(folder)/accessory", air: "\(folder)/air",
            capture: "\(evidence)/capture.pcapng")
        endpoints.screens = "\(evidence)/screens"
        self.endpoints = endpoints
        try serve(endpoints.hostAgent) { StubAgent($0, role: .host) }
        try serve(endpoints.accessoryAgent) { StubAgent($0, role: .accessory) }
        try serve(endpoints.air) { StubAir($0) }
    }

    /// Pretends that a part of the rig is gone.
    public func lose(_ what: String) { losses.append(what) }

    public func lost() async throws -> String {
        try await losses.first(within: .seconds(86_400), waitingFor: "a loss").event
    }

    /// Nothing at first, then the wait of a board that gets no processor at all.
    public var processorTimes: [BoardRole: ProcessorTime] {
        let isFirst = timesAsked.withLock { count in
            defer { count += 1 }
            return count == 0
        }
        let waited = isFirst ? .zero : wait
        return [.accessory: ProcessorTime(["1": .init(ran: .zero, waited: waited)])]
    }

    public func keepBoards(in folder: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("both boards".utf8).write(to: URL(fileURLWithPath: "\(folder)/stub"))
    }

    public func stop() async { try? FileManager.default.removeItem(atPath: folder) }

    private func serve(_ path: String, _ make: @escaping @Sendable (Descriptor) -> any Sendable) throws {
        let listener = try UnixSocket.listen(at: path)
        startThread(named: "stub") { [weak self] in
            while let socket = try? UnixSocket.accept(on: listener) {
                self?.parts.withLock { $0.append(make(socket)) }
            }
        }
    }
}

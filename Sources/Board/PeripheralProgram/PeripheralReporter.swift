import BoardAgent
import FoundationEssentials
import HILTLS
import HILTiming
import PeripheralModel

/// Reports to a server by TLS, until it is released.
final class PeripheralReporter: Sendable {
    /// How long a server may take for everything.
    private static let limit = Duration.seconds(5)
    /// The time between two reports.
    private static let interval = Duration.seconds(1)

    private let task: Task<Void, Never>

    init(_ report: PeripheralReport) {
        task = Task {
            while !Task.isCancelled {
                // A server that cannot be reached or trusted gets no report.
                try? await Self.send(report)
                try? await ContinuousClock().sleep(for: Self.interval)
            }
        }
    }

    deinit { task.cancel() }

    private static func send(_ report: PeripheralReport) async throws {
        let socket = try await withDeadline(limit, waitingFor: "a server") {
            try await TCPSocket(connectingTo: report.address, port: report.port)
        }
        defer { socket.shutDown() }
        try await withDeadline(limit, waitingFor: "a server that speaks TLS") {
            let stream = try await TLSStream.open(.client(serverName: nil), over: socket) { chain, _ in
                guard let trusted = report.trusted else { return true }
                return TLSCertificates.objection(to: chain, trusting: [trusted], host: nil) == nil
            }
            try await stream.send(report.content, isLast: true)
        }
    }
}

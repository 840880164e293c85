import Foundation
import HostRadio

/// An app's TCP connection that reports its errors to the phone as well as to the app.
///
/// To the app every error looks like the peer's fault. The phone needs to see the errors that the rig caused.
final class WatchedStream: RadioStream {
    private let stream: any RadioStream
    private let failed: @Sendable (any Error) -> Void

    /// - Parameter failed: Called with each error, on any thread, before the app gets it.
    init(_ stream: any RadioStream, failed: @escaping @Sendable (any Error) -> Void) {
        self.stream = stream
        self.failed = failed
    }

    func send(_ bytes: Data, isLast: Bool) async throws {
        do { try await stream.send(bytes, isLast: isLast) } catch {
            failed(error)
            throw error
        }
    }

    func receive(upTo limit: Int) async throws -> Data {
        do { return try await stream.receive(upTo: limit) } catch {
            failed(error)
            throw error
        }
    }

    func close() { stream.close() }
}

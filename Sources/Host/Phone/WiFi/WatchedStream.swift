import Foundation
import HostRadio

/// A TCP connection of an app's. To the app every failure of it looks like one of its peer's: what was the rig's is told apart
/// here.
final class WatchedStream: RadioStream {
    private let stream: any RadioStream
    private let failed: @Sendable (any Error) -> Void

    /// - Parameter failed: Called with each error, on any thread, before the app has it.
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

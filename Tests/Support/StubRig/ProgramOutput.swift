import HILPOSIX
import Synchronization

/// What a program of the system printed, and how it ended.
package struct ProgramOutput: Sendable {
    package let status: HILPOSIX.ExitStatus
    /// Standard output, and standard error where both were asked for.
    package let bytes: [UInt8]

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Runs a program to its end. A thread of its own reads the output, so that no thread of the tests waits.
    ///
    /// - Parameter withErrors: Whether standard error counts as output; otherwise it is dropped.
    package init(
        of words: [String], environment: [String]? = nil, withErrors: Bool = false
    ) async throws {
        let pipe = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            words, environment: environment,
            streams: [.null, .descriptor(pipe.write), withErrors ? .descriptor(pipe.write) : .null])
        pipe.write.close()
        let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
        startThread(named: "output") {
            while let chunk = try? pipe.read.read(), !chunk.isEmpty { continuation.yield(chunk) }
            continuation.finish()
        }
        bytes = await chunks.reduce(into: []) { $0 += $1 }
        status = await child.wait()
    }
}

import HILPOSIX
import HILTiming

/// A program whose lines a test reads. It ends with the test.
package final class LineProcess: Sendable {
    package let process: ChildProcess
    /// Standard output and standard error. The log ends with the program's output.
    package let lines = EventLog<String>()

    package init(
        _ words: [String], environment: [String: String], input: Descriptor? = nil, withErrors: Bool = true
    ) throws {
        let pipe = try Descriptor.pipe()
        process = try ChildProcess.spawn(
            words, environment: environment.map { "\($0)=\($1)" },
            streams: [
                input.map { .descriptor($0) } ?? .null, .descriptor(pipe.write),
                withErrors ? .descriptor(pipe.write) : .inherit,
            ], atParentDeath: .kill)
        pipe.write.close()
        startThread(named: "lines") { [lines] in
            var splitter = LineSplitter()
            while let bytes = try? pipe.read.read(), !bytes.isEmpty {
                for line in splitter.push(bytes) { lines.append(String(decoding: line, as: UTF8.self)) }
            }
            lines.finish(throwing: CancellationError())
        }
    }

    deinit { process.signal(9) }

    /// Waits for a line that contains a text.
    @discardableResult
    package func line(with text: String) async throws -> String {
        do {
            return try await lines.first(within: .seconds(120), waitingFor: "“\(text)”") { $0.contains(text) }.event
        } catch { throw Missing(text: text, lines: lines.events) }
    }

    /// A line did not come.
    package struct Missing: Error, CustomStringConvertible {
        let text: String
        let lines: [String]
        package var description: String { "“\(text)” did not come; what came: \(lines.suffix(20))" }
    }

    package func kill() async {
        process.signal(9)
        _ = await process.wait()
    }
}

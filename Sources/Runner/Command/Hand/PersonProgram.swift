import Foundation
import HIL
import HILPOSIX
import HILTiming
import Synchronization

/// A program in the person's place, for each scenario anew. It gets each ``HandTurn`` as a line of JSON on its standard
/// input, and prints a line with the answer to each question. Unlike a person, it has a limit of time.
final class PersonProgram: PersonDesk {
    private struct Running {
        let process: ChildProcess
        let input: Descriptor
        let lines: EventLog<String>
        var read = 0
    }

    /// How long a program may take to exit after its last line.
    private static let endLimit = Duration.seconds(2)

    private let command: String
    private let limit: Duration
    private let running = Mutex(Running?.none)

    /// - Parameters:
    ///   - command: For the shell.
    ///   - limit: How long it may take for an answer.
    init(_ command: String, within limit: Duration = .seconds(300)) { (self.command, self.limit) = (command, limit) }

    func take(_ turn: HandTurn, in folder: String) async -> HandReply? {
        if turn.kind == .begin {
            do { try start() } catch { return turn.failed("its program cannot be started: \(error)") }
        }
        defer { if turn.kind == .end { close() } }
        guard let (input, lines, place) = running.withLock({ $0.map { ($0.input, $0.lines, $0.read) } }),
            let json = try? JSONEncoder().encode(turn),
            (try? input.write(Array(json) + [UInt8(ascii: "\n")])) != nil
        else { return turn.failed(await end()) }
        guard !turn.answers.isEmpty else { return nil }
        let (line, next): (String, Int)
        do {
            (line, next) = try await lines.first(
                from: place, within: limit, waitingFor: "an answer of the person's program")
        } catch let error as TimedOut { return turn.failed("\(error)") } catch { return turn.failed(await end()) }
        running.withLock { $0?.read = next }
        guard let answer = HandAnswer(rawValue: line.trimmingCharacters(in: .whitespacesAndNewlines)),
            turn.answers.contains(answer)
        else {
            let words = turn.answers.map(\.rawValue).joined(separator: ", ")
            return turn.failed("its program says “\(PlainText.cut(line, to: 80))”, not one of \(words)")
        }
        return turn.answered(answer)
    }

    /// How the program that says nothing any more has ended. One that only closed its output is killed.
    private func end() async -> String {
        guard let process = running.withLock({ $0?.process }) else { return "its program does not run" }
        let killing = Task {
            try await Task.sleep(for: PersonProgram.endLimit)
            process.signal(SIGKILL, group: true)
        }
        defer { killing.cancel() }
        return "its program has gone: it \(await process.wait())"
    }

    private func start() throws {
        close()
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        let process = try ChildProcess.spawn(
            ["sh", "-c", command], streams: [.descriptor(input.read), .descriptor(output.write), .inherit],
            ownGroup: true, atParentDeath: .kill)
        input.read.close()
        output.write.close()
        let lines = EventLog<String>(keepingAtMost: 1000)
        startThread(named: "person") { [output = output.read] in
            var splitter = LineSplitter()
            while let bytes = try? output.read(), !bytes.isEmpty {
                for line in splitter.push(bytes) { lines.append(String(decoding: line, as: UTF8.self)) }
            }
            lines.finish(throwing: CancellationError())
        }
        running.withLock { $0 = Running(process: process, input: input.write, lines: lines) }
    }

    func close() {
        let ended = running.withLock { running in
            defer { running = nil }
            return running
        }
        ended?.input.close()
        ended?.process.signal(SIGKILL, group: true)
    }
}

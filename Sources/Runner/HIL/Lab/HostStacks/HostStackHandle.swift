import BoardProtocol
import HILPOSIX
import HILRecord
import HILTiming
import RadioModel
import RigModel
import Synchronization

/// A running program with a host stack on the air.
///
/// Its controller is where the accessory board is: the distance counts for it, and faults name it as
/// `.sent(by: .accessory, adapter: keyboard.adapter)`. The capture has its HCI packets as a separate interface. If the
/// program ends although the scenario has not stopped it, the scenario has failed.
public final class HostStackHandle: Sendable {
    /// How a program ended.
    public enum Exit: Sendable, Hashable, CustomStringConvertible {
        /// It exited with this code.
        case exited(Int32)
        /// This signal ended it.
        case signalled(Int32)
        /// It was killed, because its guard process had ended.
        case lost

        public var description: String {
            switch self {
            case .exited(let code): "\(ExitStatus.exited(code))"
            case .signalled(let number): "\(ExitStatus.signalled(number))"
            case .lost: "was killed together with its guard"
            }
        }
    }

    /// A line that a program printed.
    public struct Line: Sendable, Hashable {
        /// Where it printed the line.
        package enum Stream: String, Sendable, Hashable {
            case output
            case errors
        }

        package var stream: Stream
        /// At most 2000 bytes; the rest of a longer line is left out.
        public var text: String
    }

    /// Its name in logs and timelines.
    public let name: String
    /// The public address of its controller.
    public let address: DeviceAddress
    /// The number of its controller, by which faults and captures name it.
    public let adapter: AdapterID
    private let output: HostStackOutput
    private let process: GuardedProcess
    /// The program's standard input; nil if that carries H4.
    private let input: Descriptor?
    private let recorder: ScenarioRecorder
    /// The line of the scenario that started it, for failures.
    private let location: SourceLocation
    private let state = Mutex((isCutOff: false, exit: Exit?.none))
    private let end = EventLog<Exit>()

    init(
        _ process: GuardedProcess, named name: String, port: HostStackPort, input: Descriptor?, output: HostStackOutput,
        recorder: ScenarioRecorder, location: SourceLocation
    ) {
        self.location = location
        self.process = process
        self.name = name
        address = port.address
        adapter = port.adapter
        self.input = input
        self.output = output
        self.recorder = recorder
    }

    /// The lines of its standard error, and of its standard output if that does not carry H4. The latest thousands are
    /// kept. The log ends with ``HostStackError`` when the program has ended.
    public var lines: EventLog<Line> { output.lines }

    /// How it ended; nil while it runs.
    public var exit: Exit? { state.withLock { $0.exit } }

    /// Waits for a line that contains this text. Earlier lines count as well.
    ///
    /// - Parameters:
    ///   - mark: Lines before it do not count.
    ///   - limit: How long to wait at most; nil for the step's remaining time, or 10 s outside a step.
    /// - Returns: The whole line.
    /// - Throws: `TimedOut`; ``HostStackError`` if the program has ended without it.
    @discardableResult
    public func prints(
        _ text: String, since mark: EventLog<Line>.Mark = .start, within limit: Duration? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> String {
        let pattern = EventPattern<Line, String>("\(name) to print “\(text)”") {
            $0.text.contains(text) ? $0.text : nil
        }
        let found = try await lines.next(
            pattern, since: mark, within: limit, fileID: fileID, filePath: filePath, line: line)
        recorder.noteLine(text)
        return found
    }

    /// Writes a line to the program's standard input.
    ///
    /// - Parameter text: Without the line break, which is added.
    /// - Throws: ``HostStackError`` if its standard input carries H4 or is closed; `TimedOut` if it does not
    ///   read for 10 s, or for the step's remaining time.
    public func send(
        _ text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        recorder.noteCommand("send “\(PlainText.cut(PlainText.line(text), to: 40))” to \(name)") { [name] in
            try await $0.air.stack(named: name).send(text)
        }
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            guard let input else {
                throw HostStackError(
                    "sending a line to \(name)", "its standard input carries H4",
                    remedy: "let it speak H4 on a Unix socket: .unixSocket()")
            }
            let bytes = Array("\(text)\n".utf8)
            try await SharedDeadline.wait(for: "\(self.name) to read its standard input") { [name] in
                var rest = bytes[...]
                while !rest.isEmpty {
                    do throws(SystemError) { rest = rest.dropFirst(try input.writeSome(rest)) } catch {
                        guard error.code == EAGAIN else {
                            throw HostStackError("sending a line to \(name)", "its standard input is closed")
                        }
                        try await waitUntilReady(input, for: POLLOUT)
                    }
                }
            }
        }
    }

    /// Ends the program and takes its controller away. If the program has ended already, nothing is done.
    ///
    /// - Parameter grace: How long it may take to end after SIGTERM. Then it is killed, with all processes
    ///   that it has started.
    /// - Returns: How it ended.
    @discardableResult
    public func stop(within grace: Duration = .seconds(2)) async -> Exit {
        recorder.noteCommand("stop \(name)") { [name] in try await $0.air.stack(named: name).stop(within: grace) }
        process.stop(within: grace)
        return await ended()
    }

    /// Waits until it has ended and its failure, if it is one, is recorded.
    private func ended() async -> Exit {
        do { return try await end.first().event } catch {
            // Only if the waiting task was cancelled.
            return exit ?? .lost
        }
    }

    /// Watches the program until its end.
    ///
    /// - Parameter finished: Frees what the program used, at its end.
    func watch(finished: @escaping @Sendable () async -> Void) {
        Task { [self] in
            let (exit, wasAsked): (Exit, Bool) =
                switch await process.wait() {
                case .ended(.exited(let code), let wasAsked): (.exited(code), wasAsked)
                case .ended(.signalled(let number), let wasAsked): (.signalled(number), wasAsked)
                case .guardLost: (.lost, false)
                }
            await output.finish()
            let isCutOff = state.withLock { state in
                state.exit = exit
                return state.isCutOff
            }
            if !wasAsked, !isCutOff {
                let text = "\(name) \(exit), and nobody had stopped it\(output.lastWords)"
                recorder.record(.failure(Failure(exit == .lost ? .rig : .product, text, at: location)))
            }
            // After the failure, which says more than the waits that end now.
            lines.finish(throwing: HostStackError("waiting for \(name)", "it \(exit)"))
            await finished()
            end.append(exit)
        }
    }

    /// Handles that the air has cut the program off: it is killed, and the scenario has failed.
    func wasCutOff(_ why: String) {
        state.withLock { $0.isCutOff = true }
        let text = "\(name) was cut off the air: \(why)\(output.lastWords)"
        recorder.record(.failure(Failure(.product, text, at: location)))
        process.stop(within: .zero)
    }
}

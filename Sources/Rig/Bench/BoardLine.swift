import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RigModel
import Synchronization

/// The connection to one board for one run: a single SSH session, with the board's keeper at its other end.
///
/// A heartbeat keeps the board, and measures the offset of its clock and the delay of its answers. Without it, the
/// board gives itself back.
final class BoardLine: Sendable {
    /// Handlers of the board's messages other than answers: called on one task, in order.
    struct Streams: Sendable {
        var agent: @Sendable ([UInt8]) -> Void
        var journal: @Sendable ([UInt8]) -> Void
        var kernel: @Sendable ([UInt8]) -> Void
        var packet: @Sendable (CapturedBytes) -> Void
        var event: @Sendable (KeeperEvent) -> Void
    }

    let board: BoardAddress
    private let child: ChildProcess
    private let client: FrameClient<KeeperCall, KeeperEvent>
    private let errors: Mutex<[UInt8]>
    /// Has one event when standard error has ended.
    private let lastWords = EventLog<Bool>()
    private let clocks = Mutex(ClockEstimate())
    private let answers = Mutex(AnswerTimes())
    private let streams = Mutex<Streams?>(nil)
    /// Has one event when the line is lost: the reason.
    let losses = EventLog<String>()
    private let isClosing = Mutex(false)
    private let heart = Mutex<Task<Void, Never>?>(nil)

    /// Starts the session. It does not wait for the board.
    ///
    /// - Parameter command: The command that reaches the keeper; nil for that of the board.
    init(to board: BoardAddress, by command: [String]? = nil) throws(RigFailure) {
        self.board = board
        let errors = Mutex<[UInt8]>([])
        do throws(SystemError) {
            let (ours, theirs) = try UnixSocket.pair()
            let pipe = try Descriptor.pipe()
            child = try ChildProcess.spawn(
                command ?? LoginCommand.keep(on: board),
                streams: [.descriptor(theirs), .descriptor(theirs), .descriptor(pipe.write)], ownGroup: true,
                atParentDeath: .kill)
            theirs.close()
            pipe.write.close()
            client = FrameClient(
                ours, name: "keeper-\(board)",
                kinds: KeeperProtocol.frameKinds,
                unreadable: { why in
                    RigFailure("talking to the board", on: "\(board)", why, remedy: "run `hil bench prepare` again")
                })
            self.errors = errors
            let read = pipe.read
            startThread(named: "ssh-errors") { [self] in
                while let bytes = try? read.read(), !bytes.isEmpty {
                    self.errors.withLock { $0 = Array(($0 + bytes).suffix(8192)) }
                }
                lastWords.append(true)
            }
        } catch {
            throw RigFailure(
                "connecting", on: "\(board)", "\(error)",
                remedy: error.code == ENOENT ? "install it: `apt-get install openssh-client`" : nil)
        }
        Task { await self.receive() }
    }

    deinit { child.signal(SIGKILL, group: true) }

    private func receive() async {
        await client.run(
            untilLost: RigFailure("talking to the board", on: "\(board)", "the connection is lost"),
            frames: { frame in
                guard let streams = streams.withLock({ $0 }) else { return false }
                switch frame.kind {
                case KeeperProtocol.FrameKind.agent: streams.agent(frame.payload)
                case KeeperProtocol.FrameKind.journal: streams.journal(frame.payload)
                case KeeperProtocol.FrameKind.kernel: streams.kernel(frame.payload)
                case KeeperProtocol.FrameKind.packet:
                    if let packet = CapturedBytes(payload: frame.payload) { streams.packet(packet) }
                default: return false
                }
                return true
            },
            { news in
                // Other bytes come from a shell's greeting, for example; a lost message causes a time-out.
                if case .event(let event) = news { streams.withLock { $0 }?.event(event) }
            })
        child.signal(SIGTERM, group: true)
        _ = await child.wait()
        if !isClosing.withLock({ $0 }) { losses.append(await explain("the connection is lost").reason) }
    }

    /// Passes the board's messages to these handlers.
    func pass(to streams: Streams) { self.streams.withLock { $0 = streams } }

    /// Begins the heartbeat, and gets the board's facts.
    ///
    /// A slow board needs longer for its facts than the keeper waits for a heartbeat.
    ///
    /// - Parameter limit: How long login and facts may take.
    /// - Throws: ``RigFailure`` with the reason why the board cannot be reached, and the remedy.
    func open(within limit: Duration = .seconds(40)) async throws(RigFailure) -> BoardFacts {
        heart.withLock {
            $0 = Task { [weak self] in
                // The login comes before the first answer.
                var patience = limit
                while let self, !Task.isCancelled {
                    do throws(RigFailure) { try await beat(within: patience) } catch { return lose(error.reason) }
                    patience = KeeperProtocol.patience
                    try? await ContinuousClock().sleep(for: KeeperProtocol.beatInterval)
                }
            }
        }
        let facts = try await ask(for: "connecting", within: limit) { .look(version: KeeperProtocol.version, $0) }
        // The clock is known before the first scenario.
        for _ in 0..<3 { try await beat(within: KeeperProtocol.patience) }
        return facts
    }

    private func beat(within limit: Duration) async throws(RigFailure) {
        let sent = wallClockNanoseconds()
        answers.withLock { $0.ask(at: .now) }
        let there = try await ask(for: "the heartbeat", within: limit) { .beat($0) }
        answers.withLock { $0.answer(at: .now) }
        clocks.withLock { $0.add(sent: sent, there: there, received: wallClockNanoseconds()) }
    }

    /// The offset of the board's clock, and its bound.
    var clock: ClockEstimate { clocks.withLock { $0 } }

    /// How late the board has answered heartbeats.
    var answerTimes: AnswerTimes { answers.withLock { $0 } }

    private func lose(_ why: String) {
        guard !isClosing.withLock({ $0 }) else { return }
        losses.append(why)
        child.signal(SIGKILL, group: true)
    }

    /// Asks something of the keeper, and waits for the answer.
    ///
    /// - Parameter action: What is being done, for the error.
    @discardableResult
    func ask<Value>(
        for action: String, within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
        _ call: (Reply<Value>) -> KeeperCall
    ) async throws(RigFailure) -> Value {
        let question = Question(call)
        do {
            return try await withDeadline(limit, waitingFor: "the board \(board)") { [client] in
                try await client.ask(question)
            }
        } catch {
            switch error {
            case let failure as KeeperFailure:
                throw RigFailure(action, on: "\(board)", failure.reason, remedy: failure.remedy)
            // The line itself is lost: ssh reports the reason when it ends.
            case is RigFailure: throw await explain("the connection is lost", action)
            default: throw RigFailure(action, on: "\(board)", "\(error)")
            }
        }
    }

    /// Passes bytes of a worker to the agent.
    func sendToAgent(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(KeeperProtocol.longestPiece)
            client.send(Frame(kind: KeeperProtocol.FrameKind.agent, payload: Array(piece)))
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Ends the session.
    func close() async {
        isClosing.withLock { $0 = true }
        heart.withLock { $0 }?.cancel()
        client.close()
        child.signal(SIGTERM, group: true)
        _ = await child.wait()
    }

    private func explain(_ otherwise: String, _ action: String = "talking to the board") async -> RigFailure {
        _ = try? await lastWords.first(within: .seconds(3), waitingFor: "the last words of ssh")
        return SSHTrouble.explain(
            String(decoding: errors.withLock { $0 }, as: UTF8.self), on: board, while: action, otherwise: otherwise)
    }
}

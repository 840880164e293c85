import BoardProtocol
import DieProtocol
import Glibc
import POSIX
import RadioModel
import Synchronization

/// Runs the relay on an address of the board until it is killed. Call from the main thread; its log goes to standard output.
///
/// - Parameter address: In dotted form; the board has it.
public func runRelay(on address: String) throws {
    signal(SIGPIPE, SIG_IGN)
    let output = Descriptor(adopting: 1)
    let server = RelayServer { try? output.write("\($0)\n".utf8) }
    let listeners = [
        try server.listen(on: address, port: DieRelay.port, for: .messages),
        try server.listen(on: address, port: PushService.port, for: .push),
    ]
    try output.write("\(RelayProgram.readyLine) on \(address)\n".utf8)
    // Used in the loop: what comes after one without an end does not keep them.
    while true { withExtendedLifetime(listeners) { _ = pause() } }
}

/// The relay as a program of its own beside the agent: it can be lost like any other peer in the internet.
actor RelayProgram {
    /// What the program says once it listens.
    static let readyLine = "listening"

    private let journal: Journal
    private let lost: Daemon.LossHandler
    private var program: Daemon?
    private var address: String?

    init(journal: Journal, lost: @escaping Daemon.LossHandler) {
        self.journal = journal
        self.lost = lost
    }

    /// Whether it runs.
    var isRunning: Bool { program?.isRunning == true }

    /// Starts it on an address of the board; returns when it can be connected to.
    func start(on address: String) async throws {
        self.address = address
        let program = try await Daemon(
            BoardDaemon.relay.rawValue, [try ownProgram(), "relay", address], journal: journal, lost: lost)
        self.program = program
        try await program.waitForLine(containing: Self.readyLine, within: .seconds(20))
    }

    /// Starts it where it was before.
    func startAgain() async throws {
        guard let address, !isRunning else {
            throw RadioError.invalid("the relay runs, or was never started: open a network to the internet first")
        }
        try await start(on: address)
    }

    /// Kills it, and with it what it kept.
    func kill(by signal: Int32) async throws(RadioError) {
        guard let program, program.isRunning else { throw .invalid("the relay does not run") }
        await program.kill(by: signal)
    }

    /// Ends it.
    func stop() async {
        await program?.stop()
        program = nil
    }
}

import BoardProtocol
import Glibc
import InternetModel
import POSIX
import RadioModel

/// Runs the simulated internet on an address of the board until it is killed. Call from the main thread; its log goes to
/// standard output.
///
/// - Parameters:
///   - address: In dotted form; the board has it.
///   - services: What there is beside the push service: ``AgentAccessory/internetServices``.
public func runInternet(on address: String, services: [any InternetService]) throws {
    signal(SIGPIPE, SIG_IGN)
    let output = Descriptor(adopting: 1)
    let server = InternetServer(services) { try? output.write("\($0)\n".utf8) }
    let listeners = try server.listen(on: address)
    try output.write("\(InternetProgram.readyLine) on \(address)\n".utf8)
    // Used in the loop: what comes after one without an end does not keep them.
    while true { withExtendedLifetime(listeners) { _ = pause() } }
}

/// The simulated internet as a program of its own beside the agent: a scenario can take it away like any other peer.
actor InternetProgram {
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
        let name = BoardDaemon.internet.rawValue
        let program = try await Daemon(name, [try ownProgram(), name, address], journal: journal, lost: lost)
        self.program = program
        try await program.waitForLine(containing: Self.readyLine, within: .seconds(20))
    }

    /// Starts it where it was before.
    func startAgain() async throws {
        guard let address, !isRunning else {
            throw RadioError.invalid(
                "the internet is there, or was never started: open a network to the internet first")
        }
        try await start(on: address)
    }

    /// Kills it; what it kept is lost.
    func kill(by signal: Int32) async throws(RadioError) {
        guard let program, program.isRunning else { throw .invalid("the internet's program does not run") }
        await program.kill(by: signal)
    }

    /// Ends it.
    func stop() async {
        await program?.stop()
        program = nil
    }
}

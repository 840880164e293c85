import BoardProtocol
import Glibc
import HILPOSIX
import RadioModel

/// Runs the simulated internet on an address of the board until it is killed. Call it from the main thread.
///
/// Its log goes to standard output.
///
/// - Parameters:
///   - address: An IPv4 address of the board, in dotted form.
///   - services: The services in addition to the push service: ``AgentAccessory/internetServices``.
/// - Throws: An error if it cannot listen on a port.
package func runInternet(on address: String, services: [any InternetService]) throws {
    signal(SIGPIPE, SIG_IGN)
    let output = Descriptor(adopting: 1)
    let server = InternetServer(services) { try? output.write("\($0)\n".utf8) }
    let listeners = try server.listen(on: address)
    try output.write("\(InternetProgram.readyLine) on \(address)\n".utf8)
    // Used in the loop to keep the listeners alive: code after an endless loop would not.
    while true { withExtendedLifetime(listeners) { _ = pause() } }
}

/// The simulated internet as a separate program, so that a scenario can kill it like a daemon.
actor InternetProgram {
    /// The line that the program prints when it listens.
    static let readyLine = "listening"

    private let namespace: NetworkNamespace?
    private let journal: Journal
    private let lost: Daemon.LossHandler
    private var program: Daemon?
    private var address: String?

    /// - Parameter namespace: The network that it serves; nil for that of the agent.
    init(in namespace: NetworkNamespace? = nil, journal: Journal, lost: @escaping Daemon.LossHandler) {
        self.namespace = namespace
        self.journal = journal
        self.lost = lost
    }

    /// Whether it runs.
    var isRunning: Bool { program?.isRunning == true }

    /// Starts it on an address of the board. Returns when it accepts connections.
    func start(on address: String) async throws {
        self.address = address
        let name = BoardDaemon.internet.rawValue
        let command = [try ownProgram(), name, address]
        let program = try await Daemon(name, namespace.command(command), journal: journal, lost: lost)
        self.program = program
        try await program.waitForLine(containing: Self.readyLine, within: .seconds(20))
    }

    /// Starts it again on the same address.
    func startAgain() async throws {
        guard let address, !isRunning else {
            throw RadioError.invalid(
                "the simulated internet is running, or was never started: open a network to the internet first")
        }
        try await start(on: address)
    }

    /// Kills it. Its stored pushes are lost.
    func kill(by signal: Int32) async throws(RadioError) {
        guard let program, program.isRunning else { throw .invalid("the internet's program is not running") }
        await program.kill(by: signal)
    }

    /// Ends it.
    func stop() async {
        await program?.stop()
        program = nil
    }
}

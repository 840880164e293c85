import BoardProtocol
import Dispatch
import Glibc
import HILPOSIX
import HILWiFi
import Synchronization

/// The agent of one scenario. It has its own `/var/lib/bluetooth` and configuration of bluetoothd, which no other
/// process of the board sees.
final class AgentProcess: Sendable {
    /// The folder of the program and its libraries.
    static let program = "/opt/hil/hil-board"

    private let process: GuardedProcess
    private let input: Descriptor
    /// Writes to the agent, which may be slow to read, or hang.
    private let writes = DispatchQueue(label: "agent-input")

    /// Starts it.
    ///
    /// - Parameters:
    ///   - take: Called with its bytes for the runner, on a separate thread.
    ///   - takeJournal: Called with lines of its journal, likewise.
    init(
        _ role: BoardRole, _ radios: BoardRadios, storage: String,
        take: @escaping @Sendable ([UInt8]) -> Void, takeJournal: @escaping @Sendable ([UInt8]) -> Void
    ) throws(KeeperFailure) {
        // Positional parameters, so that no path becomes a part of the script.
        let script = """
            mount --bind "$1" /var/lib/bluetooth
            if [ -e /etc/bluetooth/main.conf ]; then mount --bind "$2" /etc/bluetooth/main.conf; fi
            shift 2
            exec "$@"
            """
        let arguments = [
            "unshare", "--mount", "--propagation", "private", "--", "sh", "-ec", script, "sh", storage,
            "/opt/hil/bluetooth/\(role.rawValue).conf", AgentProcess.program, "agent", "--stdio", "--role",
            role.rawValue, "--interface", radios.interface, "--adapter", radios.address,
        ]
        do throws(SystemError) {
            let (toAgent, fromAgent, journal) = (
                try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe()
            )
            process = try GuardedProcess.start(
                arguments, in: "/", streams: (toAgent.read, fromAgent.write, journal.write),
                guardProgram: GuardedProcess.ownProgram)
            input = toAgent.write
            for end in [toAgent.read, fromAgent.write, journal.write] { end.close() }
            AgentProcess.pass(fromAgent.read, on: "agent", to: take)
            AgentProcess.pass(journal.read, on: "journal", to: takeJournal)
        } catch { throw KeeperFailure("the agent cannot be started: \(error)") }
    }

    private static func pass(_ pipe: Descriptor, on name: String, to take: @escaping @Sendable ([UInt8]) -> Void) {
        startThread(named: name) {
            while let bytes = try? pipe.read(upTo: KeeperProtocol.longestPiece), !bytes.isEmpty { take(bytes) }
        }
    }

    /// Passes on bytes of the runner, in order. Does not wait for the agent. They are lost if the agent has ended.
    func send(_ bytes: [UInt8]) { writes.async { [input] in try? input.write(bytes) } }

    /// Waits until it has ended, and returns how.
    func wait() async -> String {
        switch await process.wait() {
        case .ended(let status, _): "\(status)"
        case .guardLost: "was killed"
        }
    }

    /// Ends it and all its descendants. Returns when all have ended and its radios are back in the board's network.
    func stop() async {
        let networks = networks
        // A write that the agent did not read ends with the agent, and then the pipe is closed.
        writes.async { [input] in input.close() }
        process.stop(within: .seconds(2))
        _ = await process.wait()
        // The kernel does so too, but it waits for all who still use the network.
        for network in networks { try? await network.run { try WirelessStack() }.giveBack() }
    }

    /// The networks that the agent has made: one for the home's router, and one for each stranger.
    private var networks: [NetworkNamespace] {
        let folder = "/proc/\(process.pid)/fd"
        var known: Set = [SmallFile.target(of: NetworkNamespace.pathOfThisProcess)]
        return SmallFile.names(in: folder).compactMap { name in
            guard let target = SmallFile.target(of: "\(folder)/\(name)"), target.hasPrefix("net:["),
                known.insert(target).inserted
            else { return nil }
            return try? NetworkNamespace(at: "\(folder)/\(name)")
        }
    }
}

import Foundation
import HILPOSIX
import RigModel

/// A running stock board: it has its own disk, a network that this machine alone reaches, and the ports of its radios.
protocol StockMachine: AnyObject, Sendable {
    var name: String { get }
    /// Where this machine reaches its SSH server.
    var address: String { get }
    var port: UInt16 { get }
    /// How its process has ended; nil while it runs.
    var end: ExitStatus? { get }

    /// Connects or disconnects its network.
    func setNetwork(_ isUp: Bool) async throws
    /// Presses its reset button: it boots from its disk as it is.
    func reset() async throws
    func stop() async
}

extension StockMachine {
    /// Whether somebody can log in now.
    func login(configuration: String) async throws -> Bool {
        if let end { throw RigFailure("starting \(name)", "its process \(end)") }
        let ssh = try ChildProcess.spawn(
            ["ssh", "-F", configuration, "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", name, "true"],
            streams: [.null, .null, .null], ownGroup: true, atParentDeath: .kill)
        return await ssh.wait().isSuccess
    }
}

import BoardProtocol
import POSIX
import Timing

/// The two boards.
public final class RigHandle: Sendable {
    /// Versions of kernel, daemons and agent, by board.
    public let versions: [String: [String: String]]
    let host: BoardClient
    let accessory: BoardClient

    init(host: BoardClient, accessory: BoardClient, versions: [String: [String: String]]) {
        self.host = host
        self.accessory = accessory
        self.versions = versions
    }

    /// What is wrong with the boards now; nil when both agents answer.
    func fault(within limit: Duration = .seconds(5)) async -> String? {
        async let hostFault = fault(of: host, within: limit)
        async let accessoryFault = fault(of: accessory, within: limit)
        let faults = [await hostFault, await accessoryFault].compactMap { $0 }
        return faults.isEmpty ? nil : faults.joined(separator: "; ")
    }

    private func fault(of board: BoardClient, within limit: Duration) async -> String? {
        do {
            // Any answer will do, and this one costs the board nothing.
            _ = try await board.ask(.setClock(nanoseconds: wallClockNanoseconds()), within: limit)
            return nil
        } catch {
            return Failure(error).message
        }
    }
}

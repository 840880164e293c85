import BoardProtocol
import Foundation
import POSIX
import RigModel

/// The rigs of this user that run now, also those that another process started.
package enum RunningRigs {
    /// Their folders, the newest first; a rig that was killed a moment ago may be among them.
    package static func folders(in base: String? = nil) -> [String] { folders(with: "air.sock", in: base) }

    /// Those on whose boards a shell can be had, the newest first.
    package static func withShells(in base: String? = nil) -> [RigPlace] {
        folders(with: "\(BoardRole.host.rawValue)/shell.sock", in: base).filter { folder in
            // A lock that is free belongs to a rig that was killed.
            guard let lock = try? FileLock.tryTake("\(folder)/lock") else { return true }
            lock.release()
            return false
        }.map(RigPlace.init)
    }

    /// The folders that have this socket, the newest first.
    private static func folders(with socket: String, in base: String?) -> [String] {
        let base = base ?? RigFolder.standardBase
        let names = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        let aged = names.compactMap { name -> (folder: String, made: Int)? in
            var status = stat()
            guard stat("\(base)/\(name)/\(socket)", &status) == 0 else { return nil }
            return ("\(base)/\(name)", status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
        }
        return aged.sorted { $0.made > $1.made }.map(\.folder)
    }
}

/// A rig that somebody else runs.
package struct RigPlace: Sendable, Equatable {
    /// Its folder.
    package let folder: String
    /// What it runs, the name of a scenario's folder; empty where that is not known.
    package let label: String

    init(folder: String) {
        self.init(folder: folder, label: (try? String(contentsOfFile: "\(folder)/label", encoding: .utf8)) ?? "")
    }

    init(folder: String, label: String) {
        self.folder = folder
        self.label = label
    }

    /// Its own name, unlike any other's.
    package var name: String { URL(fileURLWithPath: folder).lastPathComponent }

    /// The one that is meant by a name, its own or that of what it runs, of which a part will do; without a name the only one
    /// there is.
    ///
    /// - Returns: Nil where no rig runs and no name was given.
    package static func choose(_ name: String?, of rigs: [RigPlace]) throws(RigFailure) -> RigPlace? {
        let action = "choosing a rig"
        var matching = rigs.filter { name == nil || $0.name == name || $0.label == name }
        if let part = name?.lowercased(), matching.isEmpty {
            matching = rigs.filter { $0.label.lowercased().contains(part) }
        }
        if matching.count == 1 { return matching[0] }
        if rigs.isEmpty, name == nil { return nil }
        let list = rigs.map { "\($0.name) (\($0.label))" }.joined(separator: ", ")
        if let name, matching.isEmpty {
            throw RigFailure(action, "no rig is called \(name); \(rigs.isEmpty ? "none runs" : "these run: \(list)")")
        }
        throw RigFailure(action, "several run: \(list)", remedy: "say which with --rig")
    }

    /// Connects to the shell port of a board, which has one client at a time.
    ///
    /// - Returns: The connection, and what keeps others from it as long as it is there.
    package func connectShell(of role: BoardRole) throws(RigFailure) -> (port: Descriptor, hold: any Sendable) {
        let action = "opening a shell on the \(role.rawValue) board"
        do {
            guard let lock = try FileLock.tryTake("\(folder)/\(role.rawValue)/shell.lock") else {
                throw RigFailure(action, "there is one already", remedy: "leave that one first, with Ctrl-]")
            }
            return (try UnixSocket.connect(to: "\(folder)/\(role.rawValue)/shell.sock"), lock)
        } catch { throw .wrapping(error, while: action) }
    }
}

extension VirtualRig {
    /// How others find this rig.
    package var place: RigPlace { RigPlace(folder: folder) }
}

import BoardProtocol
import Foundation
import HILPOSIX
import RigModel

/// The running rigs of this user, including those that other processes started.
package enum RunningRigs {
    /// The folders of all rigs, the newest first. A rig that was killed just now may be among them.
    package static func folders(in base: String? = nil) -> [String] { folders(with: "air.sock", in: base) }

    /// The folders of the rigs of one checkout, the newest first.
    ///
    /// - Parameter checkout: The folder of its package.
    package static func folders(of checkout: String, in base: String? = nil) -> [String] {
        folders(in: base).filter { RunningRigInfo(folder: $0).belongs(to: checkout) }
    }

    /// The rigs whose boards offer a shell, the newest first.
    package static func withShells(in base: String? = nil) -> [RunningRigInfo] {
        folders(with: "\(BoardRole.host.rawValue)/shell.sock", in: base).filter { folder in
            // If the lock is free, the rig was killed.
            guard let lock = try? FileLock.tryTake("\(folder)/lock") else { return true }
            lock.release()
            return false
        }.map(RunningRigInfo.init)
    }

    /// The rigs' folders that contain this socket, the newest first.
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

/// A rig that another process runs.
package struct RunningRigInfo: Sendable, Equatable {
    /// The rig's folder.
    package let folder: String
    /// The name of the scenario's folder that it runs; empty if unknown.
    package let label: String
    /// The folder of its evidence, and the one in which it was started; empty if unknown.
    let places: [String]

    init(folder: String) {
        func text(_ name: String) -> String {
            (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
        }
        self.init(
            folder: folder, label: text("label"), places: text("places").split(separator: "\n").map(String.init))
    }

    init(folder: String, label: String, places: [String] = []) {
        (self.folder, self.label, self.places) = (folder, label, places)
    }

    /// Whether it was started from a checkout.
    ///
    /// - Parameter checkout: The folder of its package.
    func belongs(to checkout: String) -> Bool { places.contains { $0 == checkout || $0.hasPrefix("\(checkout)/") } }

    /// The rig's unique name.
    package var name: String { URL(fileURLWithPath: folder).lastPathComponent }

    /// Finds a rig by its name, or by its label or a part of that. Without a name, the only rig of this checkout.
    ///
    /// - Parameter checkout: The folder of its package.
    /// - Returns: nil if no rig of the checkout runs and no name was given.
    /// - Throws: ``RigFailure`` if no rig matches, or several do.
    package static func choose(
        _ name: String?, of all: [RunningRigInfo], in checkout: String
    ) throws(RigFailure) -> RunningRigInfo? {
        let action = "choosing a rig"
        let rigs = name == nil ? all.filter { $0.belongs(to: checkout) } : all
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
        throw RigFailure(action, "several run: \(list)", remedy: "choose one with --rig")
    }

    /// Connects to the shell port of a board, which accepts one client at a time.
    ///
    /// - Returns: The connection, and a lock that keeps other clients away while it exists.
    package func connectShell(of role: BoardRole) throws(RigFailure) -> (port: Descriptor, hold: any Sendable) {
        let action = "opening a shell on the \(role.rawValue) board"
        let socket = "\(folder)/\(role.rawValue)/shell.sock"
        guard access(socket, F_OK) == 0 else { throw RigFailure(action, "this rig has no such board") }
        do {
            guard let lock = try FileLock.tryTake("\(folder)/\(role.rawValue)/shell.lock") else {
                throw RigFailure(action, "a shell is already open", remedy: "close it first, with Ctrl-]")
            }
            return (try UnixSocket.connect(to: socket), lock)
        } catch { throw .wrapping(error, while: action) }
    }
}

extension VirtualRig {
    /// The description by which other processes find this rig.
    package var place: RunningRigInfo { RunningRigInfo(folder: folder) }
}

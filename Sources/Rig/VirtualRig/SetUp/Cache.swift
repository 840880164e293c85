import Foundation
import HILPOSIX
import HILTiming
import RigModel

/// A folder of files that are made once and used many times: images, RootCanal's library, snapshots.
///
/// An entry is made under a temporary name and renamed when it is complete. So an entry whose name has no `.partial` is
/// complete.
package struct Cache: Sendable, Codable, Equatable {
    /// The folder's absolute path.
    package let folder: String

    package init(folder: String) { self.folder = folder }

    /// `$HIL_CACHE`, else `$XDG_CACHE_HOME/hil`, else `~/.cache/hil`.
    package static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Cache {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let current = FileManager.default.currentDirectoryPath
        func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(current)/\(path)" }
        if let own = value("HIL_CACHE") { return Cache(folder: absolute(own)) }
        if let shared = value("XDG_CACHE_HOME") { return Cache(folder: absolute(shared) + "/hil") }
        // Some services start programs without HOME; then the user database has the folder.
        let home = value("HOME") ?? getpwuid(geteuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
        return Cache(folder: (home ?? "") + "/.cache/hil")
    }

    /// The path of an entry.
    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Makes the folder if it does not exist, and checks that files can be made in it.
    package func makeFolder() throws(RigFailure) {
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw notWritable(RigFailure.words(of: error))
        }
        if let obstacle { throw obstacle }
    }

    /// Why no file can be made in the folder, or in the nearest parent that exists; nil if files can be made.
    package var obstacle: RigFailure? {
        var place = folder
        while access(place, F_OK) != 0, place.count > 1 {
            place = URL(fileURLWithPath: place).deletingLastPathComponent().path
        }
        return access(place, W_OK) == 0 ? nil : notWritable("\(place): \(String(cString: strerror(errno)))")
    }

    private func notWritable(_ why: String) -> RigFailure {
        RigFailure(
            "making the cache folder \(folder)", why,
            remedy: "set HIL_CACHE to your own folder with \(DiskNeed.whole) MB free")
    }

    /// Makes an entry if it does not exist, one process at a time, and holds it until this process ends.
    ///
    /// - Parameters:
    ///   - name: The entry's name: its kind, and a fingerprint of its sources.
    ///   - megabytes: The disk space that is needed to make it.
    ///   - waiting: Called if another process is making an entry of this kind.
    ///   - damage: Returns how the entry at this path was damaged, or nil. A damaged entry is made again. Without it,
    ///     the whole content is compared with the original.
    ///   - replacing: Called with that reason.
    ///   - make: Makes the entry, a file or a folder, at the given path.
    /// - Returns: The entry's path.
    func keep(
        _ name: String, action: String, megabytes: Int = 1, waiting: @Sendable () -> Void = {},
        damage: ((_ path: String) -> String?)? = nil, replacing: (_ why: String) -> Void = { _ in },
        make: (_ partial: String) async throws -> Void
    ) async throws(RigFailure) -> String {
        func changes() async throws(RigFailure) -> String? {
            guard let damage else { return try await self.changes(of: name, for: action) }
            return damage(path(name))
        }
        if hold(name), try await changes() == nil { return path(name) }
        do {
            try makeFolder()
            let kind = String(name.prefix { $0 != "-" })
            let lock = try await FileLock.take(path("\(kind).lock"), waiting: waiting)
            defer { lock.release() }
            if hold(name) {
                guard let why = try await changes() else { return path(name) }
                replacing(why)
                try FileManager.default.removeItem(atPath: path(name))
                removeSeal(of: name)
            }
            // This process holds the lock, so the process that left this file has ended.
            for old in try FileManager.default.contentsOfDirectory(atPath: folder)
            where old.hasPrefix("\(kind)-") && old.hasSuffix(".partial") {
                try? FileManager.default.removeItem(atPath: path(old))
            }
            try requireSpace(megabytes, in: folder, for: action)
            let partial = path("\(name).\(getpid()).partial")
            do {
                try await make(partial)
                synchronize(partial)
                try FileManager.default.moveItem(atPath: partial, toPath: path(name))
            } catch {
                try? FileManager.default.removeItem(atPath: partial)
                throw error
            }
            synchronizeNames()
            if damage == nil { try await seal(name, for: action) }
            guard hold(name) else { throw RigFailure(action, "\(path(name)) was removed as soon as it was made") }
            return path(name)
        } catch { throw .wrapping(error, while: action) }
    }
}

/// Throws if the file system of a folder has too little space. Unknown space counts as enough.
func requireSpace(_ megabytes: Int, in folder: String, for action: String) throws(RigFailure) {
    var info = statvfs()
    guard statvfs(folder, &info) == 0 else { return }
    let free = Int(info.f_bavail) * Int(info.f_frsize) / 1_000_000
    guard free < megabytes else { return }
    throw RigFailure(
        action, "\(folder) has \(free) MB left, but \(megabytes) MB are needed",
        remedy: "free some space, or choose another cache folder with HIL_CACHE")
}

import Foundation
import POSIX
import RigModel
import Timing

/// The folder of what is made once and used many times: images, the wheel's library, snapshots.
///
/// A thing is made under a name of its own and renamed when it is whole, so a name without `.partial` is never half made.
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
        // Without HOME, as some services start programs, the user's entry tells.
        let home = value("HOME") ?? getpwuid(geteuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
        return Cache(folder: (home ?? "") + "/.cache/hil")
    }

    /// The path of a thing in the cache.
    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Makes the folder unless it is there, and sees that things can be made in it.
    package func makeFolder() throws(RigFailure) {
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw unmakeable(RigFailure.words(of: error))
        }
        if let obstacle { throw obstacle }
    }

    /// Why nothing can be made in the folder, or in the nearest one above it that is there; nil when things can.
    package var obstacle: RigFailure? {
        var place = folder
        while access(place, F_OK) != 0, place.count > 1 {
            place = URL(fileURLWithPath: place).deletingLastPathComponent().path
        }
        return access(place, W_OK) == 0 ? nil : unmakeable("\(place): \(String(cString: strerror(errno)))")
    }

    private func unmakeable(_ why: String) -> RigFailure {
        RigFailure(
            "making the cache folder \(folder)", why,
            remedy: "name a folder of yours in HIL_CACHE, with \(DiskNeed.whole) MB free")
    }

    /// Makes a thing unless it is there, one process at a time, and holds it until this process ends.
    ///
    /// - Parameters:
    ///   - name: The thing's name; what it is made of is part of it.
    ///   - megabytes: The space that the making needs.
    ///   - waiting: Called when another process is making things of this kind.
    ///   - damage: Why the thing at this path is no longer what was made, or nil; then it is made again.
    ///   - replacing: Called with that reason.
    ///   - make: Makes the thing, a file or a folder, at the path that it is given.
    /// - Returns: The thing's path.
    func keep(
        _ name: String, action: String, megabytes: Int = 1, waiting: @Sendable () -> Void = {},
        damage: (_ path: String) -> String? = { _ in nil }, replacing: (_ why: String) -> Void = { _ in },
        make: (_ partial: String) async throws -> Void
    ) async throws(RigFailure) -> String {
        if hold(name), damage(path(name)) == nil { return path(name) }
        do {
            try makeFolder()
            let kind = String(name.prefix { $0 != "-" })
            let lock = try await FileLock.take(path("\(kind).lock"), waiting: waiting)
            defer { lock.release() }
            if hold(name) {
                guard let why = damage(path(name)) else { return path(name) }
                replacing(why)
                try FileManager.default.removeItem(atPath: path(name))
            }
            // We hold the lock, so the process that left this behind has ended.
            for old in try FileManager.default.contentsOfDirectory(atPath: folder)
            where old.hasPrefix("\(kind)-") && old.hasSuffix(".partial") {
                try? FileManager.default.removeItem(atPath: path(old))
            }
            try requireSpace(megabytes, in: folder, for: action)
            let partial = path("\(name).\(getpid()).partial")
            do {
                try await make(partial)
                try FileManager.default.moveItem(atPath: partial, toPath: path(name))
            } catch {
                try? FileManager.default.removeItem(atPath: partial)
                throw error
            }
            guard hold(name) else { throw RigFailure(action, "\(path(name)) was removed as soon as it was made") }
            return path(name)
        } catch { throw .wrapping(error, while: action) }
    }
}

/// Throws unless the file system of a folder has room for us; where that is unknown, it has.
func requireSpace(_ megabytes: Int, in folder: String, for action: String) throws(RigFailure) {
    var info = statvfs()
    guard statvfs(folder, &info) == 0 else { return }
    let free = Int(info.f_bavail) * Int(info.f_frsize) / 1_000_000
    guard free < megabytes else { return }
    throw RigFailure(
        action, "\(folder) has \(free) MB left, and \(megabytes) MB are needed",
        remedy: "free some space, or choose another cache folder with HIL_CACHE")
}

/// An advisory lock on a file, freed by ``release()`` or by the death of the process.
struct FileLock: Sendable {
    private let descriptor: Descriptor

    /// Takes the lock, or gives nil when somebody else has it.
    static func tryTake(_ path: String) throws(SystemError) -> FileLock? {
        let descriptor = try Descriptor.open(path, O_RDWR | O_CREAT)
        do { try valueOrErrno("flock", "locking \(path)") { flock(descriptor.raw, LOCK_EX | LOCK_NB) } } catch {
            if error.code == EWOULDBLOCK { return nil }
            throw error
        }
        return FileLock(descriptor: descriptor)
    }

    /// Takes the lock, blocking this thread as long as its holder needs.
    static func take(_ path: String) throws(SystemError) -> FileLock {
        let descriptor = try Descriptor.open(path, O_RDWR | O_CREAT)
        try valueOrErrno("flock", "locking \(path)") { flock(descriptor.raw, LOCK_EX) }
        return FileLock(descriptor: descriptor)
    }

    /// Takes the lock, waiting for it as long as its holder needs, or until the task is cancelled.
    ///
    /// - Parameter waiting: Called when somebody else has it.
    static func take(_ path: String, waiting: () -> Void) async throws -> FileLock {
        if let lock = try tryTake(path) { return lock }
        waiting()
        let taken = EventLog<FileLock>()
        startThread(named: "lock") {
            do { taken.append(try take(path)) } catch { taken.finish(throwing: error) }
        }
        return try await taken.first(within: .seconds(3600), waitingFor: "another run that holds \(path)").event
    }

    func release() { descriptor.close() }
}

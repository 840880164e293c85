import Foundation
import HILPOSIX
import RigModel

/// The disk space that is needed to make something.
package struct DiskNeed: Sendable, Equatable {
    /// The folder where it is made, which need not exist yet.
    package var folder: String
    /// In MB (10⁶ bytes).
    package var megabytes: Int
    /// The purpose of the space: `the boards' image`.
    package var purpose: String

    package init(_ megabytes: Int, in folder: String, for purpose: String) {
        self.folder = folder
        self.megabytes = megabytes
        self.purpose = purpose
    }

    static let image = 500
    /// The unpacked image in the folder for temporary files, until it is packed.
    static let imageTree = 1500
    static let rootCanal = 300
    static let agent = 200
    static let snapshot = 600
    /// The source of the native boards' kernel and the files of its build, until it is built.
    static let kernelTree = 1600
    /// The results of a run: evidence, and the boards of failed scenarios.
    package static let results = 200

    /// A first set-up and a run together, on one disk.
    package static let whole = image + imageTree + rootCanal + agent + snapshot + results

    /// Throws if a disk has too little space for all of these needs together.
    package static func require(_ needs: [DiskNeed], for action: String) throws(RigFailure) {
        if let problem = problem(needs, for: action, disk: disk(of:)) { throw problem }
    }

    /// The lack of space as an error; nil if there is enough.
    ///
    /// - Parameter disk: Returns the number of the disk that a folder is on, and its free space in MB; nil if unknown.
    static func problem(
        _ needs: [DiskNeed], for action: String, disk: (_ folder: String) -> (number: UInt64, free: Int)?
    ) -> RigFailure? {
        let placed = needs.compactMap { need in disk(need.folder).map { (need, $0) } }
        for (first, place) in placed {
            let together = placed.filter { $0.1.number == place.number }.map(\.0)
            let sum = together.reduce(0) { $0 + $1.megabytes }
            if sum <= place.free { continue }
            let parts = together.map { "\($0.megabytes) for \($0.purpose) in \($0.folder)" }.joined(separator: ", ")
            return RigFailure(
                action, "the disk of \(first.folder) has \(place.free) MB left, but \(sum) MB are needed: \(parts)",
                remedy: "free some space; HIL_CACHE names another cache folder, --out another one for results")
        }
        return nil
    }

    /// The disk of a folder, or of its nearest parent that exists, with its free space in MB; nil if unknown.
    package static func disk(of folder: String) -> (number: UInt64, free: Int)? {
        var folder = folder
        var (place, space) = (stat(), statvfs())
        while stat(folder, &place) != 0 {
            if folder.isEmpty || folder == "/" { return nil }
            folder = URL(fileURLWithPath: folder).deletingLastPathComponent().path
        }
        guard statvfs(folder, &space) == 0 else { return nil }
        return (UInt64(place.st_dev), Int(space.f_bavail) * Int(space.f_frsize) / 1_000_000)
    }
}

extension RigSetUp {
    /// The disk space for the parts that a run must make first.
    ///
    /// - Parameter systems: The systems of the accessory boards.
    package func needs(_ systems: Set<BoardSystem> = [.debian13]) -> [DiskNeed] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.folder)) ?? []
        func has(_ kind: String) -> Bool {
            names.contains { $0.hasPrefix("\(kind)-") && ![".partial", ".log"].contains(where: $0.hasSuffix) }
        }
        var needs: [DiskNeed] = []
        // A team's own image checks its space when it is made.
        let missing = systems.filter { $0.archive == nil }.union([.debian13]).filter { !hasImage(of: $0, among: names) }
        if !missing.isEmpty {
            let what = missing.count == 1 ? "the boards' image" : "\(missing.count) images of boards"
            needs.append(DiskNeed(DiskNeed.image * missing.count, in: cache.folder, for: what))
            // They are built one after the other.
            needs.append(DiskNeed(DiskNeed.imageTree, in: BoardImage.temporaryFolder, for: "building it"))
        }
        if !names.contains(RootCanalWheel.name) {
            needs.append(DiskNeed(DiskNeed.rootCanal, in: cache.folder, for: "RootCanal"))
        }
        if !has("agent") { needs.append(DiskNeed(DiskNeed.agent, in: cache.folder, for: "the boards' agent")) }
        if !missing.isEmpty || !has("agent") || !has("snapshot") {
            needs.append(DiskNeed(DiskNeed.snapshot, in: cache.folder, for: "the boards' snapshot"))
        }
        return needs
    }

    /// Whether the image of a system is in the cache.
    package func hasImage(of system: BoardSystem) -> Bool {
        hasImage(of: system, among: (try? FileManager.default.contentsOfDirectory(atPath: cache.folder)) ?? [])
    }

    private func hasImage(of system: BoardSystem, among names: [String]) -> Bool {
        if let name = try? BoardImage.name(recipe: recipe, of: system) { return names.contains(name) }
        // Without a recipe there is no name.
        return names.contains { $0.hasPrefix("image-") && !$0.hasSuffix(".partial") && !$0.hasSuffix(".log") }
    }
}

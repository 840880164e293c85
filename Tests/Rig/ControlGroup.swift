import Foundation
import HILPOSIX

/// A control group for the processes of a test, of version 1 or 2. Making one needs root.
struct ControlGroup {
    private static let root = "/sys/fs/cgroup"
    /// The group's folders: one in version 2, one for each controller in version 1.
    private let freezer: String
    private let processor: String
    private let isUnified: Bool

    /// Whether control groups can be made here.
    static let canBeMade = access(root, W_OK) == 0 && getuid() == 0

    init() throws {
        let name = "hil-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        isUnified = FileManager.default.fileExists(atPath: "\(Self.root)/cgroup.controllers")
        freezer = isUnified ? "\(Self.root)/\(name)" : "\(Self.root)/freezer/\(name)"
        processor = isUnified ? freezer : "\(Self.root)/cpu/\(name)"
        if isUnified { try? Self.write("+cpu", to: "\(Self.root)/cgroup.subtree_control") }
        for folder in Set([freezer, processor]) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
    }

    /// Moves a process into the group. Its children from then on are in it as well.
    func add(_ process: pid_t) throws {
        for folder in Set([freezer, processor]) { try Self.write("\(process)", to: "\(folder)/cgroup.procs") }
    }

    /// Lets the group use this many processors.
    func limit(toProcessors share: Double) throws {
        let quota = Int(share * 100_000)
        if isUnified { return try Self.write("\(quota) 100000", to: "\(processor)/cpu.max") }
        try Self.write("100000", to: "\(processor)/cpu.cfs_period_us")
        try Self.write("\(quota)", to: "\(processor)/cpu.cfs_quota_us")
    }

    /// Stops all processes of the group, or lets them go on.
    func freeze(_ isFrozen: Bool) throws {
        if isUnified { return try Self.write(isFrozen ? "1" : "0", to: "\(freezer)/cgroup.freeze") }
        try Self.write(isFrozen ? "FROZEN" : "THAWED", to: "\(freezer)/freezer.state")
    }

    /// Removes the group, whose processes must have ended.
    func remove() {
        try? freeze(false)
        for folder in Set([freezer, processor]) { rmdir(folder) }
    }

    private static func write(_ text: String, to path: String) throws {
        try Descriptor.open(path, O_WRONLY).write(Array(text.utf8))
    }
}

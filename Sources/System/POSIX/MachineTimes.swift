import Glibc

/// Times during which this machine's processors were not available to our processes, counted from some moment on.
package struct MachineTimes: Sendable, Equatable {
    /// How long the host of this virtual machine used each of its processors for others (`steal`, proc_stat(5)).
    package var stolen: [Duration]
    /// How long the processors were idle, all together.
    package var idle: Duration
    /// How long our control group, and those that it is in, were kept from running by their quota (`throttled_usec` in
    /// `cpu.stat`), all processors together.
    package var throttled: Duration

    package init(stolen: [Duration] = [], idle: Duration = .zero, throttled: Duration = .zero) {
        (self.stolen, self.idle, self.throttled) = (stolen, idle, throttled)
    }

    /// The times now. Times that this machine does not report are zero.
    package static var now: MachineTimes {
        let processors = processors(in: KernelFile.text("/proc/stat"))
        return MachineTimes(
            stolen: processors.map(\.stolen), idle: processors.reduce(.zero) { $0 + $1.idle },
            throttled: controlGroups.reduce(.zero) { $0 + throttled(in: KernelFile.text("\($1)/cpu.stat")) })
    }

    /// Reads the lines `cpu0 …` of `/proc/stat`: the fourth and fifth number are idle times, the eighth is steal, in
    /// ticks.
    static func processors(in stat: String) -> [(stolen: Duration, idle: Duration)] {
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        return stat.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 8, fields[0].hasPrefix("cpu"), fields[0].count > 3 else { return nil }
            let times = fields.dropFirst().map { Double(UInt32($0) ?? 0) / ticks }
            return (.seconds(times[7]), .seconds(times[3] + times[4]))
        }
    }

    /// Reads `cpu.stat` of a control group of version 2 (`throttled_usec`) or 1 (`throttled_time`, nanoseconds).
    static func throttled(in stat: String) -> Duration {
        for line in stat.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count == 2, let number = Int64(fields[1]), number >= 0, number < .max / 1_000 else { continue }
            if fields[0] == "throttled_usec" { return .microseconds(number) }
            if fields[0] == "throttled_time" { return .nanoseconds(number) }
        }
        return .zero
    }

    /// The folders of the control groups that this process is in, from its own up to the root.
    private static let controlGroups: [String] = folders(
        of: KernelFile.text("/proc/self/cgroup"), mounts: KernelFile.text("/proc/self/mountinfo"))

    /// - Parameters:
    ///   - memberships: The text of `/proc/self/cgroup`.
    ///   - mounts: The text of `/proc/self/mountinfo`.
    static func folders(of memberships: String, mounts: String) -> [String] {
        for line in memberships.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let controllers = parts[1].split(separator: ",")
            let type = controllers.contains("cpu") ? "cgroup" : parts[1].isEmpty ? "cgroup2" : nil
            guard let type, let root = root(of: type, in: mounts) else { continue }
            var names = parts[2].split(separator: "/")
            var folders = [root]
            while !names.isEmpty {
                folders.append(root + "/" + names.joined(separator: "/"))
                names.removeLast()
            }
            // In version 2 without the controller, the file exists but lacks the line.
            return folders
        }
        return []
    }

    /// Where a hierarchy with the controller `cpu` is mounted.
    private static func root(of type: String, in mounts: String) -> String? {
        for line in mounts.split(separator: "\n") {
            // Mount point, optional fields, a dash, type, source and options (proc_pid_mountinfo(5)).
            let halves = line.split(separator: " - ", maxSplits: 1)
            guard halves.count == 2 else { continue }
            let fields = halves[0].split(separator: " ")
            let rest = halves[1].split(separator: " ")
            guard fields.count > 4, rest.count > 2, rest[0] == type else { continue }
            if type == "cgroup2" || rest[2].split(separator: ",").contains("cpu") { return String(fields[4]) }
        }
        return nil
    }
}

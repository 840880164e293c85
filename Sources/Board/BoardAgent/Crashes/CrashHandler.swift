import Glibc
import POSIX

/// `hil-board crash PID SIGNAL`: the kernel starts it for a process that crashes (`core(5)`, piping core dumps to a program),
/// with the core on standard input. It leaves a report where the agent finds it.
public enum CrashHandler {
    /// Where reports wait for the agent, a file of the process's number each.
    static let folder = "/run/hil-crashes"
    private static let stackSize = 64 << 10

    /// Has the kernel start this program for every process that crashes. Of a virtual board only: a board on a bench
    /// may have a handler of its own.
    static func install() throws(SystemError) {
        let program = try ownProgram()
        // Reports are made one at a time or few, and the dead process stays until its report is there.
        try write("4", to: "/proc/sys/kernel/core_pipe_limit")
        try write("|\(program) crash %P %s", to: "/proc/sys/kernel/core_pattern")
    }

    private static func write(_ text: String, to path: String) throws(SystemError) {
        try Descriptor.open(path, O_WRONLY).write(text.utf8)
    }

    /// Makes the report.
    public static func run(_ arguments: [String]) throws {
        guard arguments.count == 2, let pid = Int32(arguments[0]), let signal = Int32(arguments[1]) else { return }
        // Held to the end: once nobody has the pipe, the process goes, and its memory with it.
        let input = Descriptor(adopting: 0)
        defer { withExtendedLifetime(input) {} }
        let core = CoreFile(try readCore(from: input))
        let map = MemoryMap(String(decoding: try readAll("/proc/\(pid)/maps"), as: UTF8.self))
        let command = try readAll("/proc/\(pid)/cmdline").split(separator: 0).map {
            String(decoding: $0, as: UTF8.self)
        }
        var callers: [UInt64] = []
        if let stack = core?.registers["rsp"], let memory = try? Descriptor.open("/proc/\(pid)/mem", O_RDONLY) {
            let end = map.regions.first { $0.range.contains(stack) }?.range.upperBound ?? stack
            let size = Int(min(UInt64(stackSize), end - stack))
            callers = CrashReport.callers(on: read(memory, at: stack, size) ?? [], map) { read(memory, at: $0 - 7, 7) }
        }
        let report = CrashReport(
            pid: pid, command: command.joined(separator: " "), signal: signal, core: core, map: map, callers: callers)
        mkdir(folder, 0o700)
        let text = report.lines.joined(separator: "\n")
        try Descriptor.open("\(folder)/\(pid)", O_WRONLY | O_CREAT | O_TRUNC).write(text.utf8)
    }

    /// Takes the reports that wait: of one process, or of all.
    static func takeReports(of pid: pid_t? = nil) -> [[String]] {
        let names: [String]
        if let pid { names = ["\(pid)"] } else { names = files() }
        return names.compactMap { name in
            guard let text = try? readAll("\(folder)/\(name)") else { return nil }
            unlink("\(folder)/\(name)")
            return String(decoding: text, as: UTF8.self).split(separator: "\n").map { String($0) }
        }
    }

    private static func files() -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if Int32(name) != nil { names.append(name) }
        }
        return names.sorted()
    }

    /// The start of the core. The rest stays in the pipe: while it does, the process stays as it was.
    private static func readCore(from input: Descriptor) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < CoreFile.neededBytes {
            let more = try input.read()
            guard !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }

    private static func readAll(_ path: String) throws(SystemError) -> [UInt8] {
        let file = try Descriptor.open(path, O_RDONLY)
        var bytes: [UInt8] = []
        while true {
            let more = try file.read()
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    private static func read(_ memory: Descriptor, at address: UInt64, _ size: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size)
        let count = bytes.withUnsafeMutableBytes {
            pread(memory.raw, $0.baseAddress, size, Int(bitPattern: UInt(address)))
        }
        return count == size ? bytes : nil
    }
}

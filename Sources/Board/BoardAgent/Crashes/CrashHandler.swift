import Glibc
import HILPOSIX

/// The program `hil-board crash PID SIGNAL`. The kernel starts it for a process that crashes.
///
/// It gets the core file on standard input (`core(5)`, "Piping core dumps to a program") and writes a report for the
/// agent.
package enum CrashHandler {
    /// The folder in which reports wait for the agent. Each file is named by its process number.
    static let folder = "/run/hil-crashes"
    private static let stackSize = 64 << 10

    /// Makes the kernel start this program for every process that crashes.
    ///
    /// Only for virtual boards: a real board may have its own handler.
    static func install() throws(SystemError) {
        let program = try ownProgram()
        // At most four reports are made at once. The dead process stays until its report is written.
        try write("4", to: "/proc/sys/kernel/core_pipe_limit")
        try write("|\(program) crash %P %s", to: "/proc/sys/kernel/core_pattern")
    }

    private static func write(_ text: String, to path: String) throws(SystemError) {
        try Descriptor.open(path, O_WRONLY).write(text.utf8)
    }

    /// Writes the report.
    ///
    /// - Parameter arguments: The number of the process, and the signal. Does nothing for other arguments.
    package static func run(_ arguments: [String]) throws {
        guard arguments.count == 2, let pid = Int32(arguments[0]), let signal = Int32(arguments[1]) else { return }
        // Kept open to the end: when the pipe is closed, the process and its memory go away.
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
        let places = [core?.registers["rip"]].compactMap(\.self).map { ($0, $0) } + callers.map { ($0, $0 - 1) }
        var report = CrashReport(
            pid: pid, command: command.joined(separator: " "), signal: signal, core: core, map: map, callers: callers,
            functions: functions(at: places, map, of: pid))
        report.age = (try? readAll("/proc/self/stat")).flatMap { CrashReport.age(inStat: $0, now: boottime()) }
        mkdir(folder, 0o700)
        let text = report.lines.joined(separator: "\n")
        try Descriptor.open("\(folder)/\(pid)", O_WRONLY | O_CREAT | O_TRUNC).write(text.utf8)
    }

    /// The time since boot in milliseconds.
    private static func boottime() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
    }

    /// The names of functions.
    ///
    /// - Parameter places: Addresses, each with one that is in the function for certain: a call may be the last
    ///   instruction of its function.
    private static func functions(
        at places: [(address: UInt64, inside: UInt64)], _ map: MemoryMap, of pid: Int32
    ) -> [UInt64: String] {
        var files: [String: ProgramFile?] = [:]
        var names: [UInt64: String] = [:]
        for (address, inside) in places {
            guard let place = map.place(of: inside) else { continue }
            if files[place.path] == nil { files[place.path] = .some(programFile("/proc/\(pid)/root\(place.path)")) }
            guard let file = files[place.path] ?? nil else { continue }
            names[address] = FunctionNames(file).name(at: file.isFixed ? inside : place.offset)
        }
        return names
    }

    private static func programFile(_ path: String) -> ProgramFile? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size <= ProgramFile.longest, let bytes = try? readAll(path) else {
            return nil
        }
        return ProgramFile(bytes)
    }

    /// Returns and deletes the waiting reports, of one process or of all. Each is a list of lines.
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

    /// Reads the start of the core. The process stays unchanged while more bytes are in the pipe.
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

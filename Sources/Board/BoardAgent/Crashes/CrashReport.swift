/// The report of a crash: the program, the signal, the place, and possible callers. Pure.
struct CrashReport: Sendable, Equatable {
    /// The most return addresses in a report.
    private static let longestTrace = 24

    var pid: Int32
    /// The program and its arguments, separated by spaces.
    var command: String
    var signal: Int32
    /// Nil if the core file could not be read.
    var core: CoreFile?
    var map: MemoryMap
    /// Values on the stack that may be return addresses, innermost first.
    var callers: [UInt64]
    /// The names of the functions at these addresses, as far as they are known.
    var functions: [UInt64: String] = [:]
    /// How long before the report the signal came, in milliseconds; nil if it is not known.
    var age: Int?

    /// The lines of the report. The first is a summary.
    var lines: [String] {
        let program = command.split(separator: " ").first?.split(separator: "/").last.map { String($0) } ?? "?"
        let place = core?.registers["rip"].map { " at \(name(of: $0))\(namedCaller(of: $0))" } ?? ""
        var lines = ["\(program) (process \(pid)) crashed with signal \(signal)\(place)", "command: \(command)"]
        // The process stays, as it was, until the report is written.
        if let age { lines.append("the signal came \(age) ms before this report") }
        guard let core else { return lines + ["no registers: the core file could not be read"] }
        lines.append("thread \(core.thread): " + registers(core))
        // Debian's programs have no frame pointers: a value on the stack that points behind a call may be a caller. The
        // kernel's own backtraces mark these lines in the same way.
        lines += callers.prefix(CrashReport.longestTrace).map { "? \(name(of: $0))" }
        return lines
    }

    /// The innermost possible caller with a name, for a place in the program itself that has none.
    private func namedCaller(of address: UInt64) -> String {
        guard functions[address] == nil, let path = map.place(of: address)?.path else { return "" }
        let caller = callers.first { functions[$0] != nil && map.place(of: $0)?.path == path }
        return caller.flatMap { functions[$0] }.map { ", probably called by \($0)" } ?? ""
    }

    /// `bluetoothd+0x1f3a0 (att_disconnected, src/device.c)`.
    private func name(of address: UInt64) -> String {
        map.name(of: address) + (functions[address].map { " (\($0))" } ?? "")
    }

    private func registers(_ core: CoreFile) -> String {
        ["rip", "rsp", "rbp", "rax", "rbx", "rcx", "rdx", "rsi", "rdi"].compactMap { name in
            core.registers[name].map { "\(name)=0x" + String($0, radix: 16) }
        }.joined(separator: " ")
    }

    /// How long ago a process began, in milliseconds. The kernel starts the handler as the signal comes.
    ///
    /// - Parameters:
    ///   - stat: Its `/proc/PID/stat` (`proc_pid_stat(5)`: the start is field 22, in hundredths of a second since boot).
    ///   - now: Milliseconds since boot.
    static func age(inStat stat: [UInt8], now: Int) -> Int? {
        // The name of the program may have spaces and brackets.
        guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = stat[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        guard fields.count > 19, let start = Int(String(decoding: fields[19], as: UTF8.self)), start >= 0,
            start <= now / 10 + 1
        else { return nil }
        return max(0, now - start * 10)
    }

    /// Finds the values on a stack that point just behind a call instruction in the code of a file.
    ///
    /// - Parameters:
    ///   - stack: The bytes of the stack from the stack pointer on.
    ///   - code: Returns the seven bytes before an address, or nil.
    static func callers(on stack: [UInt8], _ map: MemoryMap, code: (UInt64) -> [UInt8]?) -> [UInt64] {
        var found: [UInt64] = []
        for start in stride(from: 0, through: stack.count - 8, by: 8) where found.count < longestTrace {
            var value: UInt64 = 0
            for byte in stack[start..<start + 8].reversed() { value = value << 8 | UInt64(byte) }
            if map.isCode(value), let before = code(value), endsWithCall(before) { found.append(value) }
        }
        return found
    }

    /// Whether code ends with `call`: E8 and four bytes, or FF /2 and one to six bytes (Intel's manual, volume 2,
    /// CALL).
    static func endsWithCall(_ code: [UInt8]) -> Bool {
        let count = code.count
        if count >= 5, code[count - 5] == 0xE8 { return true }
        for length in [2, 3, 4, 6, 7] where count >= length {
            let opcode = code[count - length]
            let operand = code[count - length + 1]
            if opcode == 0xFF, operand & 0x38 == 0x10 { return true }
        }
        return false
    }
}

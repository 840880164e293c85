/// The registers of the first thread in a core file, which is the thread that crashed. Pure.
///
/// Source: Linux 6.12, `fs/binfmt_elf.c` and `include/linux/elfcore.h`; only ELF-64 for x86-64.
struct CoreFile: Sendable, Equatable {
    /// The signal that ended the process.
    var signal: Int32
    /// The identifier of the thread.
    var thread: Int32
    /// The registers by name: `rip`, `rsp`, `rax`.
    var registers: [String: UInt64]

    /// In the order of `struct user_regs_struct`.
    private static let names = [
        "r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi", "rdi",
        "orig_rax", "rip", "cs", "eflags", "rsp",
    ]

    private enum Layout {
        static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
        static let amd64: UInt64 = 62
        static let note: UInt64 = 4
        static let status: UInt64 = 1
        static let programHeader = 56
        /// The offset of the registers in `struct elf_prstatus`.
        static let registers = 112
    }

    /// How many bytes of the file's start contain everything that is read here.
    static let neededBytes = 256 << 10

    /// Parses the start of a core file; nil if it is not a core file, is for another machine, or is too short.
    init?(_ bytes: [UInt8]) {
        let reader = Reader(bytes: bytes)
        guard bytes.starts(with: Layout.magic), reader.number(18, 2) == Layout.amd64,
            let table = reader.number(32, 8), let count = reader.number(56, 2)
        else { return nil }
        for index in 0..<Int(count) {
            guard let base = reader.place(table, plus: index * Layout.programHeader),
                let kind = reader.number(base, 4), let offset = reader.number(base + 8, 8),
                let size = reader.number(base + 32, 8)
            else { return nil }
            if kind == Layout.note {
                guard let status = CoreFile.status(reader, from: offset, size: size) else { return nil }
                self = status
                return
            }
        }
        return nil
    }

    private init(signal: Int32, thread: Int32, registers: [String: UInt64]) {
        self.signal = signal
        self.thread = thread
        self.registers = registers
    }

    /// Reads the first `NT_PRSTATUS` note.
    private static func status(_ reader: Reader, from offset: UInt64, size: UInt64) -> CoreFile? {
        guard var place = reader.place(offset, plus: 0) else { return nil }
        let end = place + Int(min(size, UInt64(reader.bytes.count - place)))
        while place + 12 <= end {
            guard let nameSize = reader.number(place, 4), let size = reader.number(place + 4, 4),
                let kind = reader.number(place + 8, 4)
            else { return nil }
            let body = place + 12 + Int(nameSize + 3) & ~3
            if kind == Layout.status { return status(reader, at: body) }
            place = body + Int(size + 3) & ~3
        }
        return nil
    }

    private static func status(_ reader: Reader, at body: Int) -> CoreFile? {
        guard let signal = reader.number(body + 12, 2), let thread = reader.number(body + 32, 4) else { return nil }
        var registers: [String: UInt64] = [:]
        for (index, name) in names.enumerated() {
            guard let value = reader.number(body + Layout.registers + 8 * index, 8) else { return nil }
            registers[name] = value
        }
        return CoreFile(signal: Int32(signal), thread: Int32(truncatingIfNeeded: thread), registers: registers)
    }

    /// Reads little-endian numbers. The bytes may end anywhere.
    private struct Reader {
        let bytes: [UInt8]

        func number(_ offset: Int, _ size: Int) -> UInt64? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            var value: UInt64 = 0
            for byte in bytes[offset..<offset + size].reversed() { value = value << 8 | UInt64(byte) }
            return value
        }

        /// The sum; nil if it is beyond the bytes.
        func place(_ offset: UInt64, plus more: Int) -> Int? {
            guard offset <= UInt64(bytes.count), more <= bytes.count - Int(offset) else { return nil }
            return Int(offset) + more
        }
    }
}

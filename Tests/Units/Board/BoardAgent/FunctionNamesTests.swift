import TestSupport
import Testing

@testable import BoardAgent

/// Names of functions in programs that a test makes.
@Suite struct FunctionNamesTests {
    /// A program with one section after the other.
    struct Program {
        private(set) var sections: [(name: String, address: UInt64, bytes: [UInt8], link: Int)] = [("", 0, [], 0)]
        /// 2: its addresses are fixed; 3: it may be anywhere.
        var kind: UInt64 = 3

        mutating func add(_ name: String, at address: UInt64 = 0, _ bytes: [UInt8], link: Int = 0) {
            sections.append((name, address, bytes, link))
        }

        var bytes: [UInt8] {
            var (file, headers, names) = ([UInt8](repeating: 0, count: 64), [UInt8](), [UInt8]())
            let all =
                sections + [
                    (".shstrtab", 0, sections.flatMap { Array($0.name.utf8) + [0] } + Array(".shstrtab\0".utf8), 0)
                ]
            for section in all {
                let name = names.count
                names += Array(section.name.utf8) + [0]
                headers += word(UInt64(name), 4) + word(1, 4) + word(0, 8) + word(section.address, 8)
                headers += word(UInt64(file.count), 8) + word(UInt64(section.bytes.count), 8)
                headers += word(UInt64(section.link), 4) + word(0, 4) + word(0, 16)
                file += section.bytes
            }
            let table = file.count
            file += headers
            func put(_ value: UInt64, at offset: Int, _ size: Int) {
                file.replaceSubrange(offset..<offset + size, with: word(value, size))
            }
            file.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
            put(kind, at: 16, 2)
            put(62, at: 18, 2)
            put(UInt64(table), at: 40, 8)
            put(UInt64(all.count), at: 60, 2)
            put(UInt64(all.count - 1), at: 62, 2)
            return file
        }
    }

    private static func word(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) : 0 }
    }

    private static let texts = Array("\0src/device.c\0att_disconnected\0%s:%s() link %d\0gatt_clear\0".utf8)
    private static let (source, function, format, other): (UInt64, UInt64, UInt64, UInt64) = (
        0x2001, 0x200E, 0x201F, 0x202F
    )

    /// `lea` of an address into a register, at a place in the code.
    private static func take(_ target: UInt64, _ register: UInt8, at place: UInt64) -> [UInt8] {
        [0x48, 0x8D, register] + word(target &- (place + 7), 4)
    }

    /// A stripped program: the function at 0x1000 writes a message, the one at 0x1040 two, the one at 0x1080 none.
    static func stripped() -> Program {
        var code: [UInt8] = []
        func message(_ name: UInt64) {
            for (target, register) in [(source, UInt8(0x15)), (name, 0x0D), (format, 0x35)] {
                code += take(target, register, at: 0x1000 + UInt64(code.count))
            }
        }
        message(function)
        code += [UInt8](repeating: 0x90, count: 0x40 - code.count)
        message(function)
        message(other)
        code += [UInt8](repeating: 0x90, count: 0x90 - code.count)
        var frames: [UInt8] = []
        var table: [UInt8] = []
        for (start, size) in [(0x1000, 0x40), (0x1040, 0x40), (0x1080, 0x10)] as [(UInt64, UInt64)] {
            table += word(start &- 0x4000, 4) + word(0x3000 + UInt64(frames.count) &- 0x4000, 4)
            frames += word(20, 4) + word(0, 8) + word(size, 4) + word(0, 8)
        }
        var program = Program()
        program.add(".text", at: 0x1000, code)
        program.add(".rodata", at: 0x2000, texts)
        program.add(".eh_frame", at: 0x3000, frames)
        program.add(".eh_frame_hdr", at: 0x4000, [1, 0x1B, 0x03, 0x3B] + word(0, 4) + word(3, 4) + table)
        return program
    }

    private static func names(_ program: Program) throws -> FunctionNames {
        FunctionNames(try #require(ProgramFile(program.bytes)))
    }

    @Test("A stripped program's function is named by the debug messages that it writes, with its source")
    func messages() throws {
        let names = try Self.names(Self.stripped())
        #expect(names.name(at: 0x1000) == "att_disconnected, src/device.c")
        #expect(names.name(at: 0x103F) == "att_disconnected, src/device.c")
        #expect(names.name(at: 0x1041) == "att_disconnected or gatt_clear, src/device.c", "the compiler has put one in")
        #expect(names.name(at: 0x1085) == nil && names.name(at: 0x1090) == nil && names.name(at: 0xFFF) == nil)
    }

    @Test("A symbol comes before that, with the distance from its start")
    func symbols() throws {
        var program = Self.stripped()
        program.add(".strtab", Array("\0main\0".utf8))
        let symbol = Self.word(1, 4) + [0x12, 0] + Self.word(1, 2) + Self.word(0x1080, 8) + Self.word(0x10, 8)
        program.add(".symtab", [UInt8](repeating: 0, count: 24) + symbol, link: 5)
        let names = try Self.names(program)
        #expect(names.name(at: 0x1080) == "main" && names.name(at: 0x1085) == "main+0x5")
        #expect(names.name(at: 0x1000) == "att_disconnected, src/device.c")
        #expect(ProgramFile(program.bytes)?.isFixed == false)
        program.kind = 2
        #expect(ProgramFile(program.bytes)?.isFixed == true)
    }

    @Test("A text that only ends like a name, or stands far away, names nothing")
    func otherTexts() throws {
        var code: [UInt8] = []
        func take(_ target: UInt64, _ register: UInt8) {
            code += Self.take(target, register, at: 0x1000 + UInt64(code.count))
        }
        take(Self.function + 4, 0x0D)  // “disconnected” is the end of a text.
        take(Self.format, 0x35)
        code += [UInt8](repeating: 0x90, count: 60)
        take(Self.function, 0x0D)
        var program = Program()
        program.add(".text", at: 0x1000, code)
        program.add(".rodata", at: 0x2000, Self.texts)
        program.add(".eh_frame", at: 0x3000, Self.word(20, 4) + Self.word(0, 8) + Self.word(0x60, 4) + Self.word(0, 8))
        let table = Self.word(0x1000 &- 0x4000, 4) + Self.word(0x3000 &- 0x4000, 4)
        program.add(".eh_frame_hdr", at: 0x4000, [1, 0x1B, 0x03, 0x3B] + Self.word(0, 4) + Self.word(1, 4) + table)
        #expect(try Self.names(program).name(at: 0x1000) == nil)
    }

    @Test("Files that are cut, changed or something else give no name, and no trap")
    func hostile() throws {
        #expect(ProgramFile([]) == nil && ProgramFile(Array("#!/bin/sh\n".utf8)) == nil)
        var program = Self.stripped()
        program.add(".strtab", Array("\0main\0".utf8))
        program.add(".symtab", [UInt8](repeating: 0xFF, count: 50), link: 5)
        let whole = program.bytes
        var random = SeededNumbers(seed: 7)
        for count in stride(from: 0, to: whole.count, by: 3) {
            if let file = ProgramFile(Array(whole.prefix(count))) { _ = FunctionNames(file).name(at: 0x1000) }
        }
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let value = Bool.random(using: &random) ? 0xFF : UInt8.random(in: 0...255, using: &random)
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = value
            }
            guard let file = ProgramFile(bytes) else { continue }
            for address: UInt64 in [0, 0x1000, 0x1041, 0x1085, .max] { _ = FunctionNames(file).name(at: address) }
        }
    }
}

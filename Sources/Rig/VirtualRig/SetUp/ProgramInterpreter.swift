import Foundation

/// The program interpreter of an ELF file: the dynamic linker that starts it (System V gABI, “Program Loading”).
enum ProgramInterpreter {
    /// The position of the interpreter's path in a file, and the path.
    private struct Place {
        var bytes: Range<Int>
        var path: String
    }

    /// The path of a program's dynamic linker; nil if the bytes are not a 64-bit program, or are a statically linked
    /// one.
    static func path(in program: Data) -> String? { find(in: program)?.path }

    /// A copy of a program with another dynamic linker.
    ///
    /// - Parameter path: The path of that linker; not longer than the present one, which it replaces.
    /// - Returns: Nil if the bytes have no interpreter, or a shorter one.
    static func replaced(in program: Data, by path: String) -> Data? {
        guard let place = find(in: program), path.utf8.count < place.bytes.count else { return nil }
        var copy = Data(program)
        let padding = place.bytes.count - path.utf8.count
        copy.replaceSubrange(place.bytes, with: Array(path.utf8) + Array(repeating: 0, count: padding))
        return copy
    }

    private static func find(in program: Data) -> Place? {
        let bytes = Data(program)
        // 64-bit, little-endian.
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            let table = number(at: 32, 8, in: bytes), let size = number(at: 54, 2, in: bytes),
            let count = number(at: 56, 2, in: bytes), size >= 56
        else { return nil }
        for index in 0..<count {
            let header = table + index * size
            guard let type = number(at: header, 4, in: bytes) else { return nil }
            // PT_INTERP.
            guard type == 3 else { continue }
            guard let offset = number(at: header + 8, 8, in: bytes), let length = number(at: header + 32, 8, in: bytes),
                length > 1, length <= 4096, offset <= bytes.count - length
            else { return nil }
            let place = offset..<offset + length
            return Place(bytes: place, path: String(decoding: bytes[place].prefix { $0 != 0 }, as: UTF8.self))
        }
        return nil
    }

    /// A little-endian number of `size` bytes; nil if it is outside the file, or far too large for a position in it.
    private static func number(at offset: Int, _ size: Int, in bytes: Data) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        let value = bytes[offset..<offset + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value <= UInt64(Int32.max) ? Int(value) : nil
    }
}

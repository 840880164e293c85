/// A program or library as a file: its sections and the places of its functions. Pure; the bytes may be anything.
///
/// Source: System V ABI, chapters 4 and 5; AMD64 supplement, 4.2; Linux Standard Base 5.0, 10.6.2 (`.eh_frame_hdr`). Only
/// ELF-64 for x86-64.
struct ProgramFile: Sendable {
    struct Section: Sendable, Equatable {
        var name: String
        /// In memory, from the start of the program; 0 for a section that is not loaded.
        var address: UInt64
        /// In the file.
        var bytes: Range<Int>
        /// The number of the section that belongs to it.
        var link: Int
    }

    private enum Layout {
        static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
        static let amd64: UInt64 = 62
        static let executable: UInt64 = 2
        static let noBits: UInt64 = 8
        static let sectionHeader = 64
        static let symbol = 24
        /// The type of a symbol, in the lower half of `st_info`: a function, and one that is chosen at run time.
        static let functions: Set<UInt64> = [2, 10]
        /// Version 1; then how the numbers of `.eh_frame_hdr` are written: 4 bytes from here, 4 bytes, 4 bytes from the
        /// section's start. Nothing else occurs.
        static let frameHeader: [UInt8] = [1, 0x1B, 0x03, 0x3B]
    }

    /// The longest file that is read, in bytes.
    static let longest = 64 << 20
    /// The most sections and the most symbols that are read.
    private static let mostSections = 1_000
    private static let mostSymbols = 200_000

    private let file: [UInt8]
    private let sections: [Section]
    /// Whether addresses in memory are those in the file.
    let isFixed: Bool

    /// - Parameter bytes: The whole file.
    init?(_ bytes: [UInt8]) {
        file = bytes
        guard bytes.starts(with: Layout.magic), bytes.number(18, 2) == Layout.amd64,
            let kind = bytes.number(16, 2), let table = bytes.number(40, 8), let count = bytes.number(60, 2),
            let names = bytes.number(62, 2), table < UInt64(bytes.count), count <= ProgramFile.mostSections
        else { return nil }
        isFixed = kind == Layout.executable
        var found: [(name: Int, section: Section)] = []
        for index in 0..<Int(count) {
            let base = Int(table) + index * Layout.sectionHeader
            guard let name = bytes.number(base, 4), let kind = bytes.number(base + 4, 4),
                let address = bytes.number(base + 16, 8), let offset = bytes.number(base + 24, 8),
                let size = bytes.number(base + 32, 8), let link = bytes.number(base + 40, 4)
            else { return nil }
            let isStored =
                kind != Layout.noBits && offset <= UInt64(bytes.count) && size <= UInt64(bytes.count) - offset
            let range = isStored ? Int(offset)..<Int(offset + size) : 0..<0
            found.append((Int(name), Section(name: "", address: address, bytes: range, link: Int(link))))
        }
        guard found.indices.contains(Int(names)) else { return nil }
        let texts = found[Int(names)].section.bytes
        sections = found.map { name, section in
            var section = section
            section.name = bytes.text(at: texts.lowerBound + name, before: texts.upperBound) ?? ""
            return section
        }
    }

    func section(_ name: String) -> Section? { sections.first { $0.name == name && !$0.bytes.isEmpty } }

    /// The bytes of the file from an address on, to the end of its section; nil if no section is there.
    func bytes(at address: UInt64) -> ArraySlice<UInt8>? {
        for section in sections where section.address > 0 && address >= section.address {
            guard address - section.address < UInt64(section.bytes.count) else { continue }
            return file[(section.bytes.lowerBound + Int(address - section.address))..<section.bytes.upperBound]
        }
        return nil
    }

    /// The text that begins at an address of a section, which a zero ends.
    ///
    /// - Parameter isWhole: Whether a zero must stand before it.
    func text(at address: UInt64, in section: Section, isWhole: Bool = false) -> String? {
        guard address >= section.address, address - section.address < UInt64(section.bytes.count) else { return nil }
        let place = section.bytes.lowerBound + Int(address - section.address)
        if isWhole, place > section.bytes.lowerBound, file[place - 1] != 0 { return nil }
        return file.text(at: place, before: section.bytes.upperBound)
    }

    /// The function in a table of symbols whose code has an address, and the distance from its start.
    func symbol(at address: UInt64) -> (name: String, offset: UInt64)? {
        for name in [".symtab", ".dynsym"] {
            guard let table = section(name), sections.indices.contains(table.link) else { continue }
            if let found = symbol(at: address, in: table.bytes, texts: sections[table.link].bytes) { return found }
        }
        return nil
    }

    private func symbol(
        at address: UInt64, in table: Range<Int>, texts: Range<Int>
    ) -> (name: String, offset: UInt64)? {
        let count = min(table.count / Layout.symbol, ProgramFile.mostSymbols)
        for index in 0..<count {
            let base = table.lowerBound + index * Layout.symbol
            guard let kind = file.number(base + 4, 1), Layout.functions.contains(kind & 0xF),
                let start = file.number(base + 8, 8), let size = file.number(base + 16, 8), start <= address,
                address - start < size, let name = file.number(base, 4),
                let text = file.text(at: texts.lowerBound + Int(name), before: texts.upperBound), !text.isEmpty
            else { continue }
            return (text, address - start)
        }
        return nil
    }

    /// The addresses of the function whose code has an address, by the table for unwinding, which stripped programs have,
    /// too.
    func function(at address: UInt64) -> Range<UInt64>? {
        guard let header = section(".eh_frame_hdr"), let frames = section(".eh_frame"),
            file[header.bytes].starts(with: Layout.frameHeader),
            let count = file.number(header.bytes.lowerBound + 8, 4)
        else { return nil }
        let table = header.bytes.lowerBound + 12
        func entry(_ index: Int) -> (start: UInt64, frame: UInt64)? {
            guard let start = file.number(table + 8 * index, 4), let frame = file.number(table + 8 * index + 4, 4)
            else {
                return nil
            }
            return (header.address.moved(start), header.address.moved(frame))
        }
        // The table is sorted by address.
        var (low, high) = (0, min(Int(count), header.bytes.count / 8))
        while low < high {
            let middle = (low + high) / 2
            guard let start = entry(middle)?.start else { return nil }
            if start <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, let (start, frame) = entry(low - 1), frame >= frames.address,
            frame - frames.address < UInt64(frames.bytes.count),
            // Length, pointer to the common part, start, length of the code: 4 bytes each.
            let length = file.number(frames.bytes.lowerBound + Int(frame - frames.address) + 12, 4),
            address - start < length
        else { return nil }
        let (end, isTooFar) = start.addingReportingOverflow(length)
        return isTooFar ? nil : start..<end
    }
}

extension UInt64 {
    /// The address at a signed distance of four bytes.
    func moved(_ distance: UInt64) -> UInt64 {
        self &+ UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: distance)))
    }
}

extension [UInt8] {
    /// The little-endian number at a place; nil beyond the end.
    func number(_ offset: Int, _ size: Int) -> UInt64? {
        guard offset >= 0, offset <= count - size else { return nil }
        var value: UInt64 = 0
        for byte in self[offset..<offset + size].reversed() { value = value << 8 | UInt64(byte) }
        return value
    }

    /// The text from a place to the next zero; nil without one, and for a text of more than 255 bytes.
    func text(at offset: Int, before end: Int) -> String? {
        guard offset >= 0, offset < Swift.min(end, count) else { return nil }
        let rest = self[offset..<Swift.min(end, count, offset + 256)]
        return rest.firstIndex(of: 0).map { String(decoding: self[offset..<$0], as: UTF8.self) }
    }
}

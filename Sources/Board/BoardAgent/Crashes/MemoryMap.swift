/// The files in the memory of a process and their addresses, from `/proc/PID/maps`. Pure.
struct MemoryMap: Sendable, Equatable {
    struct Region: Sendable, Equatable {
        var range: Range<UInt64>
        var isExecutable: Bool
        /// The path of the file; empty if the region is not a file.
        var path: String
    }

    var regions: [Region]

    /// Parses the text of `/proc/PID/maps` (`proc_pid_maps(5)`). Invalid lines are left out.
    init(_ text: String) {
        regions = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            let ends = words.first?.split(separator: "-") ?? []
            guard words.count >= 5, ends.count == 2, let start = UInt64(ends[0], radix: 16),
                let end = UInt64(ends[1], radix: 16), start < end
            else { return nil }
            // The kernel writes spaces before the path, and the path itself may contain spaces.
            let path = words.count > 5 ? words[5].drop { $0 == " " } : ""
            return Region(
                range: start..<end, isExecutable: words[1].contains("x"), path: path.hasPrefix("/") ? String(path) : "")
        }
    }

    /// Whether the address is in the code of a file.
    func isCode(_ address: UInt64) -> Bool {
        regions.contains { $0.isExecutable && !$0.path.isEmpty && $0.range.contains(address) }
    }

    /// A name for an address: `bluetoothd+0x1f3a0`, the file and the distance from its start in memory, which
    /// `addr2line` accepts. The plain address if no file is there.
    func name(of address: UInt64) -> String {
        let hex = "0x" + String(address, radix: 16)
        guard let place = place(of: address), let file = place.path.split(separator: "/").last else { return hex }
        return "\(file)+0x" + String(place.offset, radix: 16)
    }

    /// The file at an address, and the distance from its start in memory; nil if no file is there.
    func place(of address: UInt64) -> (path: String, offset: UInt64)? {
        guard let region = regions.first(where: { $0.range.contains(address) && !$0.path.isEmpty }),
            let start = regions.first(where: { $0.path == region.path })?.range.lowerBound
        else { return nil }
        return (region.path, address - start)
    }
}

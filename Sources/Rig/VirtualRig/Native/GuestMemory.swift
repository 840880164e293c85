import Glibc
import HILPOSIX

/// A native board's kernel broke the rules of its serial device. The board is then ended.
struct DeviceError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The memory of a native board, as its kernel shares it with the program that serves its devices.
///
/// The kernel is not trusted: an address outside the shared regions is an error. The content of the regions may change
/// at any moment, so a value is read once and then checked.
final class GuestMemory {
    /// A part of the memory: where it begins for the board, its size, and where it begins in the shared file.
    struct Region: Equatable {
        var address: UInt64
        var size: UInt64
        var offset: UInt64
    }

    /// The most memory that is shared, in bytes.
    static let limit: UInt64 = 4 << 30

    private var parts: [(address: UInt64, bytes: UnsafeMutableRawBufferPointer)] = []

    /// Maps regions, each with its own file.
    init(_ regions: [Region], files: [Descriptor]) throws {
        guard regions.count == files.count, !regions.isEmpty else {
            throw DeviceError("it shares \(regions.count) regions of memory with \(files.count) files")
        }
        for (region, file) in zip(regions, files) {
            let (end, isTooFar) = region.offset.addingReportingOverflow(region.size)
            let isOutside = region.address.addingReportingOverflow(region.size).overflow
            var status = stat()
            try valueOrErrno("fstat", "measuring a board's memory") { fstat(file.raw, &status) }
            // Reading beyond the file would end this process.
            guard !isTooFar, !isOutside, region.size > 0, region.size <= GuestMemory.limit, end <= status.st_size else {
                throw DeviceError("it shares memory that does not exist")
            }
            let start = mmap(
                nil, Int(region.size), PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, off_t(region.offset))
            guard let start, start != MAP_FAILED else {
                throw SystemError(code: errno, action: "mapping a board's memory")
            }
            parts.append((region.address, UnsafeMutableRawBufferPointer(start: start, count: Int(region.size))))
        }
    }

    deinit { for part in parts { munmap(part.bytes.baseAddress, part.bytes.count) } }

    /// The bytes at an address of the board. They are valid as long as this object.
    func bytes(at address: UInt64, count: Int) throws(DeviceError) -> UnsafeMutableRawBufferPointer {
        for part in parts where address >= part.address {
            let start = address - part.address
            guard start <= UInt64(part.bytes.count), count >= 0, count <= part.bytes.count - Int(start) else {
                continue
            }
            return UnsafeMutableRawBufferPointer(rebasing: part.bytes[Int(start)..<Int(start) + count])
        }
        throw DeviceError("it names \(count) bytes at 0x\(String(address, radix: 16)), which it does not share")
    }
}

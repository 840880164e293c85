import BoardProtocol
import Foundation
import Testing

@testable import BoardAgent

@Suite("A board's disk with a program's files")
struct PayloadDiskTests {
    private static let payload = PayloadID(digest: String(repeating: "0123456789abcdef", count: 4), size: 100)

    /// A disk whose superblock begins like this.
    private func holds(_ superblock: [UInt8]) throws -> Bool {
        let path = NSTemporaryDirectory() + "hil-disk-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data([UInt8](repeating: 0, count: 1024) + superblock).write(to: URL(fileURLWithPath: path))
        return PayloadDisk(path, with: Self.payload) != nil
    }

    @Test("A disk holds a payload if it is of the right type and has its name; anything else holds none")
    func identifier() throws {
        let name: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
        let good = [0xE2, 0xE1, 0xF5, 0xE0] + [UInt8](repeating: 0, count: 44) + name + name
        #expect(try holds(good) && holds(good + good))
        for length in [0, 1, 4, 48, 63] { #expect(try !holds(Array(good.prefix(length)))) }
        for place in [0, 3, 48, 63] {
            var other = good
            other[place] ^= 1
            #expect(try !holds(other), "byte \(place)")
        }
        #expect(PayloadDisk("/no/such/disk", with: Self.payload) == nil)
    }
}

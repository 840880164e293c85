import Foundation
import HILPOSIX
import Testing

@testable import VirtualRig

@Suite("The file of a board's disk")
struct DiskFileTests {
    private static let size = 16 << 20

    /// A file of zeros, all of them written, with these bytes at these places.
    private func source(_ folder: String, _ bytes: [Int: UInt8]) throws -> String {
        var content = Data(count: Self.size)
        for (place, byte) in bytes { content[place] = byte }
        try content.write(to: URL(fileURLWithPath: "\(folder)/source"))
        return "\(folder)/source"
    }

    /// The space that a file takes, in bytes.
    private func space(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : -1
    }

    @Test("A copy has the same content, and takes no space for zeros, whether they were written or left out")
    func copy() throws {
        try withTemporaryFolder { folder in
            let source = try source(folder, [0: 1, 65_536: 2, 8_000_000: 3, Self.size - 1: 4])
            try DiskFile.copy(source, to: "\(folder)/first")
            // Its zeros are holes.
            try DiskFile.copy("\(folder)/first", to: "\(folder)/second")
            for copy in ["first", "second"] {
                #expect(FileManager.default.contentsEqual(atPath: source, andPath: "\(folder)/\(copy)"))
                #expect((4 * 4096...4 * 65_536).contains(space("\(folder)/\(copy)")), "\(space("\(folder)/\(copy)"))")
            }
        }
    }

    @Test("A disk of zeros only, and an empty one, keep their size")
    func zeros() throws {
        try withTemporaryFolder { folder in
            try DiskFile.copy(try source(folder, [:]), to: "\(folder)/zeros")
            #expect(FileManager.default.contents(atPath: "\(folder)/zeros")?.count == Self.size)
            try write("", to: "\(folder)/nothing")
            try DiskFile.copy("\(folder)/nothing", to: "\(folder)/empty")
            #expect(FileManager.default.contents(atPath: "\(folder)/empty") == Data())
        }
    }

    @Test("A disk that is there already is not written over")
    func existing() throws {
        try withTemporaryFolder { folder in
            let source = try source(folder, [7: 7])
            try write("a board's bonds", to: "\(folder)/disk")
            #expect(throws: SystemError.self) { try DiskFile.copy(source, to: "\(folder)/disk") }
            #expect(try String(contentsOfFile: "\(folder)/disk", encoding: .utf8) == "a board's bonds")
        }
    }
}

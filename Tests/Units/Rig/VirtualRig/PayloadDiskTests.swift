import BoardProtocol
import Foundation
import HILPOSIX
import RigModel
import Testing

@testable import VirtualRig

@Suite("The disk with a program's files")
struct PayloadDiskTests {
    private static func payload(_ entries: [Payload.Entry], digest: String) throws -> EncodedPayload {
        let bytes = try Payload(entries).encoded()
        return EncodedPayload(id: PayloadID(digest: digest, size: bytes.count), bytes: bytes)
    }

    private static let digest = String(repeating: "0123456789abcdef", count: 4)

    @Test("It has the files with permissions and links, the payload's name and one size, and is made once")
    func disk() async throws {
        try await withTemporaryFolder { folder in
            let cache = Cache(folder: "\(folder)/cache")
            let payload = try Self.payload(
                [
                    .init("bin", mode: 0o555, .folder), .init("bin/run", mode: 0o755, .file(ArraySlice("#!x".utf8))),
                    .init("bin/run.new", mode: 0o640, .file([])), .init("link", .link(target: "bin/run")),
                ], digest: Self.digest)
            let path = try await PayloadImage.prepare(payload, cache: cache)
            let made = try FileManager.default.attributesOfItem(atPath: path)
            #expect(made[.size] as? Int == PayloadImage.size && made[.posixPermissions] as? Int == 0o600)
            let file = try #require(FileHandle(forReadingAtPath: path))
            try file.seek(toOffset: 1024 + 48)
            #expect(
                try file.read(upToCount: 16).map(Array.init) == [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
                    + [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF])
            let outcome = try await Tool.run(
                ["fsck.erofs", "--extract=\(folder)/out", path], package: "erofs-utils", for: "reading the disk",
                within: .seconds(60))
            #expect(outcome.status.isSuccess, "\(outcome.tail())")
            for (name, mode) in [("bin", 0o555), ("bin/run", 0o755), ("bin/run.new", 0o640)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/out/\(name)")
                #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
            }
            #expect(try String(contentsOfFile: "\(folder)/out/link", encoding: .utf8) == "#!x")
            #expect(try await PayloadImage.prepare(payload, cache: cache) == path)
            let again = try FileManager.default.attributesOfItem(atPath: path)
            #expect(made[.systemFileNumber] as? Int == again[.systemFileNumber] as? Int)
            #expect(names(in: cache.folder) == [URL(fileURLWithPath: path).lastPathComponent, "payload.lock", "seals"])
        }
    }
}

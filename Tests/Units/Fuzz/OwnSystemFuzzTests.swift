import Foundation
import HILPOSIX
import Testing

@testable import VirtualRig

/// A team's own root file system: archives and lists of modules that anyone may have made.
@Suite(.serialized)
struct OwnSystemFuzzTests {
    private static func entry(_ name: String, _ flag: Character, _ content: String = "", to target: String = "")
        -> [UInt8]
    {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at place: Int) {
            header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
        }
        put(name, at: 0)
        put("0000755", at: 100)
        put("0000000000" + String(content.utf8.count, radix: 8), at: 124)
        put("\(flag)\(target)", at: 156)
        put("ustar", at: 257)
        return header + content.utf8 + [UInt8](repeating: 0, count: (512 - content.utf8.count % 512) % 512)
    }

    /// Makes the checksums right, without which nothing behind them is read.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for start in stride(from: 0, to: bytes.count - 511, by: 512) {
            guard Array(bytes[(start + 257)..<(start + 262)]) == Array("ustar".utf8) else { continue }
            bytes.replaceSubrange(start + 148..<start + 156, with: "        ".utf8)
            let sum = bytes[start..<start + 512].reduce(0) { $0 + Int($1) }
            bytes.replaceSubrange(start + 148..<start + 156, with: "00\(String(sum, radix: 8))\0\0\0\0".utf8.prefix(8))
        }
        return bytes
    }

    @Test("No entry of a broken archive leaves the archive's root, and every file lies within the archive")
    func archives() async {
        let corpus = [
            Self.entry("a", "5"), Self.entry("a/b", "0", "content"), Self.entry("a/l", "2", to: "../a/b"),
            Self.entry("h", "1", to: "a/b"), Self.entry("x", "x", "12 path=a/c\n"), Self.entry("y", "L", "a/d\0"),
            Self.entry("usr/lib/modules/6.1/modules.dep", "0", "k/a.ko: k/b.ko\nk/b.ko:\n"),
            Self.entry("lib", "2", to: "/usr/lib"),
        ]
        let path = "/tmp/hil-fuzz-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        await Fuzzer(corpus: corpus).run("root file systems") { bytes, _ in
            let bytes = Self.sealed(bytes)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            guard let files = try? RootFileSystem(tar: path) else { return }
            for (path, entry) in files.entries {
                let parts = path.split(separator: "/", omittingEmptySubsequences: false)
                guard !parts.contains(".."), !parts.contains("."), !parts.contains("") else {
                    throw Fuzzer.Finding("it has the path “\(path)”")
                }
                if case .file(_, let offset, let length, _) = entry,
                    offset < 0 || length < 0 || offset + length > bytes.count
                {
                    throw Fuzzer.Finding("“\(path)” is not in the archive")
                }
                _ = files.resolve(path)
            }
            _ = try? files.lacks(withKernel: true)
        }
    }

    @Test("Any lists of modules give an order that ends")
    func modules() async {
        let corpus = [
            "k/a.ko.xz: k/b.ko k/c.ko\n", "k/b.ko:\nk/c.ko: k/a.ko.xz\n", "softdep a pre: b c post: d\n", "alias b c\n",
        ].map { Array($0.utf8) }
        await Fuzzer(corpus: corpus).run("lists of kernel modules") { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            let modules = KernelModules(dependencies: text, builtIn: text, softDependencies: text, aliases: text)
            let order = ["a", "b", "c"].flatMap(modules.order)
            guard order.count <= 3 * (text.count + 1) else { throw Fuzzer.Finding("it has \(order.count) modules") }
        }
    }

    @Test("A first file system is read whole, or not at all")
    func cpio() async throws {
        var archive = CPIOArchive()
        archive.entries = [
            .init(path: "bin/a", mode: 0o100755, content: [1, 2, 3]), .init(path: "d", mode: 0o40755, content: []),
        ]
        await Fuzzer(corpus: [try #require(archive.encoded)]).run("archives of cpio") { bytes, _ in
            _ = CPIOArchive(bytes)
        }
    }
}

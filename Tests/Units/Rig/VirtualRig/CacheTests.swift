import Foundation
import HILPOSIX
import HILTiming
import RigModel
import Synchronization
import Testing

@testable import VirtualRig

@Suite("The cache")
struct CacheTests {
    @Test("An entry is made once, and a failure leaves nothing that looks complete")
    func keep() async throws {
        try await withTemporaryFolder { folder in
            let cache = Cache(folder: "\(folder)/cache")
            await #expect(throws: RigFailure.self) {
                _ = try await cache.keep("image-1", action: "making it") { partial in
                    try write("half", to: partial)
                    throw SystemError(code: ENOSPC, action: "writing it")
                }
            }
            #expect(names(in: cache.folder) == ["image.lock"])
            let path = try await cache.keep("image-1", action: "making it") { try write("whole", to: $0) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole")
            let again = try await cache.keep("image-1", action: "making it") { _ in Issue.record("made twice") }
            #expect(again == path)
        }
    }

    @Test("An incomplete entry of a killed run is removed, but only of the same kind")
    func leftovers() async throws {
        try await withTemporaryFolder { folder in
            try write("half", to: "\(folder)/image-0.99.partial")
            try write("half", to: "\(folder)/agent-0.99.partial")
            _ = try await Cache(folder: folder).keep("image-1", action: "making it") { try write("whole", to: $0) }
            #expect(names(in: folder) == ["image-1", "image.lock", "agent-0.99.partial", "seals"])
        }
    }

    @Test("A damaged entry is made again, and the reason is reported")
    func damage() async throws {
        try await withTemporaryFolder { folder in
            let cache = Cache(folder: folder)
            try write("rotten", to: cache.path("image-1"))
            var told: [String] = []
            func keep() async throws {
                _ = try await cache.keep(
                    "image-1", action: "making it",
                    damage: { (try? String(contentsOfFile: $0, encoding: .utf8)) == "rotten" ? "it is rotten" : nil },
                    replacing: { told.append($0) }
                ) { try write("whole", to: $0) }
            }
            try await keep()
            try await keep()
            #expect(try String(contentsOfFile: cache.path("image-1"), encoding: .utf8) == "whole")
            #expect(told == ["it is rotten"])
        }
    }

    @Test(
        "An entry whose content is not what it was is made again, be it a file or a folder", arguments: [false, true])
    func content(isFolder: Bool) async throws {
        try await withTemporaryFolder { folder in
            let cache = Cache(folder: folder)
            let made = Mutex(0)
            let told = Mutex<[String]>([])
            func keep() async throws -> String {
                let entry = try await cache.keep(
                    "agent-1", action: "making it", replacing: { why in told.withLock { $0.append(why) } }
                ) {
                    made.withLock { $0 += 1 }
                    if isFolder {
                        try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: true)
                    }
                    try write("whole", to: isFolder ? "\($0)/part" : $0)
                }
                return isFolder ? "\(entry)/part" : entry
            }
            let part = try await keep()
            _ = try await keep()
            #expect(made.withLock { $0 } == 1)
            truncate(part, 3)
            _ = try await keep()
            #expect(try String(contentsOfFile: part, encoding: .utf8) == "whole")
            #expect(told.withLock { $0 } == ["\(folder)/agent-1 has changed since it was made"])
            // Of the same length, as a broken disk leaves it.
            try write("whole".replacing("o", with: "0"), to: part)
            _ = try await keep()
            #expect(made.withLock { $0 } == 3)
            // Touched, but the same: read once more, and kept.
            utimes(part, nil)
            _ = try await keep()
            #expect(made.withLock { $0 } == 3)
            unlink("\(folder)/seals/agent-1")
            _ = try await keep()
            #expect(made.withLock { $0 } == 3, "an earlier version made it")
        }
    }

    @Test("Two processes that need the same entry make it once; the waiting one is told")
    func concurrent() async throws {
        try await withTemporaryFolder { folder in
            let cache = Cache(folder: folder)
            let made = EventLog<String>()
            let others = EventLog<Task<String, any Error>>()
            let (waits, waiting) = AsyncStream<Void>.makeStream()
            _ = try await cache.keep("image-1", action: "making it") { partial in
                made.append("once")
                // The other one starts now, and waits before this one ends.
                let task = Task {
                    try await cache.keep("image-1", action: "making it", waiting: { waiting.yield() }) { _ in
                        made.append("once")
                    }
                }
                others.append(task)
                for await _ in waits { break }
                try write("whole", to: partial)
            }
            #expect(try await others.events[0].value == cache.path("image-1"))
            #expect(made.count == 1)
        }
    }

    @Test("The folder of the cache follows the environment")
    func standardFolder() {
        #expect(Cache.standard(environment: ["HIL_CACHE": "/a", "XDG_CACHE_HOME": "/b"]).folder == "/a")
        #expect(Cache.standard(environment: ["HIL_CACHE": "", "XDG_CACHE_HOME": "/b"]).folder == "/b/hil")
        #expect(Cache.standard(environment: ["HOME": "/c"]).folder == "/c/.cache/hil")
        let home = String(cString: getpwuid(geteuid()).pointee.pw_dir)
        #expect(Cache.standard(environment: [:]).folder == "\(home)/.cache/hil", "the user's own, without HOME")
    }

    /// Makes an entry of 100 kB that was used this many days ago.
    private func make(_ name: String, days: Double, in folder: String) throws {
        try write(String(repeating: "x", count: 100_000), to: "\(folder)/\(name)")
        try age("\(folder)/\(name)", days)
    }

    private func age(_ path: String, _ days: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)], ofItemAtPath: path)
    }

    @Test("Entries that were not used for long are removed, and above the limit the least recently used first")
    func prune() throws {
        try withTemporaryFolder { folder in
            for (name, days) in [("snapshot-a", 1.0), ("agent-b", 2), ("snapshot-c", 3), ("image-d", 15)] {
                try make(name, days: days, in: folder)
            }
            try make("rootcanal-e", days: 99, in: folder)
            let cache = Cache(folder: folder)
            cache.prune()
            #expect(names(in: folder) == ["snapshot-a", "agent-b", "snapshot-c", "rootcanal-e"])
            cache.prune(Cache.Limits(bytes: 250_000))
            #expect(names(in: folder) == ["snapshot-a", "agent-b", "rootcanal-e"])
        }
    }

    @Test("The last entries of another checkout stay for days, however much this one makes")
    func otherCheckout() throws {
        try withTemporaryFolder { folder in
            let cache = Cache(folder: folder)
            try make("snapshot-theirs", days: 3, in: folder)
            try make("snapshot-before", days: 4, in: folder)
            try cache.record(["snapshot-before"], usedBy: "/another")
            try cache.record(["snapshot-theirs"], usedBy: "/another")
            for number in 1...6 { try make("snapshot-\(number)", days: 0.1, in: folder) }
            try cache.record(["snapshot-6"], usedBy: "/own")
            cache.prune(Cache.Limits(bytes: 150_000))
            let left = names(in: folder).filter { $0.hasPrefix("snapshot") }
            #expect(left.isSuperset(of: ["snapshot-theirs", "snapshot-6"]))
            #expect(!left.contains("snapshot-before"), "it has used another since")
            #expect(left.count <= 3)
            // The entries of a checkout that has not run for long are no longer protected.
            for name in names(in: folder) where name.hasPrefix("uses-") { try age("\(folder)/\(name)", 8) }
            cache.prune(Cache.Limits(bytes: 0))
            #expect(names(in: folder) == [])
        }
    }

    @Test("An entry that a process uses is never removed")
    func inUse() async throws {
        try await withTemporaryFolder { folder in
            let cache = Cache(folder: folder)
            try make("snapshot-used", days: 99, in: folder)
            let path = try await cache.keep("snapshot-used", action: "testing") { _ in Issue.record("it is there") }
            try age(path, 99)
            let made = try await cache.keep("agent-made", action: "testing") { try write("new", to: $0) }
            try age(made, 99)
            try make("snapshot-unused", days: 99, in: folder)
            cache.prune(Cache.Limits(bytes: 0))
            let left = names(in: folder).filter { !$0.hasSuffix(".lock") }
            #expect(left == ["snapshot-used", "agent-made", "seals"])
        }
    }
}

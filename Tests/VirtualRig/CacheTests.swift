import Foundation
import POSIX
import Testing
import Timing

@testable import VirtualRig

@Suite("The cache")
struct CacheTests {
    @Test("A thing is made once, and what fails leaves nothing that a later run could take for whole")
    func keep() async throws {
        try await withTemporaryFolder { folder in
            let cache = Cache(folder: "\(folder)/cache")
            await #expect(throws: VirtualRigError.self) {
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

    @Test("What a killed run left half made is removed, and its kind's only")
    func leftovers() async throws {
        try await withTemporaryFolder { folder in
            try write("half", to: "\(folder)/image-0.99.partial")
            try write("half", to: "\(folder)/agent-0.99.partial")
            _ = try await Cache(folder: folder).keep("image-1", action: "making it") { try write("whole", to: $0) }
            #expect(names(in: folder) == ["image-1", "image.lock", "agent-0.99.partial"])
        }
    }

    @Test("A thing that is no longer what was made is made again, and why is told")
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

    @Test("Two that need the same thing at once make it once; who waits is told")
    func concurrent() async throws {
        try await withTemporaryFolder { folder in
            let cache = Cache(folder: folder)
            let made = EventLog<String>()
            let others = EventLog<Task<String, any Error>>()
            let (waits, waiting) = AsyncStream<Void>.makeStream()
            _ = try await cache.keep("image-1", action: "making it") { partial in
                made.append("once")
                // The other one starts now, and comes to its wait before this one ends.
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

    @Test("Its folder follows the environment")
    func standardFolder() {
        #expect(Cache.standard(environment: ["HIL_CACHE": "/a", "XDG_CACHE_HOME": "/b"]).folder == "/a")
        #expect(Cache.standard(environment: ["HIL_CACHE": "", "XDG_CACHE_HOME": "/b"]).folder == "/b/hil")
        #expect(Cache.standard(environment: ["HOME": "/c"]).folder == "/c/.cache/hil")
    }

    @Test("Only the things used last are kept")
    func prune() throws {
        try withTemporaryFolder { folder in
            for age in 0..<5 {
                try write("", to: "\(folder)/snapshot-\(age)")
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_000_000 - Double(age))],
                    ofItemAtPath: "\(folder)/snapshot-\(age)")
            }
            try write("", to: "\(folder)/image-1")
            let cache = Cache(folder: folder)
            cache.touch("snapshot-4")
            cache.prune(kind: "snapshot", keeping: 2)
            #expect(names(in: folder) == ["snapshot-0", "snapshot-4", "image-1"])
        }
    }
}

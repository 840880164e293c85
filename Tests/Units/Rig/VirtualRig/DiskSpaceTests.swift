import Foundation
import RigModel
import Testing

@testable import VirtualRig

/// Disk space is checked before anything is made.
struct DiskSpaceTests {
    private let needs = [
        DiskNeed(500, in: "/cache", for: "the image"), DiskNeed(1500, in: "/var/tmp", for: "building it"),
        DiskNeed(200, in: "/results", for: "the results"),
    ]

    /// - Parameter free: The number of the disk and its free space in MB, by folder.
    private func problem(_ free: [String: (UInt64, Int)]) -> String? {
        DiskNeed.problem(needs, for: "looking") { free[$0].map { (number: $0.0, free: $0.1) } }.map { "\($0)" }
    }

    @Test("Needs on the same disk are added, and the error lists each")
    func together() {
        #expect(problem(["/cache": (1, 2200), "/var/tmp": (1, 2200), "/results": (1, 2200)]) == nil)
        let words = problem(["/cache": (1, 2199), "/var/tmp": (1, 2199), "/results": (1, 2199)])
        #expect(
            words?.contains("the disk of /cache has 2199 MB left, but 2200 MB are needed: 500 for the image") == true)
        #expect(words?.contains("HIL_CACHE") == true)
        #expect(problem(["/cache": (1, 500), "/var/tmp": (2, 1500), "/results": (3, 200)]) == nil)
        let results = problem(["/cache": (1, 500), "/var/tmp": (2, 1500), "/results": (3, 199)])
        #expect(results?.contains("the disk of /results has 199 MB left") == true)
        #expect(problem([:]) == nil, "what nobody knows is no reason to refuse")
    }

    @Test("A set-up needs space only for what is not made yet")
    func setUp() throws {
        try withTemporaryFolder { folder in
            let recipe = "\(folder)/recipe"
            try FileManager.default.createDirectory(atPath: recipe, withIntermediateDirectories: true)
            let setUp = RigSetUp(cache: Cache(folder: "\(folder)/cache"), recipe: recipe)
            #expect(setUp.needs().reduce(0) { $0 + $1.megabytes } + DiskNeed.results == DiskNeed.whole)
            try setUp.cache.makeFolder()
            for name in [try BoardImage.name(recipe: recipe), RootCanalWheel.name, "agent-1.erofs"] {
                try write("", to: setUp.cache.path(name))
            }
            #expect(setUp.needs().map(\.purpose) == ["the boards' snapshot"])
            try write("", to: setUp.cache.path("snapshot-1"))
            #expect(setUp.needs().isEmpty)
            #expect(setUp.needs([.debian12]).map(\.purpose).first == "the boards' image", "another system's")
            #expect(!setUp.hasImage(of: .debian12) && setUp.hasImage(of: .debian13))
            try write("", to: "\(recipe)/packages")
            #expect(setUp.needs().map(\.megabytes) == [DiskNeed.image, DiskNeed.imageTree, DiskNeed.snapshot])
        }
    }

    @Test("The disk of a missing folder is that of its nearest parent that exists")
    func nearest() {
        let (own, deep) = (DiskNeed.disk(of: "/tmp"), DiskNeed.disk(of: "/tmp/none/of/these"))
        #expect(own?.number == deep?.number)
        #expect(deep.map { $0.free > 0 } == true)
    }

    @Test("A cache folder that cannot be made is an error that names HIL_CACHE")
    func unmakeable() async throws {
        let error = await #expect(throws: RigFailure.self) {
            _ = try await Cache(folder: "/proc/none/hil").keep("image-1", action: "making it") { _ in }
        }
        #expect(error?.description.contains("HIL_CACHE") == true)
        #expect(error?.description.contains("NSCocoa") == false)
        #expect(error?.action == "making the cache folder /proc/none/hil")
    }
}

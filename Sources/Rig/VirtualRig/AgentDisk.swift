import Foundation
import POSIX
import RigModel

/// The second disk of a board: `hil-board`, apart from the image, so that a changed agent rebuilds no image.
struct AgentDisk: Sendable {
    /// A disk with this program on it, made if the cache lacks it.
    ///
    /// - Parameter program: The path of `hil-board`, linked with the static Swift runtime; its C libraries are the image's.
    /// - Returns: The disk's path.
    static func prepare(
        program: String, cache: Cache, progress: @escaping @Sendable (String) -> Void
    ) async throws(RigFailure) -> String {
        let action = "packing the boards' agent"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw RigFailure(action, "\(program) is not there", remedy: "run `make setup`, which builds it")
        }
        let key = try await sha256(of: program, for: action).prefix(16)
        return try await cache.keep("agent-\(key).erofs", action: action, megabytes: DiskNeed.agent) { partial in
            progress("packing the boards' agent")
            let folder = "\(partial).tree.partial"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // What is copied of a link is the link, which leads nowhere on a board.
            let file = URL(fileURLWithPath: program).resolvingSymlinksInPath().path
            try FileManager.default.copyItem(atPath: file, toPath: "\(folder)/hil-board")
            let outcome = try await Tool.run(
                ["mkfs.erofs", "--quiet", "-x-1", "--all-root", "-T0", partial, folder], package: "erofs-utils",
                for: action, within: .seconds(120))
            guard outcome.status.isSuccess else {
                throw RigFailure(action, "mkfs.erofs \(outcome.status): \(outcome.tail())")
            }
        }
    }
}

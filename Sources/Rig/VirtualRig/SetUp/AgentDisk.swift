import Foundation
import POSIX
import RigModel

/// The second disk of a board, with `hil-board`. It is separate from the image, so that a changed agent needs no new
/// image.
struct AgentDisk: Sendable {
    /// Returns a disk with this program, and makes it if it is not in the cache.
    ///
    /// - Parameter program: The path of `hil-board`, linked with the static Swift runtime. The image has its C
    ///   libraries.
    /// - Returns: The disk's path.
    static func prepare(
        program: String, cache: Cache, progress: @escaping @Sendable (String) -> Void
    ) async throws(RigFailure) -> String {
        let action = "packing the boards' agent"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw RigFailure(action, "\(program) does not exist", remedy: "run `make setup`, which builds it")
        }
        let key = try await sha256(of: program, for: action).prefix(16)
        return try await cache.keep("agent-\(key).erofs", action: action, megabytes: DiskNeed.agent) { partial in
            progress("packing the boards' agent")
            let folder = "\(partial).tree.partial"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // Copying a symbolic link would copy the link, whose target does not exist on a board.
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

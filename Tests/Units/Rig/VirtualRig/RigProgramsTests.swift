import Foundation
import Testing

@testable import VirtualRig

@Suite struct RigProgramsTests {
    /// A package with programs that were built at these paths below its `.build`.
    private func programs(_ paths: [String], of package: String) throws {
        for path in paths {
            let file = URL(fileURLWithPath: "\(package)/.build/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
            chmod(file.path, 0o755)
        }
    }

    @Test("Optimised programs are taken of the package, else of hil's checkout, else those beside the program")
    func places() throws {
        try withTemporaryFolder { folder in
            // The temporary folder may be behind a link.
            let folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
            let (package, checkout) = ("\(folder)/package", "\(folder)/checkout")
            try programs(["triple/debug/hil", "triple/debug/hil-rig", "triple/debug/hil-air"], of: package)
            try programs(["release/hil-board", "release/hil-air"], of: checkout)
            symlink("triple/debug", "\(package)/.build/debug")
            func found() -> RigPrograms {
                RigPrograms.built(beside: "\(package)/.build/debug/hil", orIn: checkout)
            }
            #expect(
                found()
                    == RigPrograms(
                        rig: "\(package)/.build/triple/debug/hil-rig", air: "\(checkout)/.build/release/hil-air",
                        board: "\(checkout)/.build/release/hil-board"))
            try programs(["triple/release/hil-rig", "triple/release/hil-air", "triple/release/hil-board"], of: package)
            let own = "\(package)/.build/triple/release"
            #expect(
                found() == RigPrograms(rig: "\(own)/hil-rig", air: "\(own)/hil-air", board: "\(own)/hil-board"))
        }
    }
}

import Foundation
import HILPOSIX
import RigModel
import VirtualRig

/// Checks the folder for results before a run begins.
enum ResultsFolder {
    /// Makes the folder if it does not exist, and checks that folders can be made in it.
    static func check(_ path: String) throws(RigFailure) {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        // Permissions are not enough: a disk may be mounted read-only, and root ignores permissions.
        let trial = "\(path)/.hil-\(getpid())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if mkdir(trial, 0o700) == 0 {
            rmdir(trial)
            return
        }
        throw RigFailure(
            "keeping the results", "\(path) cannot be written to: \(String(cString: strerror(errno)))",
            remedy: "name another folder with --out")
    }

    /// The disk space that a run needs there.
    static func need(_ path: String) -> DiskNeed {
        DiskNeed(
            DiskNeed.results, in: URL(fileURLWithPath: path).standardizedFileURL.path, for: "the results of the run")
    }
}

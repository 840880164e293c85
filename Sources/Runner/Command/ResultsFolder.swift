import Foundation
import POSIX
import RigModel
import VirtualRig

/// The folder of the runs' folders, before a run begins.
enum ResultsFolder {
    /// Makes it unless it is there, and sees that folders can be made in it.
    static func check(_ path: String) throws(RigFailure) {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        // Permissions alone do not tell: a disk may be mounted for reading only, and root may write anywhere else.
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

    /// The room that a run takes there.
    static func need(_ path: String) -> DiskNeed {
        DiskNeed(
            DiskNeed.results, in: URL(fileURLWithPath: path).standardizedFileURL.path, for: "the results of the run")
    }
}

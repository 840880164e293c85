import Foundation

/// The rigs of this user that run now, whoever started them.
public enum RunningRigs {
    /// Their folders, the newest first; a rig that was killed a moment ago may be among them.
    public static func folders(in base: String? = nil) -> [String] {
        let base = base ?? RigFolder.standardBase
        let names = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        let aged = names.compactMap { name -> (folder: String, made: Int)? in
            var status = stat()
            // A rig's air has a socket there once it listens.
            guard stat("\(base)/\(name)/air.sock", &status) == 0 else { return nil }
            return ("\(base)/\(name)", status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
        }
        return aged.sorted { $0.made > $1.made }.map(\.folder)
    }
}

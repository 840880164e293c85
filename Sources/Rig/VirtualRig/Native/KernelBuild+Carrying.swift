import Foundation
import HILPOSIX
import RigModel

extension KernelBuild {
    /// Writes the kernel that this machine would use into a file: a tar archive of its folder in the cache.
    package func export(to file: String) async throws(RigFailure) {
        let action = "exporting the native boards' kernel"
        guard let kernel = await find() else {
            throw RigFailure(action, "it is not built", remedy: "build it with `make native`")
        }
        let name = (kernel.folder as NSString).lastPathComponent
        // Under another name until it is complete.
        let partial = "\(file).partial"
        defer { try? FileManager.default.removeItem(atPath: partial) }
        let outcome = try await Tool.run(
            ["tar", "--force-local", "-c", "-f", partial, "-C", cache.folder, name], package: "tar", for: action,
            within: .seconds(60))
        guard outcome.status.isSuccess, rename(partial, file) == 0 else {
            throw RigFailure(
                action, "tar \(outcome.status): \(outcome.tail())", remedy: "check that \(file) can be written")
        }
    }

    /// Takes a kernel that another machine has exported.
    ///
    /// - Throws: ``RigFailure`` if the file is damaged, or the kernel is of another source or recipe.
    package func `import`(from file: String) async throws(RigFailure) -> NativeKernel {
        let action = "importing the native boards' kernel"
        try cache.makeFolder()
        let folder = cache.path("nativeimport-\(getpid()).partial")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch { throw .wrapping(error, while: action) }
        let outcome = try await Tool.run(
            ["tar", "--force-local", "-x", "-f", file, "-C", folder, "--no-same-owner"], package: "tar", for: action,
            within: .seconds(60))
        guard outcome.status.isSuccess else {
            throw RigFailure(
                action, "\(file) is incomplete: tar \(outcome.status): \(outcome.tail())",
                remedy: "copy it here once more, or export it again with `hil kernel export`")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.count == 1, let prefix = try? NativeKernel.prefix(recipe: recipe), names[0].hasPrefix("\(prefix)-")
        else {
            throw RigFailure(
                action, "it is not made from this version's source and recipe",
                remedy: "export it from a machine with the same checkout")
        }
        try requirePlainFiles(in: "\(folder)/\(names[0])", of: file, for: action)
        if let damage = Seal(of: "\(folder)/\(names[0])").damage(to: NativeKernel.parts) {
            throw RigFailure(action, damage, remedy: "export it again")
        }
        return NativeKernel(
            folder: try await cache.keep(names[0], action: action) { partial in
                try FileManager.default.moveItem(atPath: "\(folder)/\(names[0])", toPath: partial)
            })
    }

    /// Refuses a kernel whose folder contains anything but plain files: a link would lead to files outside the folder,
    /// which their owner could change after the check.
    private func requirePlainFiles(in folder: String, of file: String, for action: String) throws(RigFailure) {
        let known = Set(NativeKernel.parts + [Seal.name])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for path in [""] + names.map({ "/\($0)" }) {
            var status = stat()
            let isThere = lstat(folder + path, &status) == 0
            let wanted = path.isEmpty ? S_IFDIR : S_IFREG
            guard isThere, status.st_mode & S_IFMT == wanted, path.isEmpty || known.contains(String(path.dropFirst())),
                status.st_nlink == 1 || path.isEmpty
            else {
                throw RigFailure(
                    action,
                    "\(file) contains more than a kernel: "
                        + PlainText.line((folder as NSString).lastPathComponent + path),
                    remedy: "use a file that `hil kernel export` has written")
            }
        }
    }

    // MARK: Building beside a run

    /// The log of a build beside a run.
    package var log: String { cache.path("native.log") }

    /// Whether another process builds a kernel now.
    package var isRunning: Bool {
        guard FileManager.default.fileExists(atPath: cache.path("native.lock")) else { return false }
        guard let lock = try? FileLock.tryTake(cache.path("native.lock")) else { return true }
        lock.release()
        return false
    }

    /// The file with the reason why the last build of this source and recipe failed.
    private var failure: String? {
        (try? NativeKernel.prefix(recipe: recipe)).map { cache.path($0.replacing("native-", with: "nativefailure-")) }
    }

    /// Why the last build failed; nil if it did not. A failed build is not repeated beside each run.
    package var lastFailure: String? { failure.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } }

    package func rememberFailure(_ error: any Error) {
        guard let failure else { return }
        try? "\(error)".write(toFile: failure, atomically: true, encoding: .utf8)
    }

    package func forgetFailure() { failure.map { _ = unlink($0) } }
}

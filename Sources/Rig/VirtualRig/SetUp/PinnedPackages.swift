import Foundation
import RigModel

/// Python packages of PyPI in the cache, pinned by versions and hashes.
package struct PinnedPackages: Sendable {
    private let name: String
    private let list: String
    private let megabytes: Int

    /// - Parameters:
    ///   - name: Their name with the version: `labgrid-26.0.1`. The part before the first hyphen is the kind of cache
    ///     entry.
    ///   - list: The file with the packages, their versions and hashes. It is complete.
    ///   - megabytes: The disk space that they need.
    package init(_ name: String, list: String, megabytes: Int) {
        (self.name, self.list, self.megabytes) = (name, list, megabytes)
    }

    /// Fetches them if they are not in the cache.
    ///
    /// - Parameter progress: Called with a line before a long step.
    /// - Returns: The folder for Python's `PYTHONPATH`.
    package func prepare(
        in cache: Cache, progress: @escaping @Sendable (String) -> Void
    ) async throws(RigFailure) -> String {
        let what = name.replacing("-", with: " ")
        let action = "fetching \(what)"
        guard let pins = FileManager.default.contents(atPath: list) else {
            throw RigFailure(action, "\(list) cannot be read", remedy: "name hil's checkout in HIL_ROOT")
        }
        // Binary packages are for one version of Python.
        let python = try await Tool.run(
            ["python3", "-c", "import sys; print(sys.implementation.cache_tag)"], package: "python3", for: action,
            within: .seconds(60)
        ).tail(1)
        let entry = "\(name)-\(Fingerprint.of(String(decoding: pins, as: UTF8.self), python))"
        return try await cache.keep(
            entry, action: action, megabytes: megabytes,
            waiting: { progress("waiting for another hil process that is \(action)") }
        ) { partial in
            progress("\(action) from PyPI, once: some seconds, and longer on a slow network")
            let outcome = try await Tool.run(
                [
                    "python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                    "--root-user-action=ignore", "--require-hashes", "--no-deps", "--only-binary=:all:", "--target",
                    partial, "--requirement", list,
                ], package: "python3-pip", for: action, within: .seconds(600))
            guard !outcome.status.isSuccess else { return }
            throw RigFailure(
                action, "pip \(outcome.status): \(outcome.tail(2))",
                remedy: outcome.output.contains("No module named pip")
                    ? "run `make setup`, or `apt-get install python3-pip` as root"
                    : "the first use needs PyPI, and CPython 3.11 or 3.13 on x86-64")
        }
    }
}

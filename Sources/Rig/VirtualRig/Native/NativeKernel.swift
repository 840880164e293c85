import Foundation
import HILPOSIX
import RigModel
import Synchronization

/// The kernel of native boards: Linux of Debian's source package, built as a program of this machine.
package struct NativeKernel: Sendable, Codable, Equatable {
    /// Raise it whenever the same source and recipe give another kernel.
    static let builderVersion = "1"
    static let version = "7.2.11-1~bpo13+1"
    /// SHA-256 of ``package``.
    static let packageHash = "97a3aac3a9eeb8f18e8b0511af9261c54605fd23b712f1a48144360a123738a2"
    /// The file name of the source package.
    static let package = "linux-source-7.2_\(version)_all.deb"
    /// The addresses of the source package. An archive removes old versions; the last one keeps all of them.
    static let addresses = [
        "http://deb.debian.org/debian/pool/main/l/linux/\(escaped)",
        "https://snapshot.debian.org/archive/debian/20261121T000000Z/pool/main/l/linux/\(escaped)",
    ]
    private static let escaped = package.replacingOccurrences(of: "~", with: "%7e").replacingOccurrences(
        of: "+", with: "%2b")
    /// About how many files are compiled.
    static let files = 820
    /// The files of a kernel.
    static let parts = ["linux", "initramfs"]

    /// The folder of the kernel's files. Its name identifies their sources.
    package let folder: String

    /// The kernel, a program.
    var linux: String { "\(folder)/linux" }
    /// A cpio archive with the first program of a board.
    var initramfs: String { "\(folder)/initramfs" }

    /// The start of the names of all kernels of this source and recipe, with any compiler.
    ///
    /// - Parameter recipe: The folder `Fixtures/NativeKernel`.
    static func prefix(recipe: String) throws -> String {
        "native-\(Fingerprint.of(builderVersion, packageHash, try Fingerprint.ofFolder(recipe)))"
    }

    /// The cache name of the kernel from a compiler.
    static func name(recipe: String, compiler: String) throws -> String {
        "\(try prefix(recipe: recipe))-\(Fingerprint.of(compiler))"
    }

    /// The first line of the compiler's version; nil if there is no compiler.
    static func compiler() async -> String? {
        let outcome = try? await Tool.run(
            ["gcc", "--version"], package: "g++", for: "looking for a compiler", within: .seconds(10))
        guard let outcome, outcome.status.isSuccess else { return nil }
        return String(outcome.output.prefix { $0 != "\n" })
    }

    /// The kernel in the cache; nil if there is none. A machine without a compiler uses one from another machine.
    static func find(recipe: String, compiler: String?, in cache: Cache) -> NativeKernel? {
        guard let prefix = try? prefix(recipe: recipe) else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.folder)) ?? []
        let matching = names.filter { $0.hasPrefix("\(prefix)-") && !$0.hasSuffix(".partial") }.sorted()
        let own = compiler.map { "\(prefix)-\(Fingerprint.of($0))" }
        return matching.first { own == nil || $0 == own }.flatMap { name in
            let kernel = NativeKernel(folder: cache.path(name))
            return Seal(of: kernel.folder).damage(to: parts) == nil && cache.hold(name) ? kernel : nil
        }
    }
}

/// Builds a ``NativeKernel``.
package struct KernelBuild: Sendable {
    var cache: Cache
    /// The folder `Fixtures/NativeKernel`.
    var recipe: String

    /// The programs that the build needs besides a shell, with the Debian package of each.
    static let programs = [
        ("gcc", "g++"), ("make", "make"), ("flex", "flex"), ("bison", "bison"), ("bc", "bc"), ("xz", "xz-utils"),
        ("patch", "patch"),
        ("dpkg-deb", "dpkg"), ("/usr/lib/apt/apt-helper", "apt"),
    ]

    /// The packages of the programs that are not installed.
    package var missingPackages: [String] {
        KernelBuild.missingPackages(in: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    }

    static func missingPackages(in path: String) -> [String] {
        let folders = path.split(separator: ":").map(String.init)
        return programs.filter { program, _ in
            program.hasPrefix("/")
                ? access(program, X_OK) != 0 : !folders.contains { access("\($0)/\(program)", X_OK) == 0 }
        }.map(\.1)
    }

    /// The kernel in the cache; nil if it is not built.
    package func find() async -> NativeKernel? {
        NativeKernel.find(recipe: recipe, compiler: await NativeKernel.compiler(), in: cache)
    }

    /// The cache name of the kernel from this machine's compiler.
    ///
    /// - Throws: ``RigFailure`` if there is no compiler.
    package func name() async throws -> String {
        guard let compiler = await NativeKernel.compiler() else {
            throw RigFailure.missing("gcc", package: "g++", for: "naming the native boards' kernel")
        }
        return try NativeKernel.name(recipe: recipe, compiler: compiler)
    }

    /// Returns the kernel, and builds it if it is not in the cache.
    @discardableResult
    package func run(progress: @escaping @Sendable (String) -> Void) async throws(RigFailure) -> NativeKernel {
        let action = "building the native boards' kernel"
        let missing = missingPackages
        guard missing.isEmpty, let compiler = await NativeKernel.compiler() else {
            throw RigFailure(
                action, "these packages are not installed: \(missing.joined(separator: ", "))",
                remedy: "run `make setup`, or `apt-get install \(missing.joined(separator: " "))` as root")
        }
        let name: String
        do { name = try NativeKernel.name(recipe: recipe, compiler: compiler) } catch {
            throw RigFailure(
                action, "its recipe cannot be read: \(error.localizedDescription)",
                remedy: "start in the checkout, or name it in HIL_ROOT")
        }
        let waiting: @Sendable () -> Void = { progress("waiting for another program that builds the kernel") }
        let folder = try await cache.keep(
            name, action: action, megabytes: DiskNeed.kernelTree, waiting: waiting,
            damage: { Seal(of: $0).damage(to: NativeKernel.parts) }, replacing: { progress("\(action) again: \($0)") }
        ) { partial in
            try await build(into: partial, progress: progress)
        }
        return NativeKernel(folder: folder)
    }

    private func build(into partial: String, progress: @escaping @Sendable (String) -> Void) async throws {
        let action = "building the native boards' kernel"
        // If this build is killed, the next one removes it.
        let work = "\(partial).tree.partial"
        defer { try? FileManager.default.removeItem(atPath: work) }
        for folder in [partial, work] {
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        progress("fetching Debian's source package of Linux \(NativeKernel.version), 165 MB")
        let package = try await download(into: work, for: action)
        progress("\(action): 5 to 13 minutes on 2 cores, once")
        let log = cache.path("native-build.log")
        try? FileManager.default.removeItem(atPath: log)
        let count = LineCount()
        let outcome = try await Tool.run(
            ["sh", "\(recipe)/build", recipe, package, work, partial], package: "dash", for: action,
            within: .seconds(2 * 3600), log: log
        ) { line in
            guard line.hasPrefix("  CC "), count.next() % 200 == 0 else { return }
            progress("\(action): \(count.value) of about \(NativeKernel.files) files")
        }
        guard outcome.status.isSuccess else {
            throw RigFailure(action, "\(outcome.status): \(outcome.tail(2))", remedy: "see \(log)")
        }
        try Seal(of: partial).make(for: NativeKernel.parts)
    }

    /// Downloads with apt's own program, which uses the machine's proxies and checks the hash.
    private func download(into folder: String, for action: String) async throws(RigFailure) -> String {
        let file = "\(folder)/\(NativeKernel.package)"
        var reason = ""
        for address in NativeKernel.addresses {
            let outcome = try await Tool.run(
                ["/usr/lib/apt/apt-helper", "download-file", address, file, "SHA256:\(NativeKernel.packageHash)"],
                package: "apt", for: action, within: .seconds(1800))
            if outcome.status.isSuccess, try await sha256(of: file, for: action) == NativeKernel.packageHash {
                return file
            }
            reason = outcome.tail(1)
        }
        throw RigFailure(
            action, "Debian's source package \(NativeKernel.package) cannot be fetched: \(reason)",
            remedy: "building the kernel needs a network once; `hil kernel import` uses the kernel of another machine")
    }
}

/// Counts lines.
private final class LineCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    /// Counts one more.
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

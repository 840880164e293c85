import Foundation
import Glibc
import HILPOSIX
import RigModel
import Synchronization

/// The system of a board: Debian with a kernel, D-Bus, BlueZ, hostapd and wpa_supplicant.
package struct BoardImage: Sendable, Codable, Equatable {
    /// Raise it whenever the same recipe gives another image.
    static let builderVersion = "3"
    private static let files = ["kernel", "initramfs", "root.erofs", diskName, "packages"]
    private static let diskName = "disk"

    /// The folder of the image's files; its name is a fingerprint of their sources.
    package let folder: String

    /// The bare ELF kernel.
    package var kernel: String { "\(folder)/kernel" }
    /// A cpio archive with the first program.
    package var initramfs: String { "\(folder)/initramfs" }
    /// The read-only root file system.
    package var root: String { "\(folder)/root.erofs" }
    /// An empty file system; each board gets a copy as its disk.
    package var disk: String { "\(folder)/\(BoardImage.diskName)" }
    /// Names and versions of its packages, one per line.
    package var packages: String { "\(folder)/packages" }

    /// The name of a recipe's image in the cache.
    ///
    /// - Throws: If the recipe cannot be read.
    static func name(recipe: String, of system: BoardSystem = .debian13) throws -> String {
        "image-" + Fingerprint.of(builderVersion, system.description, try Fingerprint.ofFolder(recipe))
    }

    /// Returns the image of a system, and builds it if it is not in the cache.
    ///
    /// - Parameter recipe: The folder `Fixtures/BoardImage`.
    /// - Throws: ``RigFailure``; ``SystemMistake`` if a package does not exist.
    static func prepare(
        _ system: BoardSystem = .debian13, recipe: String, cache: Cache,
        progress: @escaping @Sendable (String) -> Void
    ) async throws -> BoardImage {
        if let mistake = system.mistake { throw mistake }
        let action = "building the board image \(system)"
        let name: String
        do {
            name = try BoardImage.name(recipe: recipe, of: system)
        } catch {
            throw RigFailure(
                action, "its recipe cannot be read: \(error.localizedDescription)",
                remedy: "start in the checkout, or name it in HIL_ROOT")
        }
        let waiting: @Sendable () -> Void = { progress("waiting for another run that builds the board image") }
        let mistake = Mutex<SystemMistake?>(nil)
        do {
            let folder = try await cache.keep(
                name, action: action, megabytes: DiskNeed.image, waiting: waiting,
                damage: { Seal(of: $0).damage(to: files) }, replacing: { progress("\(action) again: \($0)") }
            ) { partial in
                do {
                    try await build(system, recipe: recipe, into: partial, cache: cache, progress: progress)
                } catch let error as SystemMistake {
                    mistake.withLock { $0 = error }
                    throw error
                }
            }
            return BoardImage(folder: folder)
        } catch { throw mistake.withLock { $0 } ?? error }
    }

    private static func build(
        _ system: BoardSystem, recipe: String, into partial: String, cache: Cache,
        progress: @escaping @Sendable (String) -> Void
    ) async throws {
        let action = "building the board image \(system)"
        try requireSpace(DiskNeed.imageTree, in: temporaryFolder, for: action)
        try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: true)
        let log = cache.path("image.log")
        try? FileManager.default.removeItem(atPath: log)
        progress("\(action): once, one to three minutes (log: \(log))")
        let outcome = try await Tool.run(
            arguments(system, recipe: recipe, output: partial, mirror: AptMirror.ofThisMachine()),
            package: "mmdebstrap",
            for: action, environment: ["TMPDIR": temporaryFolder, "INITRD": "No"], within: .seconds(1200), log: log
        ) { line in
            if let step = step(line) { progress("\(action): \(step)") }
        }
        guard outcome.status.isSuccess else {
            let unknown = Set(unknownPackages(in: outcome.output)).intersection(system.packages)
            if !unknown.isEmpty { throw SystemMistake(unknown.sorted(), in: system) }
            throw explain(outcome, log: log)
        }
        let made = "\(partial)/hil-image"
        for name in files where name != diskName {
            try FileManager.default.moveItem(atPath: "\(made)/\(name)", toPath: "\(partial)/\(name)")
        }
        // mmdebstrap copies it without its holes.
        try DiskFile.copy("\(made)/\(diskName)", to: "\(partial)/\(diskName)")
        try FileManager.default.removeItem(atPath: made)
        try Seal(of: partial).make(for: files)
    }

    /// The step of the work that a line of mmdebstrap's output begins, such as “2 of 6, …”; nil for other lines.
    static func step(_ line: String) -> String? {
        let steps = [
            ("running apt-get update", "fetching Debian's package lists"), ("downloading packages", "downloading them"),
            ("extracting archives", "unpacking"), ("installing essential packages", "installing essential packages"),
            ("installing remaining packages", "installing the other packages"),
            ("--customize-hook in shell: sh -c 'sh ", "packing kernel and root file system"),
        ]
        guard line.hasPrefix("I: "), let index = steps.firstIndex(where: { line.contains($0.0) }) else { return nil }
        return "\(index + 1) of \(steps.count), \(steps[index].1)"
    }

    /// mmdebstrap's command line; the recipe's `finish` is its last hook.
    static func arguments(
        _ system: BoardSystem = .debian13, recipe: String, output: String, mirror: String,
        asRoot: Bool = geteuid() == 0
    ) -> [String] {
        let list = (try? String(contentsOfFile: "\(recipe)/packages", encoding: .utf8)) ?? ""
        let packages = (BoardImage.packages(in: list, for: system.release) + system.packages).joined(separator: ",")
        // Without root, the hooks run as a user who may not read the checkout, so the recipe is copied in.
        let copy = "\"$1\"/hil-recipe/\(quoted(URL(fileURLWithPath: recipe).lastPathComponent))"
        return [
            "mmdebstrap", "--mode=\(asRoot ? "root" : "unshare")", "--variant=essential", "--format=null",
            "--architectures=amd64", "--keyring=/usr/share/keyrings", "--include=\(packages)",
            "--aptopt=APT::Install-Recommends \"false\"", "--aptopt=Acquire::Retries \"3\"",
            "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/man/*",
            "--dpkgopt=path-exclude=/usr/share/locale/*",
            "--customize-hook=mkdir \"$1/hil-recipe\"", "--customize-hook=copy-in \(quoted(recipe)) /hil-recipe",
            "--customize-hook=sh \(copy)/finish \(copy) \"$1\"",
            "--customize-hook=copy-out /hil-image \(quoted(output))",
            system.release.rawValue, "-", mirror,
        ]
    }

    /// The packages in a recipe's list: one per line, with the name of a release after it if it is only for that
    /// release.
    static func packages(in list: String, for release: BoardSystem.Release) -> [String] {
        list.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let name = words.first, !name.hasPrefix("#") else { return nil }
            return words.count == 1 || words[1] == release.rawValue ? name : nil
        }
    }

    /// The unknown packages in apt's output.
    static func unknownPackages(in output: String) -> [String] {
        let patterns = [
            /E: Unable to locate package (\S+)/, /E: Package '([^']+)' has no installation candidate/,
            // For a name with a point or a plus.
            /E: Couldn't find any package by (?:regex|glob) '([^']+)'/,
        ]
        return patterns.flatMap { output.matches(of: $0).map { String($0.1) } }
    }

    /// Makes an error from mmdebstrap's output, with a remedy.
    static func explain(_ outcome: Tool.Outcome, log: String) -> RigFailure {
        let text = outcome.output
        func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        let mirror = AptMirror.ofThisMachine()
        let remedy: String? =
            if says("No space left on device") {
                "the disk is full: free 1.5 GB in \(temporaryFolder) and in the cache folder, then repeat"
            } else if says(
                "resolving", "Could not resolve", "Could not connect", "Network is unreachable", "Connection timed out")
            {
                "\(mirror) cannot be reached: the first set-up needs a network"
            } else if says("NO_PUBKEY", "not signed", "Missing key", "EXPKEYSIG") {
                "the keys of that release of Debian are missing: install debian-archive-keyring 2023.3+deb12u2 or later"
            } else if says("newuidmap", "subuid", "unprivileged user namespaces", "cannot unshare") {
                "without root it needs the package uidmap and an entry in /etc/subuid; or run it as root"
            } else if says("mkfs.erofs: not found") {
                "mkfs.erofs is missing: run `make setup`, or `apt-get install erofs-utils` as root"
            } else if says("objcopy: not found") {
                "objcopy is missing: run `make setup`, or `apt-get install binutils` as root"
            } else {
                "see \(log)"
            }
        // The first error is the cause; the others follow from it.
        let first = text.split(separator: "\n").first { $0.hasPrefix("E: ") }.map(String.init)
        let reason = first ?? lastLines(of: text, 2)
        return RigFailure("building the board image", "mmdebstrap \(outcome.status): \(reason)", remedy: remedy)
    }

    /// The folder where mmdebstrap unpacks. /tmp may be small and in memory.
    static var temporaryFolder: String { access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp" }
}

/// This machine's mirror of Debian's packages.
enum AptMirror {
    static let fallback = "http://deb.debian.org/debian"

    /// The mirror that apt uses here.
    static func ofThisMachine() -> String {
        let files = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"]
        for file in files {
            if let text = try? String(contentsOfFile: file, encoding: .utf8), let mirror = find(in: text) {
                return mirror
            }
        }
        return fallback
    }

    /// The first archive of Debian itself in a list of sources, in either format of apt.
    static func find(in sources: String) -> String? {
        for line in sources.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.first == "URIs:" || words.first == "deb" else { continue }
            // The archives of security updates and of other projects have other names.
            let uri = words.first { $0.contains("://") && ($0.hasSuffix("/debian") || $0.hasSuffix("/debian/")) }
            if let uri { return uri }
        }
        return nil
    }
}

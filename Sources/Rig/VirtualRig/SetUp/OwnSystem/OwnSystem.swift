import Foundation
import HILPOSIX
import RigModel

/// Makes the image of a board from a team's own root file system.
struct OwnSystem: Sendable {
    /// Raise it whenever the same archive gives another image.
    static let builderVersion = "1"
    private static let files = ["kernel", "initramfs", "root.erofs", "packages"]

    /// The path of the tar archive.
    let path: String
    /// Its SHA-256.
    let digest: String
    /// The folder `Fixtures/BoardImage`.
    let recipe: String
    let cache: Cache

    /// Returns the image, and makes it if it is not in the cache.
    ///
    /// - Parameters:
    ///   - system: The system with this archive.
    ///   - debian: The image of Debian 13, whose busybox starts a board.
    ///   - withKernel: Whether the board runs the archive's kernel.
    /// - Throws: ``SystemMistake`` that lists all missing parts.
    func prepare(
        _ system: BoardSystem, debian: BoardImage, withKernel: Bool, progress: @escaping @Sendable (String) -> Void
    ) async throws -> BoardImage {
        let action = "making a board of \(path)"
        let files: RootFileSystem
        do { files = try RootFileSystem(tar: path) } catch {
            throw SystemMistake("\(path) cannot be a board's root file system: \(RigFailure.words(of: error))")
        }
        var lacks = try files.lacks(withKernel: withKernel)
        if let known = try files.packages() {
            lacks += system.packages.filter { !known.contains($0) }.map {
                "it has no package \($0), which a program of the scenarios needs: install it there"
            }
        }
        guard lacks.isEmpty else {
            throw SystemMistake(
                "\(path) cannot be a board's root file system:\n" + lacks.map { "  \($0)" }.joined(separator: "\n"))
        }
        let name =
            "image-"
            + Fingerprint.of(
                OwnSystem.builderVersion, digest, (debian.folder as NSString).lastPathComponent, "\(withKernel)",
                try Fingerprint.ofFolder(recipe))
        let folder = try await cache.keep(
            name, action: action, megabytes: DiskNeed.image + (files.megabytes * 2),
            waiting: { progress("waiting for another run that builds a board image") },
            damage: { Seal(of: $0).damage(to: OwnSystem.files) }, replacing: { progress("\(action) again: \($0)") }
        ) { partial in
            progress("\(action): once, about \(files.megabytes / 100 + 5) s")
            try await make(files, debian: debian, withKernel: withKernel, into: partial)
        }
        return BoardImage(folder: folder)
    }

    private func make(
        _ files: RootFileSystem, debian: BoardImage, withKernel: Bool, into partial: String
    ) async throws {
        let action = "making a board of \(path)"
        let tree = "\(partial).tree.partial"
        defer { try? FileManager.default.removeItem(atPath: tree) }
        for folder in [partial, tree] { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: true)
        try files.unpack(into: tree)
        let busybox = try OwnSystem.busybox(of: debian)
        try addOurs(to: tree, files, busybox)
        var initramfs: [UInt8] = []
        var kernel: [UInt8] = []
        if withKernel, let place = try files.kernel() {
            kernel = try files.content(of: place, upTo: 256 << 20) ?? []
            initramfs = try await firstFiles(files, tree, busybox)
        }
        try replaceFile("\(partial)/kernel", with: kernel)
        try replaceFile("\(partial)/initramfs", with: initramfs)
        try replaceFile(
            "\(partial)/packages", with: (try files.packages() ?? []).sorted().map { $0 + "\n" }.joined().utf8)
        let outcome = try await Tool.run(
            ["mkfs.erofs", "--quiet", "-x-1", "--all-root", "\(partial)/root.erofs", tree],
            package: "erofs-utils", for: action, within: .seconds(600))
        guard outcome.status.isSuccess else {
            throw RigFailure(action, "mkfs.erofs \(outcome.status): \(outcome.tail())")
        }
        try Seal(of: partial).make(for: OwnSystem.files)
    }

    /// The busybox that starts boards of Debian.
    private static func busybox(of debian: BoardImage) throws -> [UInt8] {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: debian.initramfs)))
        guard let entry = CPIOArchive(bytes)?.entries.first(where: { $0.path.hasSuffix("bin/busybox") }) else {
            throw RigFailure(
                "making a board", "\(debian.initramfs) has no busybox", remedy: "remove it, and run `make setup`")
        }
        return entry.content
    }

    /// Adds the files of every board: the recipe's and busybox. They replace those of the archive.
    private func addOurs(to tree: String, _ files: RootFileSystem, _ busybox: [UInt8]) throws {
        let own = try FileManager.default.subpathsOfDirectory(atPath: "\(recipe)/root")
        for path in own.sorted() {
            guard let content = FileManager.default.contents(atPath: "\(recipe)/root/\(path)") else { continue }
            try put(Array(content), at: path, mode: path.hasSuffix("hil-setup") ? 0o755 : 0o644, in: tree, files)
        }
        try put(busybox, at: "usr/bin/busybox", mode: 0o755, in: tree, files)
    }

    /// Writes a file where a board would find it at this path. A link of the archive is followed only inside the tree.
    private func put(
        _ content: [UInt8], at path: String, mode: mode_t, in tree: String, _ files: RootFileSystem
    ) throws {
        var folder = ""
        for name in path.split(separator: "/").dropLast() {
            let next = folder.isEmpty ? String(name) : "\(folder)/\(name)"
            if let place = files.resolve(next) {
                folder = place
            } else {
                guard files.entries[next] == nil else {
                    throw RigFailure("making a board", "/\(next) of the archive is a broken link")
                }
                if access("\(tree)/\(next)", F_OK) != 0 {
                    try valueOrErrno("mkdir", "making /\(next)") { mkdir("\(tree)/\(next)", 0o755) }
                }
                folder = next
            }
        }
        let place = "\(tree)/\(folder)/\(path.split(separator: "/").last ?? "")"
        unlink(place)
        let file = try Descriptor.open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
        try file.write(content)
        try valueOrErrno("fchmod", "making \(path)") { fchmod(file.raw, mode) }
    }

    // MARK: The first file system

    /// The modules of the recipe, with those that the first file system needs.
    private func wantedModules() throws -> [(name: String, isFirst: Bool)] {
        try String(contentsOfFile: "\(recipe)/modules", encoding: .utf8).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let last = words.last, !line.hasPrefix("#") else { return nil }
            return (last, words.count > 1)
        }
    }

    /// Makes the initramfs: busybox, the first modules and the recipe's init. Compressed modules that a board loads are
    /// unpacked in the tree as well.
    private func firstFiles(_ files: RootFileSystem, _ tree: String, _ busybox: [UInt8]) async throws -> [UInt8] {
        var archive = CPIOArchive()
        for folder in ["bin", "dev", "modules", "image", "memory", "board"] {
            archive.entries.append(.init(path: folder, mode: UInt32(S_IFDIR) | 0o755, content: []))
        }
        func add(_ path: String, _ content: [UInt8]) {
            archive.entries.append(.init(path: path, mode: UInt32(S_IFREG) | 0o755, content: content))
        }
        add("bin/busybox", busybox)
        add("init", Array(try Data(contentsOf: URL(fileURLWithPath: "\(recipe)/initramfs-init"))))
        guard let modules = try files.kernelModules(), let folder = files.modulesFolder else { return [] }
        var list = String(decoding: try files.content(of: "\(folder)/modules.dep", upTo: 64 << 20) ?? [], as: UTF8.self)
        var (order, done) = ([String](), Set<String>())
        for (name, isFirst) in try wantedModules() {
            for path in modules.order(of: name) {
                // The list also comes from outside: a path in it may lead anywhere.
                guard case .file? = files.entries["\(folder)/\(path)"],
                    files.entries["\(folder)/\(OwnSystem.plain(path))"] == nil || path.hasSuffix(".ko")
                else {
                    throw SystemMistake("\(self.path): modules.dep names \(path), which is not a module of the archive")
                }
                if done.insert(path).inserted, let plain = try await unpackedModule(path, in: "\(tree)/\(folder)") {
                    list = list.replacing(path, with: plain)
                }
                let short = KernelModules.name(path)
                guard isFirst, !order.contains(short) else { continue }
                order.append(short)
                let file = "\(tree)/\(folder)/\(OwnSystem.plain(path))"
                add("modules/\(short).ko", Array(try Data(contentsOf: URL(fileURLWithPath: file))))
            }
        }
        add("modules/order", Array(order.map { $0 + "\n" }.joined().utf8))
        // busybox's modprobe reads this list; kmod's reads another.
        try replaceFile("\(tree)/\(folder)/modules.dep", with: list.utf8)
        guard let bytes = archive.encoded else {
            throw RigFailure("making a board", "libarchive cannot write the archive of its first files")
        }
        return bytes
    }

    /// The path of a module without the extension of its compression.
    private static func plain(_ path: String) -> String {
        path.hasSuffix(".ko") ? path : String(path.prefix(upTo: path.lastIndex(of: ".") ?? path.endIndex))
    }

    /// Unpacks a compressed module beside itself; returns its new path, or nil if it is not compressed.
    private func unpackedModule(_ path: String, in folder: String) async throws -> String? {
        guard !path.hasSuffix(".ko") else { return nil }
        let programs = [".xz": ("xz", "xz-utils"), ".zst": ("zstd", "zstd"), ".gz": ("gzip", "gzip")]
        guard let (_, program) = programs.first(where: { path.hasSuffix($0.key) }) else { return nil }
        let action = "unpacking the kernel module \(path)"
        let plain = OwnSystem.plain(path)
        // Only the archive's own module folder is written to, and no shell interprets the words.
        let outcome = try await Tool.run(
            [
                "sh", "-c", "exec \"$1\" -dc <\"$2\" >\"$3\"", "sh", program.0, "\(folder)/\(path)",
                "\(folder)/\(plain)",
            ],
            package: program.1, for: action, within: .seconds(30))
        guard outcome.status.isSuccess else {
            throw RigFailure(
                action, "\(program.0) \(outcome.status): \(outcome.tail(1))",
                remedy: "install \(program.1) on this machine, or provide uncompressed modules")
        }
        return plain
    }
}

extension RootFileSystem {
    /// The total length of all files, in MB.
    var megabytes: Int {
        entries.values.reduce(0) { if case .file(_, _, let length, _) = $1 { $0 + length } else { $0 } } / 1_000_000 + 1
    }
}

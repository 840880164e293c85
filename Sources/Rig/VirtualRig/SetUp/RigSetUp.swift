import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RigModel

/// Finds or makes everything that a virtual rig needs. After the first time, it makes nothing and needs no network.
package struct RigSetUp: Sendable {
    /// The cache for the parts.
    package var cache: Cache
    /// The folder `Fixtures/BoardImage` of the checkout.
    package var recipe: String
    /// Our own programs, already built.
    package var programs: RigPrograms

    package init(cache: Cache = .standard(), recipe: String, programs: RigPrograms = .built()) {
        self.cache = cache
        self.recipe = recipe
        self.programs = programs
    }

    /// A program of the system that a rig needs.
    package struct Requirement: Sendable, Equatable {
        /// The program's name, which is looked up in `PATH`.
        package let program: String
        /// The Debian package that contains it.
        package let package: String
    }

    /// The programs of the system that are not installed.
    package static func missingPrograms() -> [Requirement] {
        let all = [
            ("qemu-system-x86_64", "qemu-system-x86"), ("mmdebstrap", "mmdebstrap"), ("mkfs.erofs", "erofs-utils"),
            ("objcopy", "binutils"), ("python3", "python3-pip"), ("setpriv", "util-linux"), ("sha256sum", "coreutils"),
        ]
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        return all.map { Requirement(program: $0, package: $1) }.filter { requirement in
            !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(requirement.program)") }
        }
    }

    /// Prepares all parts of a virtual rig.
    ///
    /// - Parameters:
    ///   - choice: Which kind of boards to take.
    ///   - system: The accessory board's system.
    ///   - progress: Called with a line for each part that is made.
    package func prepare(
        _ choice: BoardChoice = .auto, _ system: BoardSystem = .debian13,
        progress: @escaping @Sendable (String) -> Void
    ) async throws -> RigParts {
        // One system gives one set of parts.
        try await prepare(choice, [system], progress: progress)[system]!
    }

    /// Prepares all parts of virtual rigs, for each of these systems of the accessory board.
    ///
    /// - Parameters:
    ///   - choice: Which kind of boards to take.
    ///   - systems: The systems of accessory boards.
    ///   - progress: Called with a line for each part that is made.
    /// - Throws: ``RigFailure``; ``SystemMistake`` for an impossible system.
    package func prepare(
        _ choice: BoardChoice, _ systems: Set<BoardSystem>, progress: @escaping @Sendable (String) -> Void
    ) async throws -> [BoardSystem: RigParts] {
        for program in [programs.rig, programs.air, programs.board]
        where !FileManager.default.isExecutableFile(atPath: program) {
            throw RigFailure(
                "preparing the virtual rig", "\(program) does not exist", remedy: "run `make setup`, which builds it")
        }
        // Checked first, because the rest may take minutes.
        try cache.makeFolder()
        try DiskNeed.require(needs(systems), for: "preparing the virtual rig")
        if let missing = RigSetUp.missingPrograms().first {
            throw RigFailure.missing(missing.program, package: missing.package, for: "preparing the virtual rig")
        }
        let image = try await BoardImage.prepare(recipe: recipe, cache: cache, progress: progress)
        let rootCanal = try await RootCanalWheel.prepare(cache: cache, progress: progress)
        let agentDisk = try await AgentDisk.prepare(program: programs.board, cache: cache, progress: progress)
        let boards = try await selection(image: image, agentDisk: agentDisk, progress: progress).make(choice)
        let air = try await cache.digest(of: programs.air, for: "reading the air's program")
        var parts = RigParts(
            image: image, agentDisk: agentDisk, rootCanal: rootCanal, air: air, accelerator: boards.accelerator,
            qemuVersion: boards.native == nil ? try await RigSetUp.qemuVersion() : "")
        (parts.native, parts.choice, parts.wantsKernel) = (boards.native, boards.reason, boards.wantsKernel)
        var all: [BoardSystem: RigParts] = [:]
        for system in systems.sorted(by: { $0.description < $1.description }) {
            all[system] = try await finish(parts, for: system, progress: progress)
        }
        var used: Set<String> = []
        for parts in all.values {
            used.formUnion([parts.image.folder, parts.accessoryImage.folder, agentDisk])
            used.formUnion([parts.snapshot?.folder, boards.native?.kernel.folder].compactMap { $0 })
        }
        let names = used.map { ($0 as NSString).lastPathComponent }.sorted()
        // A cache that cannot be written to cannot be pruned either.
        if (try? cache.record(names, usedBy: recipe)) != nil { cache.prune() }
        return all
    }

    /// Prepares what a virtual rig needs besides our own programs, which may still be built: the image of a system, and
    /// RootCanal.
    ///
    /// - Parameter progress: Called with a line for each part that is made.
    /// - Throws: ``RigFailure``; ``SystemMistake`` for an impossible system.
    package func prepareImage(
        _ system: BoardSystem, progress: @escaping @Sendable (String) -> Void
    ) async throws {
        try cache.makeFolder()
        try DiskNeed.require(needs([system]), for: "preparing the virtual rig")
        if let missing = RigSetUp.missingPrograms().first {
            throw RigFailure.missing(missing.program, package: missing.package, for: "preparing the virtual rig")
        }
        _ = try await BoardImage.prepare(system, recipe: recipe, cache: cache, progress: progress)
        _ = try await RootCanalWheel.prepare(cache: cache, progress: progress)
    }

    /// The system that is a team's own root file system.
    ///
    /// - Parameter path: The absolute path of a tar archive.
    /// - Throws: ``SystemMistake`` if there is no such file; ``RigFailure``.
    package func system(ofArchive path: String) async throws -> BoardSystem {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else {
            throw SystemMistake("\(path) does not exist or cannot be read")
        }
        let action = "reading \(path)"
        let digest = try await cache.digest(of: path, for: action)
        return BoardSystem(BoardSystem.Archive(path: path, digest: digest))
    }

    /// Adds the image of the accessory board's system, and the snapshot of both boards.
    private func finish(
        _ common: RigParts, for system: BoardSystem, progress: @escaping @Sendable (String) -> Void
    ) async throws -> RigParts {
        var parts = common
        parts.system = system
        if let archive = system.archive {
            let own = OwnSystem(path: archive.path, digest: archive.digest, recipe: recipe, cache: cache)
            parts.accessoryImage = try await own.prepare(
                system, debian: parts.image, withKernel: parts.native == nil, progress: progress)
        } else {
            parts.accessoryImage = try await BoardImage.prepare(
                system, recipe: recipe, cache: cache, progress: progress)
        }
        if parts.native == nil { parts.snapshot = try await snapshot(of: parts, progress: progress) }
        return parts
    }

    /// The checks for the choice of boards.
    private func selection(
        image: BoardImage, agentDisk: String, progress: @escaping @Sendable (String) -> Void
    ) -> BoardSelection {
        BoardSelection(
            accelerator: { () async throws(RigFailure) in
                if let obstacle = AccelerationProbe.obstacle { return (.tcg, obstacle) }
                let version = try await RigSetUp.qemuVersion()
                let accelerator = try await AccelerationProbe.prepare(
                    image: image, qemuVersion: version, cache: cache, progress: progress)
                // `hil doctor` shows the reason.
                return (accelerator, accelerator == .kvm ? "KVM runs here" : "KVM does not run here")
            },
            kernel: { await kernelBuild.find() },
            build: { () async throws(RigFailure) in try await kernelBuild.run(progress: progress) },
            probe: { kernel async throws(RigFailure) in
                try await NativeProbe(kernel: kernel, image: image, agentDisk: agentDisk, cache: cache).run()
            })
    }

    /// Builds the kernel of native boards, from the recipe beside the image's.
    package var kernelBuild: KernelBuild {
        let recipes = URL(fileURLWithPath: recipe).deletingLastPathComponent().path
        return KernelBuild(cache: cache, recipe: "\(recipes)/NativeKernel")
    }

    static func qemuVersion() async throws(RigFailure) -> String {
        let outcome = try await Tool.run(
            [QEMUCommand.program, "--version"], package: "qemu-system-x86", for: "looking for QEMU",
            within: .seconds(10))
        guard outcome.status.isSuccess else {
            throw RigFailure(
                "looking for QEMU", "\(QEMUCommand.program) --version \(outcome.status): \(outcome.tail(1))",
                remedy: "repair it with `apt-get install --reinstall qemu-system-x86` as root")
        }
        return String(outcome.output.prefix { $0 != "\n" })
    }

    /// Returns the boards' snapshot, and takes it if the cache has none or a damaged one.
    private func snapshot(
        of parts: RigParts, progress: @escaping @Sendable (String) -> Void
    ) async throws(RigFailure) -> Snapshot {
        let action = "taking the boards' snapshot"
        let name = "snapshot-\(parts.snapshotKey)"
        let waiting: @Sendable () -> Void = { progress("waiting for another run that takes the boards' snapshot") }
        let folder = try await cache.keep(
            name, action: action, megabytes: DiskNeed.snapshot, waiting: waiting,
            damage: { Snapshot(folder: $0).damage() }, replacing: { progress("\(action) again: \($0)") }
        ) { partial in
            let boards = parts.system == .debian13 ? "the boards'" : "the boards' (\(parts.system))"
            progress("taking \(boards) snapshot (\(parts.accelerator.rawValue)): both boot once, about 15 s")
            try await Snapshot.take(
                into: partial, of: parts, programs: programs, logs: cache.path("snapshot.logs"), within: .seconds(240))
        }
        return Snapshot(folder: folder)
    }
}

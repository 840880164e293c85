import Foundation
import RigModel
import Testing

@testable import VirtualRig

@Suite("The choice of boards")
struct BoardSelectionTests {
    private static let kernel = NativeKernel(folder: "/cache/native-1")
    private static let boards = NativeBoards(kernel: kernel, isolation: .sandbox)

    private static func selection(
        kvm: Bool = false, kernel: NativeKernel? = kernel, probe: RigFailure? = nil, build: RigFailure? = nil
    ) -> BoardSelection {
        BoardSelection(
            accelerator: { () async throws(RigFailure) in
                kvm ? (Accelerator.kvm, "KVM runs here") : (Accelerator.tcg, "there is no /dev/kvm")
            },
            kernel: { kernel },
            build: { () async throws(RigFailure) in
                if let build { throw build }
                return Self.kernel
            },
            probe: { _ async throws(RigFailure) in
                if let probe { throw probe }
                return boards
            })
    }

    @Test("KVM is taken where it runs, and the native kernel is not asked for")
    func kvm() async throws {
        let outcome = try await Self.selection(kvm: true, kernel: nil).make(.auto)
        #expect(outcome == .init(accelerator: .kvm, reason: "QEMU with KVM: KVM runs here"))
    }

    @Test("Without KVM native boards are taken if their kernel is built and runs")
    func native() async throws {
        let outcome = try await Self.selection().make(.auto)
        #expect(
            outcome
                == .init(native: Self.boards, accelerator: .tcg, reason: "native, in a sandbox: there is no /dev/kvm"))
    }

    @Test("Without their kernel QEMU is taken, and the kernel is wanted")
    func notBuilt() async throws {
        let outcome = try await Self.selection(kernel: nil).make(.auto)
        #expect(outcome.native == nil)
        #expect(outcome.wantsKernel)
        #expect(outcome.reason.contains("is not built"))
        #expect(outcome.reason.contains("there is no /dev/kvm"))
    }

    @Test("A kernel that does not start is told with its remedy, and QEMU is taken")
    func notRunning() async throws {
        let failure = RigFailure("trying native boards", "ptrace is forbidden", remedy: "allow it")
        let outcome = try await Self.selection(probe: failure).make(.auto)
        #expect(outcome.native == nil)
        #expect(!outcome.wantsKernel)
        #expect(outcome.reason.contains("ptrace is forbidden — allow it"))
        await #expect(throws: failure) { try await Self.selection(probe: failure).make(.native) }
    }

    @Test("Native boards that are asked for are built first, even where KVM runs")
    func asked() async throws {
        #expect(try await Self.selection(kvm: true, kernel: nil).make(.native).native == Self.boards)
        let failure = RigFailure("building", "no compiler")
        await #expect(throws: failure) { try await Self.selection(kernel: nil, build: failure).make(.native) }
    }

    @Test("QEMU that is asked for is taken, whatever else runs", arguments: [true, false])
    func qemu(kvm: Bool) async throws {
        let outcome = try await Self.selection(kvm: kvm).make(.qemu)
        #expect(outcome.native == nil)
        #expect(outcome.accelerator == (kvm ? .kvm : .tcg))
        #expect(!outcome.wantsKernel)
    }

    @Test("A rig with native boards lacks the snapshot, and says how to get one")
    func lacks() {
        var parts = RigParts.sample()
        #expect(VirtualRigs.description(of: parts).has(.snapshot))
        #expect(VirtualRigs([.debian13: parts]).footprint == .emulated)
        parts.native = Self.boards
        let lack = VirtualRigs.description(of: parts).lack(of: [.snapshot])
        #expect(lack?.description.contains("--boards qemu") == true)
        #expect(VirtualRigs.description(of: parts).has(.power))
        #expect(VirtualRigs([.debian13: parts]).footprint == .native)
    }
}

@Suite("The kernel of native boards")
struct NativeKernelTests {
    /// A folder with a recipe and a cache.
    private static func withRecipe(_ body: (KernelBuild, _ folder: String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            for name in ["cache", "recipe", "other"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            try write("CONFIG_64BIT=y\n", to: "\(folder)/recipe/config")
            try write("CONFIG_64BIT=n\n", to: "\(folder)/other/config")
            try await body(
                KernelBuild(cache: Cache(folder: "\(folder)/cache"), recipe: "\(folder)/recipe"), folder)
        }
    }

    /// Puts a kernel into the cache.
    private static func make(_ build: KernelBuild, compiler: String) throws {
        let name = try NativeKernel.name(recipe: build.recipe, compiler: compiler)
        let folder = build.cache.path(name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for part in NativeKernel.parts { try write(part, to: "\(folder)/\(part)") }
        try Seal(of: folder).make(for: NativeKernel.parts)
    }

    @Test("The changes to the kernel stay small")
    func changes() throws {
        let recipe = try Checkout.get() + "/Fixtures/NativeKernel"
        let patches = try FileManager.default.contentsOfDirectory(atPath: recipe).filter { $0.hasSuffix(".patch") }
        let lines = try patches.map {
            try String(contentsOfFile: "\(recipe)/\($0)", encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false
            ).count - 1
        }
        #expect(!patches.isEmpty)
        #expect(lines.reduce(0, +) < 150)
    }

    @Test("The key changes with the recipe and with the compiler")
    func key() async throws {
        try await Self.withRecipe { build, folder in
            let own = try NativeKernel.name(recipe: build.recipe, compiler: "gcc 12")
            #expect(try own != NativeKernel.name(recipe: build.recipe, compiler: "gcc 14"))
            #expect(try own != NativeKernel.name(recipe: "\(folder)/other", compiler: "gcc 12"))
            #expect(try own.hasPrefix(NativeKernel.prefix(recipe: build.recipe)))
        }
    }

    @Test("A machine takes the kernel of its own compiler; without one, any of the same recipe")
    func found() async throws {
        try await Self.withRecipe { build, _ in
            #expect(NativeKernel.find(recipe: build.recipe, compiler: nil, in: build.cache) == nil)
            try Self.make(build, compiler: "gcc 12")
            #expect(NativeKernel.find(recipe: build.recipe, compiler: "gcc 12", in: build.cache) != nil)
            #expect(NativeKernel.find(recipe: build.recipe, compiler: "gcc 14", in: build.cache) == nil)
            #expect(NativeKernel.find(recipe: build.recipe, compiler: nil, in: build.cache) != nil)
        }
    }

    @Test("A damaged kernel counts as not built")
    func damaged() async throws {
        try await Self.withRecipe { build, _ in
            try Self.make(build, compiler: "gcc 12")
            let kernel = try #require(NativeKernel.find(recipe: build.recipe, compiler: nil, in: build.cache))
            try write("other", to: kernel.linux)
            #expect(NativeKernel.find(recipe: build.recipe, compiler: nil, in: build.cache) == nil)
        }
    }

    @Test("A kernel is carried in a file, and only to a machine with the same recipe")
    func carried() async throws {
        try await Self.withRecipe { build, folder in
            let compiler = try #require(await NativeKernel.compiler())
            try Self.make(build, compiler: compiler)
            try await build.export(to: "\(folder)/kernel.tar")
            var other = KernelBuild(cache: Cache(folder: "\(folder)/cache2"), recipe: build.recipe)
            let kernel = try await other.import(from: "\(folder)/kernel.tar")
            #expect(try String(contentsOfFile: kernel.linux, encoding: .utf8) == "linux")
            #expect(await other.find() == kernel)
            #expect(names(in: other.cache.folder).allSatisfy { !$0.hasSuffix(".partial") })
            other.recipe = "\(folder)/other"
            await #expect(throws: RigFailure.self) { try await other.import(from: "\(folder)/kernel.tar") }
            try write("no archive", to: "\(folder)/kernel.tar")
            await #expect(throws: RigFailure.self) { try await build.import(from: "\(folder)/kernel.tar") }
        }
    }

    @Test("A file with a link in place of a kernel's file, or with more than that, is refused", arguments: [0, 1, 2])
    func hostile(kind: Int) async throws {
        try await Self.withRecipe { build, folder in
            let compiler = try #require(await NativeKernel.compiler())
            try Self.make(build, compiler: compiler)
            let name = try NativeKernel.name(recipe: build.recipe, compiler: compiler)
            let kernel = build.cache.path(name)
            let elsewhere = "\(folder)/elsewhere"
            switch kind {
            case 0:
                // The linked file passes the check of the seal, and changes after it.
                rename("\(kernel)/linux", elsewhere)
                symlink(elsewhere, "\(kernel)/linux")
            case 1:
                rename(kernel, elsewhere)
                symlink(elsewhere, kernel)
            default: try write("more", to: "\(kernel)/more")
            }
            let packed = try await Tool.run(
                ["tar", "-c", "-f", "\(folder)/kernel.tar", "-C", build.cache.folder, name], package: "tar",
                for: "testing", within: .seconds(60))
            #expect(packed.status.isSuccess)
            let other = KernelBuild(cache: Cache(folder: "\(folder)/cache2"), recipe: build.recipe)
            await #expect {
                try await other.import(from: "\(folder)/kernel.tar")
            } throws: {
                "\($0)".contains("contains more than a kernel")
            }
            #expect(await other.find() == nil)
        }
    }

    @Test("A build that failed is remembered until one is asked for")
    func failure() async throws {
        try await Self.withRecipe { build, _ in
            #expect(build.lastFailure == nil)
            build.rememberFailure(RigFailure("building", "no"))
            #expect(build.lastFailure == "building: no")
            #expect(!build.isRunning)
            build.forgetFailure()
            #expect(build.lastFailure == nil)
        }
    }

    @Test("What is missing to build it is named by package")
    func missing() throws {
        try withTemporaryFolder { folder in
            let all = KernelBuild.missingPackages(in: folder)
            #expect(all.starts(with: ["g++", "make", "flex", "bison", "bc", "xz-utils", "patch", "dpkg"]))
        }
    }

    @Test(
        "A kernel that does not start is explained",
        arguments: [
            ("check_ptrace : expected SIGSTOP, PTRACE_TRACEME failed: Operation not permitted", "SYS_PTRACE"),
            (
                "Checking PROT_EXEC mmap in /dev/shm...Operation not permitted\n/dev/shm must be not mounted noexec",
                "TMPDIR"
            ),
            ("write: No space left on device", "--shm-size"),
        ])
    func explained(output: String, remedy: String) {
        #expect(NativeProbe.explain(output).remedy?.contains(remedy) == true)
    }
}

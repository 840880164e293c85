import Glibc
import HILPOSIX
import RigModel
import Testing

@testable import VirtualRig

@Suite("The board image")
struct BoardImageTests {
    @Test("Packages come from the mirror of this machine's apt")
    func mirror() {
        let sources = """
            # a comment with http://nowhere/debian
            Types: deb
            URIs: http://mirror.example/debian
            Suites: bookworm

            """
        #expect(AptMirror.find(in: sources) == "http://mirror.example/debian")
        let list = """
            deb http://security.example/debian-security bookworm-security main
            deb [signed-by=/k.gpg] https://packages.example/apt stable main
            deb [arch=amd64] https://mirror.example/debian/ bookworm main
            """
        #expect(AptMirror.find(in: list) == "https://mirror.example/debian/")
        #expect(AptMirror.find(in: "deb https://packages.example/apt stable main") == nil)
    }

    @Test("The recipe's packages are included; paths with spaces and quotes reach its hook unchanged")
    func arguments() throws {
        try withTemporaryFolder { folder in
            try write("# words\nbluez\nhostapd\n", to: "\(folder)/packages")
            let arguments = BoardImage.arguments(
                recipe: folder, output: "/it's here", mirror: "http://m/debian", asRoot: true)
            #expect(arguments.contains("--include=bluez,hostapd"))
            #expect(arguments.contains("--mode=root"))
            #expect(arguments.contains("--customize-hook=copy-out /hil-image '/it'\\''s here'"))
            #expect(arguments.suffix(3) == ["trixie", "-", "http://m/debian"])
        }
    }

    @Test("A system has the packages of its release, and those that it asks for")
    func systems() throws {
        try withTemporaryFolder { folder in
            try write("# words\nbluez\nlibssl3 bookworm\nlibssl3t64 trixie\n", to: "\(folder)/packages")
            func words(_ system: BoardSystem) -> [String] {
                BoardImage.arguments(system, recipe: folder, output: "/x", mirror: "http://m/debian", asRoot: true)
            }
            let python = BoardSystem.debian12.adding(packages: ["python3", "bluez-test-scripts"])
            #expect(words(python).contains("--include=bluez,libssl3,bluez-test-scripts,python3"))
            #expect(words(python).suffix(3) == ["bookworm", "-", "http://m/debian"])
            #expect(words(.debian13).contains("--include=bluez,libssl3t64"))
            let names = try [.debian12, .debian13, python].map { try BoardImage.name(recipe: folder, of: $0) }
            #expect(Set(names).count == 3, "each is an image of its own")
        }
    }

    @Test("A system is found by its name")
    func names() {
        #expect(BoardSystem(named: "debian12") == .debian12)
        #expect(BoardSystem(named: "debian11") == nil)
        #expect("\(BoardSystem.debian13.adding(packages: ["b", "a"]).adding(packages: ["b"]))" == "debian13+a+b")
    }

    @Test(
        "What mmdebstrap complains of becomes what to do",
        arguments: [
            ("E: write failed: No space left on device", "the disk is full"),
            ("W: Failed to fetch http://m Could not resolve 'm'\nE: update failed", "needs a network"),
            ("Err: The following signatures: NO_PUBKEY 6ED0E7B82643E131", "debian-archive-keyring"),
            ("E: newuidmap failed", "uidmap"),
            ("finish: 70: mkfs.erofs: not found\nE: setup failed", "erofs-utils"),
            ("E: something else", "see /image.log"),
        ])
    func remedies(output: String, remedy: String) {
        let error = BoardImage.explain(Tool.Outcome(status: .exited(25), output: output), log: "/image.log")
        #expect(error.description.contains(remedy))
        #expect(!error.description.contains("\n"))
    }

    @Test(
        "A package that apt does not find is named",
        arguments: [
            ("E: Unable to locate package pyton3\nE: Unable to locate package b", ["pyton3", "b"]),
            ("E: Package 'python' has no installation candidate", ["python"]),
            ("E: Unable to locate package g++-99\nE: Couldn't find any package by regex 'g++-99'", ["g++-99"]),
            ("E: Couldn't find any package by glob 'a.b'", ["a.b"]), ("E: Could not resolve 'm'", []),
        ])
    func unknownPackages(output: String, names: [String]) {
        #expect(Set(BoardImage.unknownPackages(in: output)) == Set(names))
    }

    @Test("A system with a name that is not a package's is refused before anything is built")
    func hostileNames() async {
        for name in ["bluez-", "-y", "a;reboot", "a b", "A", "a/bookworm", "x", "~n.", "a\nb", ""] {
            let system = BoardSystem.debian12.adding(packages: [name])
            await #expect(throws: SystemMistake.self, "\(name)") {
                try await BoardImage.prepare(system, recipe: "/nowhere", cache: Cache(folder: "/nowhere")) { _ in }
            }
        }
        #expect(BoardSystem.debian12.adding(packages: ["g++", "libc6", "python3.11", "x11-apps"]).mistake == nil)
        #expect(
            SystemMistake(["pyton3"], in: .debian12).description
                == "there is no package “pyton3” in Debian 12 (bookworm): look up the name at "
                + "https://packages.debian.org")
    }

    @Test("A missing program is named with its package; a full disk says so")
    func missing() async throws {
        await #expect(throws: RigFailure.missing("hil-no-such-program", package: "none", for: "a test")) {
            _ = try await Tool.run(["hil-no-such-program"], package: "none", for: "a test", within: .seconds(5))
        }
        let full = RigFailure.wrapping(SystemError(code: ENOSPC, action: "writing x"), while: "a test")
        #expect(full.remedy == "free some space, then repeat")
    }

    @Test("A program's output is complete, and its exit status is a value")
    func tool() async throws {
        let outcome = try await Tool.run(
            ["sh", "-c", "echo one; echo; echo two >&2; exit 3"], package: "dash", for: "a test", within: .seconds(10))
        #expect(outcome.status == .exited(3))
        #expect(outcome.tail() == "one | two")
    }
}

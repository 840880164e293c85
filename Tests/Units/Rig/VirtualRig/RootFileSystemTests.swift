import Foundation
import Glibc
import HILPOSIX
import RigModel
import Testing

@testable import VirtualRig

/// A tar archive for tests.
struct TestTar {
    /// When each file was changed, in seconds since 1970.
    static let modified = 1_700_000_000

    private(set) var bytes: [UInt8] = []

    /// Adds an entry; `flag` is the type of POSIX: `0` for a file, `2` for a link, `5` for a folder.
    mutating func add(
        _ name: String, flag: Character = "0", _ content: String = "", target: String = "", mode: Int = 0o644,
        length: String? = nil
    ) {
        add(name, flag: flag, bytes: Array(content.utf8), target: target, mode: mode, length: length)
    }

    mutating func add(
        _ name: String, flag: Character = "0", bytes content: [UInt8], target: String = "", mode: Int = 0o644,
        length: String? = nil
    ) {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at place: Int) {
            header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: digits - text.count) + text
        }
        put(name, at: 0)
        put(octal(mode, 7), at: 100)
        put(length ?? octal(content.count, 11), at: 124)
        put(octal(TestTar.modified, 11), at: 136)
        put("        ", at: 148)
        put(String(flag), at: 156)
        put(target, at: 157)
        put("ustar\u{0}00", at: 257)
        put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\u{0} ", at: 148)
        bytes += header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }

    /// Writes the archive, with its end.
    func write(to path: String) throws {
        try Data(bytes + [UInt8](repeating: 0, count: 1024)).write(to: URL(fileURLWithPath: path))
    }
}

@Suite("A team's own root file system")
struct RootFileSystemTests {
    private func files(_ fill: (inout TestTar) -> Void) throws -> RootFileSystem {
        try withTemporaryFolder { folder in
            var tar = TestTar()
            fill(&tar)
            try tar.write(to: "\(folder)/x.tar")
            return try RootFileSystem(tar: "\(folder)/x.tar")
        }
    }

    private func refusal(_ fill: (inout TestTar) -> Void) -> String {
        do {
            _ = try files(fill)
            return "none"
        } catch { return "\(error)" }
    }

    @Test("Files are found behind links, as a board would find them")
    func links() throws {
        let files = try files { tar in
            tar.add("./usr/bin/", flag: "5")
            tar.add("./usr/bin/dash", "#!", mode: 0o755)
            tar.add("./usr/bin/sh", flag: "2", target: "dash")
            tar.add("./bin", flag: "2", target: "usr/bin")
            tar.add("./etc/alternatives/sh", flag: "2", target: "/bin/sh")
            tar.add("./sbin/init", flag: "1", target: "./usr/bin/dash")
            tar.add("./loop", flag: "2", target: "/loop")
        }
        #expect(files.resolve("bin/sh") == "usr/bin/dash")
        #expect(files.resolve("etc/alternatives/sh") == "usr/bin/dash")
        #expect(files.hasFile("sbin/init") && !files.hasFile("usr/bin") && !files.hasFile("loop/x"))
        #expect(try files.content(of: "bin/sh", upTo: 9) == Array("#!".utf8))
        #expect(files.names(in: "bin") == ["dash", "sh"])
    }

    @Test("An archive that would write outside of its folder, or is no plain archive, is refused with the reason")
    func hostile() {
        #expect(refusal { $0.add("../x") }.contains("leads out of the archive"))
        #expect(refusal { $0.add("a/../../x") }.contains("leads out of the archive"))
        #expect(refusal { $0.add("/etc/passwd") }.contains("does not begin at the archive's root"))
        #expect(
            refusal {
                $0.add("a", flag: "2", target: "/etc")
                $0.add("a/passwd")
            }.contains("“a/passwd” is below “a”, which is not a folder"))
        #expect(refusal { $0.add("a/b", flag: "2", target: "../../x") }.contains("leads out of the archive"))
        #expect(refusal { $0.add("a", flag: "1", target: "/etc/shadow") }.contains("does not begin at"))
        #expect(refusal { $0.add("a", flag: "1", target: "etc/shadow") }.contains("which is not a file of the archive"))
        #expect(refusal { $0.add("etc/disk", flag: "4") }.contains("a device or a pipe"))
        #expect(
            refusal {
                $0.add("a")
                $0.add("a", flag: "2", target: "b")
            }.contains("“a” occurs twice"))
        #expect(refusal { $0.add("a", length: "77777777777") }.contains("“a” is cut off"))
        #expect(refusal { $0.add("a", flag: "?") }.contains("is damaged"))
        #expect(refusal { $0.add("L", flag: "L", length: "00077777777") }.contains("is damaged"))
        #expect(refusal { $0.add("x", flag: "x", "99 path=a\n") }.contains("is damaged"))
    }

    @Test("What GNU tar writes is read in each of its formats, and its sparse files are refused")
    func written() throws {
        try withTemporaryFolder { folder in
            let long = String(repeating: "long", count: 40)
            let file = try Descriptor.open("\(folder)/\(long)", O_WRONLY | O_CREAT, mode: 0o600)
            try file.write("ü".utf8)
            #expect(ftruncate(file.raw, 1 << 20) == 0)
            func tar(_ options: String...) throws -> RootFileSystem {
                let command = Process()
                command.executableURL = URL(fileURLWithPath: "/usr/bin/tar")
                command.arguments = ["-C", folder] + options + ["-cf", "\(folder)/x.tar", "./\(long)"]
                try command.run()
                command.waitUntilExit()
                return try RootFileSystem(tar: "\(folder)/x.tar")
            }
            for format in ["gnu", "pax", "posix"] {
                #expect(try tar("--format=\(format)").content(of: long, upTo: 3) == Array("ü\0".utf8), "\(format)")
                let refused = #expect(throws: TarError.self) { try tar("--sparse", "--format=\(format)") }
                #expect(refused?.description.contains("is a sparse file") == true, "\(format)")
            }
        }
    }

    @Test("A long path whose hundredth byte is a slash is a file, and its content is no header")
    func slashAtTheCut() throws {
        let folder = "usr/" + String(repeating: "n", count: 95) + "/"
        let content = String(repeating: "not a header ", count: 100)
        let files = try files { tar in
            tar.add("@", flag: "L", folder + "file\u{0}")
            tar.add(String((folder + "file").prefix(100)), content)
            tar.add("usr/old/")
        }
        #expect(folder.utf8.count == 100)
        #expect(try files.content(of: folder + "file", upTo: 3000) == Array(content.utf8))
        #expect(files.entries["usr/old"] == .folder(mode: 0o644))
    }

    @Test("Long names come in records of pax or of GNU tar; a board's own devices are left out")
    func longNames() throws {
        let long = "usr/" + String(repeating: "n", count: 200)
        let files = try files { tar in
            tar.add("@", flag: "L", long + "\u{0}")
            tar.add("cut", "one")
            let record = " path=\(long)2\n"
            let digits = "\(record.utf8.count + 3)"
            tar.add("x", flag: "x", digits + record)
            tar.add("cut", "two")
            tar.add("dev/null", flag: "3")
        }
        #expect(try files.content(of: long, upTo: 9) == Array("one".utf8))
        #expect(try files.content(of: long + "2", upTo: 9) == Array("two".utf8))
        #expect(files.entries["dev/null"] == nil)
    }

    @Test("Limits hold, and a file that is not an archive is told apart from one that is compressed")
    func limits() throws {
        try withTemporaryFolder { (folder: String) throws -> Void in
            func refusal(_ bytes: [UInt8], _ limits: TarReader.Limits = TarReader.Limits()) throws -> String {
                let path = "\(folder)/x.tar"
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                do { _ = try RootFileSystem(tar: path, limits: limits) } catch { return "\(error)" }
                return "none"
            }
            var tar = TestTar()
            for name in ["a", "b", "c"] { tar.add(name, "12345678") }
            #expect(try refusal(tar.bytes) == "none", "some writers leave the end out")
            #expect(try refusal(tar.bytes, TarReader.Limits(entries: 2)).contains("more than 2 entries"))
            #expect(try refusal(tar.bytes, TarReader.Limits(bytes: 16)).contains("more than 0 MiB"))
            #expect(try refusal([]).contains("it is empty"))
            #expect(try refusal([0x1F, 0x8B] + tar.bytes).contains("unpack it with gunzip first"))
            #expect(try refusal(Array("hello, world".utf8)).contains("is not a tar archive"))
            #expect(try refusal([1] + tar.bytes.dropFirst()).contains("is not a tar archive"))
            #expect(try refusal(tar.bytes.dropLast(508)).contains("is cut off"))
        }
    }

    @Test("It is unpacked with its permissions and links, and nothing is written at mount points")
    func unpack() throws {
        try withTemporaryFolder { folder in
            let files = try files { tar in
                tar.add("usr/bin/", flag: "5", mode: 0o555)
                tar.add("usr/bin/run", "#!", mode: 0o4755)
                tar.add("usr/bin/again", flag: "1", target: "usr/bin/run")
                tar.add("etc", flag: "2", target: "/nowhere")
                tar.add("proc/1", "x")
                tar.add("x", flag: "x", "23 mtime=1600000001.25\n")
                tar.add("usr/module.py", "pass")
            }
            // The archive is removed meanwhile: it is held open.
            let tree = "\(folder)/tree"
            try files.unpack(into: tree)
            var (first, second) = (stat(), stat())
            #expect(lstat("\(tree)/usr/bin/run", &first) == 0 && first.st_mode & 0o7777 == 0o4755)
            #expect(first.st_mtim.tv_sec == TestTar.modified, "or Python compiles its modules at each start")
            #expect(lstat("\(tree)/usr/module.py", &second) == 0 && second.st_mtim.tv_sec == 1_600_000_001)
            #expect(lstat("\(tree)/usr/bin/again", &second) == 0 && first.st_ino == second.st_ino)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(tree)/etc") == "/nowhere")
            #expect(access("\(tree)/proc", F_OK) == 0 && access("\(tree)/proc/1", F_OK) != 0)
        }
    }

    // MARK: What a board needs

    /// An archive that lacks nothing, but for the paths that contain one of these texts.
    private static func board(without missing: [String] = [], modules: [String]? = nil) -> TestTar {
        var tar = TestTar()
        let elf: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2] + [UInt8](repeating: 0, count: 13) + [62, 0]
        let kernel = [UInt8](repeating: 0, count: 0x202) + Array("HdrS".utf8)
        func add(_ path: String, _ content: [UInt8]) {
            if !missing.contains(where: path.contains) { tar.add(path, bytes: content, mode: 0o755) }
        }
        for path in ["libexec/bluetooth/bluetoothd", "sbin/hostapd", "bin/dbus-daemon", "bin/sh", "bin/setpriv"] {
            add("usr/\(path)", elf)
        }
        add("usr/share/dbus-1/system.d/bluetooth.conf", [])
        add("boot/vmlinuz-6.1.0", kernel)
        let all = [
            "virtio_pci", "virtio_console", "virtio_blk", "erofs", "overlay", "bluetooth", "hci_vhci", "cfg80211",
            "mac80211_hwsim", "cmac", "ecdh_generic", "algif_hash", "algif_skcipher", "ccm",
        ]
        let list = (modules ?? all).map { "kernel/\($0).ko.xz:\n" }.joined()
        add("usr/lib/modules/6.1.0/modules.dep", Array(list.utf8))
        add("usr/lib/modules/6.1.0/modules.builtin", Array("kernel/crypto/gcm.ko\n".utf8))
        return tar
    }

    private func lacks(_ tar: TestTar, withKernel: Bool = true) throws -> [String] {
        try withTemporaryFolder { folder in
            try tar.write(to: "\(folder)/x.tar")
            return try RootFileSystem(tar: "\(folder)/x.tar").lacks(withKernel: withKernel)
        }
    }

    @Test("What a board needs and the archive lacks is told by name, with what to do")
    func lacks() throws {
        #expect(try lacks(Self.board()) == [])
        for (name, text) in [
            ("bluetoothd", "it has no bluetoothd"), ("hostapd", "it has no hostapd"), ("setpriv", "util-linux"),
            ("dbus-daemon", "it has no dbus-daemon"), ("bluetooth.conf", "the D-Bus policy of bluetoothd"),
            ("vmlinuz", "put it at /boot/vmlinuz-6.1.0"), ("modules.dep", "run `depmod 6.1.0` in it"),
        ] {
            let lacks = try lacks(Self.board(without: [name]))
            #expect(lacks.count == 1 && lacks[0].contains(text), "\(name): \(lacks)")
        }
        #expect(try lacks(Self.board(without: ["modules"])).first?.contains("it has no kernel modules") == true)
        #expect(try lacks(Self.board(without: ["modules", "vmlinuz"]), withKernel: false) == [])
    }

    @Test("A kernel without Bluetooth is told by the names of what it lacks")
    func kernelWithoutBluetooth() throws {
        let lacks = try lacks(Self.board(modules: ["virtio_pci", "virtio_console", "virtio_blk", "erofs", "overlay"]))
        #expect(
            lacks.first
                == "its kernel 6.1.0 has no bluetooth (Bluetooth, CONFIG_BT): build it in or as a module")
        #expect(lacks.contains { $0.contains("hci_vhci") } && lacks.contains { $0.contains("mac80211_hwsim") })
        #expect(!lacks.contains { $0.contains("gcm") || $0.contains("erofs") }, "they are there")
    }

    @Test("Programs for another processor are told")
    func foreign() throws {
        var tar = Self.board(without: ["bin/sh"])
        tar.add("bin/sh", bytes: [0x7F, 0x45, 0x4C, 0x46, 2] + [UInt8](repeating: 0, count: 13) + [183, 0])
        #expect(
            try lacks(tar) == ["its programs are for ARM with 64 bits: build it for x86-64, the architecture of boards"]
        )
    }

    @Test("Modules are found with what they need, in the order of loading")
    func modules() {
        let modules = KernelModules(
            dependencies:
                "kernel/a/hci_vhci.ko.xz: kernel/b/bluetooth.ko.xz kernel/c/ecdh-generic.ko.xz\nkernel/d/x.ko:\n"
                + "kernel/b/bluetooth.ko.xz: kernel/c/ecdh-generic.ko.xz\nkernel/c/ecdh-generic.ko.xz:\n",
            builtIn: "kernel/fs/erofs/erofs.ko\n")
        #expect(
            modules["hci_vhci"]
                == .init(
                    path: "kernel/a/hci_vhci.ko.xz", needs: ["kernel/c/ecdh-generic.ko.xz", "kernel/b/bluetooth.ko.xz"])
        )
        #expect(
            modules.order(of: "hci_vhci").map(KernelModules.name) == ["ecdh_generic", "bluetooth", "hci_vhci"])
        let soft = KernelModules(
            dependencies: "a/erofs.ko: a/libcrc32c.ko\na/libcrc32c.ko:\na/crc32c-intel.ko:\na/crc32c_generic.ko:\n",
            builtIn: "",
            softDependencies: "# words\nsoftdep libcrc32c pre: crc32c post: z\nsoftdep crc32c_intel pre: erofs\n",
            aliases: "alias crc32c crc32c_generic\nalias crc32c crc32c_intel\nalias z erofs\n")
        #expect(
            soft.order(of: "erofs").map(KernelModules.name) == [
                "crc32c_generic", "crc32c_intel", "libcrc32c", "erofs",
            ],
            "what a module only wishes for comes first as well, and a circle ends")
        #expect(modules.has("erofs") && modules["erofs"] == nil && !modules.has("overlay") && modules.has("x"))
    }

    @Test("An archive of cpio is read as it was written; broken bytes are none")
    func cpio() throws {
        var archive = CPIOArchive()
        archive.entries = [
            .init(path: "bin", mode: 0o040755, content: []),
            .init(path: "bin/a", mode: 0o100755, content: [1, 2, 3, 4, 5]),
        ]
        let bytes = try #require(archive.encoded)
        #expect(CPIOArchive(bytes) == archive && bytes.count % 4 == 0)
        #expect(CPIOArchive([]) == nil && CPIOArchive(Array(bytes.dropLast(130))) == nil)
        for place in bytes.indices.prefix(120) {
            var broken = bytes
            broken[place] ^= 0xFF
            _ = CPIOArchive(broken)
        }
    }

    @Test("A mistake in the archive is a mistake of the command line, and lists all that it lacks")
    func mistake() async throws {
        try await withTemporaryFolder { (folder: String) async throws -> Void in
            try Self.board(without: ["hostapd", "vmlinuz"]).write(to: "\(folder)/x.tar")
            let own = OwnSystem(
                path: "\(folder)/x.tar", digest: "0123456789", recipe: folder, cache: Cache(folder: "\(folder)/cache"))
            let system = BoardSystem(.init(path: own.path, digest: own.digest)).adding(packages: ["python3"])
            #expect("\(system)" == "own-01234567+python3")
            let error = await #expect(throws: SystemMistake.self) {
                try await own.prepare(system, debian: BoardImage(folder: "/i"), withKernel: true) { _ in }
            }
            let lines = error?.description.split(separator: "\n") ?? []
            #expect(lines.first == "\(folder)/x.tar cannot be a board's root file system:")
            #expect(lines.count == 3, "\(lines)")
        }
    }
}

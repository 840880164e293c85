import BoardProtocol
import Testing

@testable import VirtualRig

@Suite("QEMU's command line")
struct QEMUCommandTests {
    private static func command(
        role: BoardRole = .host, accelerator: Accelerator = .tcg, folder: String = "/rig",
        memory: QEMUCommand.Memory = .empty
    ) -> [String] {
        QEMUCommand(
            role: role, parts: .sample(accelerator: accelerator), sockets: "\(folder)/\(role.rawValue)",
            disk: "\(folder)/\(role.rawValue)/disk", logs: "\(folder)/logs", memory: memory
        ).arguments
    }

    /// The values of an option, in order.
    private static func values(_ option: String, of arguments: [String]) -> [String] {
        zip(arguments, arguments.dropFirst()).filter { $0.0 == option }.map(\.1)
    }

    @Test("The serial ports come before all other virtio devices, in the order that the board expects")
    func portsComeFirst() {
        let devices = Self.values("-device", of: Self.command())
        #expect(devices.first == "virtio-serial-pci,id=ports")
        let ports = devices.filter { $0.hasPrefix("virtserialport") }
        #expect(
            ports
                == [("agent", 1), ("bluetooth", 2), ("wifi", 3), ("shell", 5), ("journal", 4)].map { name, number in
                    "virtserialport,bus=ports.0,nr=\(number),chardev=\(name),name=\(name)"
                })
    }

    @Test("Drives are read-only, the image before the agent; then comes the board's own disk, to write on")
    func drives() {
        let drives = Self.values("-drive", of: Self.command())
        #expect(drives.map { $0.hasSuffix("format=raw,readonly=on") } == [true, true, false])
        #expect(drives[2] == "if=none,id=vdc,file=/rig/host/disk,format=raw,cache=unsafe")
        #expect(drives[0].contains("file=/image/root.erofs,"))
        #expect(drives[1].contains("file=/agent.erofs,"))
    }

    @Test("The accessory board has a fourth disk of one size, so that a snapshot without a program restores with one")
    func payload() {
        func fourth(_ disk: String?) -> [String] {
            var parts = RigParts.sample()
            parts.payloadDisk = disk
            let command = QEMUCommand(
                role: .accessory, parts: parts, sockets: "/s", disk: "/d", logs: "/l", memory: .empty)
            return Array(Self.values("-drive", of: command.arguments).dropFirst(3))
        }
        #expect(fourth(nil) == ["if=none,id=vdd,driver=null-co,size=\(PayloadImage.size),read-zeroes=on,readonly=on"])
        #expect(fourth("/p,1") == ["if=none,id=vdd,file=/p,,1,format=raw,readonly=on"])
        #expect(
            RigParts.sample().snapshotKey
                == {
                    var parts = RigParts.sample()
                    parts.payloadDisk = "/p"
                    return parts.snapshotKey
                }())
    }

    @Test("Each board has the disk and the kernel of its own system")
    func systems() {
        var parts = RigParts.sample()
        parts.accessoryImage = BoardImage(folder: "/older")
        for (role, folder) in [(BoardRole.host, "/image"), (.accessory, "/older")] {
            let arguments = QEMUCommand(role: role, parts: parts, sockets: "/s", disk: "/d", logs: "/l", memory: .empty)
                .arguments
            #expect(Self.values("-drive", of: arguments)[0].contains("file=\(folder)/root.erofs,"))
            #expect(Self.values("-kernel", of: arguments) == ["\(folder)/kernel"])
            #expect(Self.values("-initrd", of: arguments) == ["\(folder)/initramfs"])
        }
    }

    @Test("Only the board that makes a snapshot writes its memory file")
    func memory() {
        func backend(_ memory: QEMUCommand.Memory) -> [String] {
            Self.values("-object", of: Self.command(memory: memory))
        }
        #expect(backend(.empty) == ["memory-backend-ram,id=ram,size=192M"])
        #expect(backend(.kept(file: "/s/m")) == ["memory-backend-file,id=ram,size=192M,share=on,mem-path=/s/m"])
        #expect(backend(.continued(file: "/s/m")) == backend(.kept(file: "/s/m")))
        func waits(_ memory: QEMUCommand.Memory) -> Bool { Self.command(memory: memory).contains("-incoming") }
        #expect(waits(.continued(file: "/s/m")) && waits(.copied(file: "/s/m")) && waits(.received))
        #expect(!waits(.kept(file: "/s/m")) && !waits(.empty))
        #expect(backend(.copied(file: "/s/m")) == ["memory-backend-file,id=ram,size=192M,share=off,mem-path=/s/m"])
    }

    @Test("A comma in a path does not end QEMU's option")
    func commas() {
        let sockets = Self.values("-chardev", of: Self.command(folder: "/a,b"))
        #expect(sockets.contains("socket,id=agent,path=/a,,b/host/agent.sock,server=on,wait=off"))
    }

    @Test("The board gets its role, and waits only if it is restored from a snapshot", arguments: BoardRole.allCases)
    func role(role: BoardRole) {
        let words = Self.values("-append", of: Self.command(role: role))[0].split(separator: " ")
        #expect(words.contains("hil.role=\(role.rawValue)"))
        #expect(!Self.command(role: role).contains("-incoming"))
        #expect(!Self.command(role: role, memory: .kept(file: "/m")).contains("-incoming"))
        #expect(Self.command(role: role, memory: .copied(file: "/m")).suffix(2) == ["-incoming", "defer"])
    }

    @Test("An emulated board's clock does not depend on a measurement that a busy machine spoils")
    func clock() {
        #expect(Self.values("-append", of: Self.command(accelerator: .tcg))[0].contains("tsc=unstable"))
        #expect(!Self.values("-append", of: Self.command(accelerator: .kvm))[0].contains("tsc="))
    }

    @Test("No network device, ever: the air is the only way between boards")
    func noNetwork() {
        let arguments = Self.command()
        #expect(arguments.contains("-nodefaults"))
        #expect(!arguments.contains { $0.contains("netdev") || $0.contains("virtio-net") || $0 == "-nic" })
    }
}

extension RigParts {
    /// Parts that do not exist.
    static func sample(
        image: String = "/image", agentDisk: String = "/agent.erofs", air: String = "a1r",
        accelerator: Accelerator = .tcg,
        qemuVersion: String = "QEMU 7.2", snapshot: Snapshot? = nil
    ) -> RigParts {
        RigParts(
            image: BoardImage(folder: image), agentDisk: agentDisk, rootCanal: "/rootcanal.so", air: air,
            accelerator: accelerator, qemuVersion: qemuVersion, snapshot: snapshot)
    }
}

@Suite("Keys in the cache")
struct KeyTests {
    @Test("The key of a snapshot changes with each of its parts")
    func snapshotKey() {
        var older = RigParts.sample()
        older.accessoryImage = BoardImage(folder: "/older")
        var swapped = RigParts.sample(image: "/older")
        swapped.accessoryImage = BoardImage(folder: "/image")
        let keys: Set = [
            older.snapshotKey, swapped.snapshotKey,
            RigParts.sample().snapshotKey, RigParts.sample(image: "/other").snapshotKey,
            RigParts.sample(agentDisk: "/other").snapshotKey, RigParts.sample(accelerator: .kvm).snapshotKey,
            RigParts.sample(qemuVersion: "QEMU 10.0").snapshotKey, RigParts.sample(air: "other").snapshotKey,
        ]
        #expect(keys.count == 8)
        #expect(RigParts.sample().snapshotKey == RigParts.sample(snapshot: Snapshot(folder: "/s")).snapshotKey)
    }

    @Test("An image that is built again under the same name needs a new snapshot")
    func rebuiltImage() throws {
        try withTemporaryFolder { folder in
            let keys = try ["packages of today", "packages of tomorrow"].map { content in
                try write(content, to: "\(folder)/root.erofs")
                try Seal(of: folder).make(for: ["root.erofs"])
                return RigParts.sample(image: folder).snapshotKey
            }
            #expect(keys[0] != keys[1])
        }
    }

    @Test("A recipe's key depends on the names, contents and borders of its files")
    func recipeKey() throws {
        try withTemporaryFolder { folder in
            try write("one", to: "\(folder)/a")
            try write("two", to: "\(folder)/b")
            let before = try Fingerprint.ofFolder(folder)
            #expect(try Fingerprint.ofFolder(folder) == before)
            try write("onet", to: "\(folder)/a")
            try write("wo", to: "\(folder)/b")
            #expect(try Fingerprint.ofFolder(folder) != before)
        }
        #expect(Fingerprint.of("ab", "c") != Fingerprint.of("a", "bc"))
    }

    @Test("SHA-256 comes from coreutils")
    func hash() async throws {
        try await withTemporaryFolder { folder in
            try write("abc", to: "\(folder)/abc")
            let hash = try await sha256(of: "\(folder)/abc", for: "a test")
            #expect(hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        }
    }
}

import RigModel

extension RootFileSystem {
    /// The programs that a board needs in its system, and how to add them.
    private static let programs: [(what: String, places: [String], remedy: String)] = [
        (
            "bluetoothd", ["usr/libexec/bluetooth", "usr/lib/bluetooth", "usr/sbin"].map { "\($0)/bluetoothd" },
            "install BlueZ (Debian's package bluez)"
        ),
        (
            "the D-Bus policy of bluetoothd", ["etc", "usr/share"].map { "\($0)/dbus-1/system.d/bluetooth.conf" },
            "install BlueZ's bluetooth.conf beside bluetoothd"
        ),
        ("dbus-daemon", inPath("dbus-daemon"), "install D-Bus (Debian's package dbus)"),
        ("hostapd", inPath("hostapd"), "install it (Debian's package hostapd)"),
        ("sh", inPath("sh"), "install a shell (Debian's package dash)"),
        ("setpriv", inPath("setpriv"), "install it (Debian's package util-linux)"),
    ]

    /// Kernel modules that a board needs, and their purpose. Built-in ones also count.
    private static let modules = [
        ("virtio_pci", "the bus of a virtual board, CONFIG_VIRTIO_PCI"),
        ("virtio_console", "its ports to the runner, CONFIG_VIRTIO_CONSOLE"),
        ("virtio_blk", "its disks, CONFIG_VIRTIO_BLK"), ("erofs", "its root file system, CONFIG_EROFS_FS"),
        ("overlay", "a layer of memory above it, CONFIG_OVERLAY_FS"), ("bluetooth", "Bluetooth, CONFIG_BT"),
        ("hci_vhci", "a virtual Bluetooth controller, CONFIG_BT_HCIVHCI"), ("cfg80211", "Wi-Fi, CONFIG_CFG80211"),
        ("mac80211_hwsim", "a virtual Wi-Fi radio, CONFIG_MAC80211_HWSIM"), ("cmac", "pairing, CONFIG_CRYPTO_CMAC"),
        ("ecdh_generic", "pairing, CONFIG_CRYPTO_ECDH"), ("algif_hash", "bluetoothd, CONFIG_CRYPTO_USER_API_HASH"),
        ("algif_skcipher", "bluetoothd, CONFIG_CRYPTO_USER_API_SKCIPHER"), ("ccm", "WPA2, CONFIG_CRYPTO_CCM"),
        ("gcm", "WPA3, CONFIG_CRYPTO_GCM"),
    ]

    private static func inPath(_ name: String) -> [String] {
        ["usr/sbin", "usr/bin", "sbin", "bin"].map { "\($0)/\(name)" }
    }

    /// The missing parts of a board, a line each, with the remedy.
    ///
    /// - Parameter withKernel: Whether the board runs its kernel. A native board has its own kernel.
    func lacks(withKernel: Bool) throws -> [String] {
        var lacks: [String] = []
        for (what, places, remedy) in RootFileSystem.programs where !places.contains(where: hasFile) {
            lacks.append("it has no \(what) (looked for \(places.map { "/\($0)" }.joined(separator: ", "))): \(remedy)")
        }
        if let machine = try foreignMachine() {
            lacks.append("its programs are for \(machine): build it for x86-64, the architecture of boards")
        }
        if withKernel { lacks += try kernelLacks() }
        return lacks
    }

    /// The processor architecture of its shell, if that is not x86-64 (elf(5): e_machine is at 18).
    private func foreignMachine() throws -> String? {
        guard let shell = RootFileSystem.inPath("sh").first(where: hasFile),
            let start = try content(of: shell, upTo: 20), start.count == 20,
            start.starts(with: [0x7F, 0x45, 0x4C, 0x46])
        else { return nil }
        let names: [UInt8: String] = [3: "x86 with 32 bits", 40: "ARM", 183: "ARM with 64 bits", 243: "RISC-V"]
        return start[18] == 62 && start[19] == 0 ? nil : names[start[18]] ?? "another processor (\(start[18]))"
    }

    private func kernelLacks() throws -> [String] {
        guard let version = kernelVersions.first else {
            return ["it has no kernel modules: put them into /usr/lib/modules/VERSION, as `make modules_install` does"]
        }
        if kernelVersions.count > 1 {
            return ["it has the modules of \(kernelVersions.count) kernels: remove all but one of /usr/lib/modules/*"]
        }
        var lacks: [String] = []
        if try kernel() == nil {
            lacks.append("it has no kernel for x86-64: put it at /boot/vmlinuz-\(version), as `make install` does")
        }
        guard let modules = try kernelModules() else {
            return lacks + ["its modules have no list: run `depmod \(version)` in it"]
        }
        for (name, purpose) in RootFileSystem.modules where !modules.has(name) {
            lacks.append("its kernel \(version) has no \(name) (\(purpose)): build it in or as a module")
        }
        return lacks
    }

    // MARK: The kernel

    /// The folders of kernel modules, by the versions of the kernels.
    var kernelVersions: [String] {
        ["usr/lib/modules", "lib/modules"].map { names(in: $0).filter { $0.first?.isNumber == true } }
            .first { !$0.isEmpty } ?? []
    }

    /// The folder of the modules, from the root.
    var modulesFolder: String? {
        kernelVersions.first.flatMap { version in
            ["usr/lib/modules", "lib/modules"].lazy.compactMap { resolve("\($0)/\(version)") }.first
        }
    }

    /// The lists of modules; nil if depmod never ran.
    func kernelModules() throws -> KernelModules? {
        guard let folder = modulesFolder, hasFile("\(folder)/modules.dep") else { return nil }
        func text(_ name: String) throws -> String {
            String(decoding: try content(of: "\(folder)/modules.\(name)", upTo: 64 << 20) ?? [], as: UTF8.self)
        }
        return KernelModules(
            dependencies: try text("dep"), builtIn: try text("builtin"), softDependencies: try text("softdep"),
            aliases: try text("alias"))
    }

    /// The path of the kernel: a compressed one (Documentation/arch/x86/boot.rst, “HdrS” at 0x202) or an ELF file.
    func kernel() throws -> String? {
        let version = kernelVersions.first ?? ""
        let places = ["boot/vmlinuz-\(version)", "boot/bzImage-\(version)", "boot/vmlinuz", "boot/bzImage", "vmlinuz"]
        return try places.first { place in
            guard let start = try content(of: place, upTo: 0x206), start.count == 0x206 else { return false }
            return Array(start[0x202...]) == Array("HdrS".utf8)
                || start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) && start[18] == 62
        }
    }

    /// The names of its Debian packages; nil if it has no package list.
    func packages() throws -> Set<String>? {
        guard let status = try content(of: "var/lib/dpkg/status", upTo: 64 << 20) else { return nil }
        var names: Set<String> = []
        var name = ""
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("Package: ") { name = String(line.dropFirst(9)) }
            if line.hasPrefix("Status: "), line.hasSuffix(" installed") { names.insert(name) }
        }
        return names
    }
}

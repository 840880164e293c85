import BoardAgent
import BoardProtocol
import Glibc
import HILBlueZ
import HILPOSIX

extension BoardFacts {
    /// The programs that a run needs, and their Debian packages.
    static let programs = [
        ("bluetoothd", "bluez"), ("hostapd", "hostapd"), ("wpa_supplicant", "wpasupplicant"),
        ("dnsmasq", "dnsmasq-base"), ("busybox", "busybox"), ("iw", "iw"), ("unshare", "util-linux"),
        ("avahi-daemon", "avahi-daemon"),
    ]

    /// Looks at this board, and changes nothing.
    ///
    /// - Parameters:
    ///   - choice: Which radios runs use.
    ///   - loginAddress: The board's address of the login; nil without a login.
    static func read(choice: BoardRadios.Choice, loginAddress: String?) async -> BoardFacts {
        var facts = BoardFacts(version: KeeperProtocol.version)
        facts.system = systemName()
        facts.boot = SmallFile.text("/proc/sys/kernel/random/boot_id") ?? ""
        facts.clock = wallClockNanoseconds()
        var system = utsname()
        if uname(&system) == 0 {
            facts.machine = withUnsafeBytes(of: &system.machine) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        facts.adapters = await adapters(choice)
        facts.radios = await radios(choice, loginAddress)
        facts.country = await country()
        facts.versions = await BoardDaemons.versions()
        facts.missing = programs.filter { program, _ in
            program == "bluetoothd" ? !hasBluetoothDaemon : !SystemProgram.isInstalled(program)
        }.map(\.1)
        facts.freeDisk = Int((freeRoom ?? 0) / 1_000_000)
        for service in ConflictingServices.units where await ConflictingServices.isActive(service) {
            facts.services.append(service)
        }
        do throws(KeeperFailure) { _ = try BoardRadios(of: facts) } catch { facts.obstacles = [error] }
        return facts
    }

    /// The free bytes of `/run`, where a run keeps all its files; nil if unknown.
    static var freeRoom: UInt64? {
        var room = statvfs()
        return statvfs("/run", &room) == 0 ? UInt64(room.f_bavail) * UInt64(room.f_frsize) : nil
    }

    private static var hasBluetoothDaemon: Bool {
        ["/usr/libexec/bluetooth", "/usr/lib/bluetooth", "/usr/sbin"].contains { access("\($0)/bluetoothd", X_OK) == 0 }
    }

    private static func systemName() -> String {
        let lines = (SmallFile.text("/etc/os-release") ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("PRETTY_NAME=") }) else { return "" }
        return line.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }
    }

    private static func adapters(_ choice: BoardRadios.Choice) async -> [Adapter] {
        let numbers = ManagementChannel.controllers
        guard !numbers.isEmpty, let channel = try? ManagementChannel({ _, _ in }) else { return [] }
        defer { channel.close() }
        var adapters: [Adapter] = []
        for number in numbers {
            let information = await channel.information(of: number)
            // The kernel's management interface hides a controller that a program has for itself.
            let address = information?.address ?? ControllerQuery.address(of: number)?.description ?? ""
            let folder = "/sys/class/bluetooth/hci\(number)"
            var adapter = Adapter(
                name: "hci\(number)", address: address,
                bus: SmallFile.target(of: "\(folder)/device/driver") ?? "virtual",
                isBlocked: isBlocked(folder), isChosen: choice.adapter.map { $0.uppercased() == address } ?? true)
            if adapter.isChosen, information?.isPowered == true { adapter.abilities = await abilities(of: number) }
            adapters.append(adapter)
        }
        return adapters
    }

    /// Asks the controller of an adapter that is on; nil if it does not answer.
    private static func abilities(of adapter: UInt16) async -> Adapter.Abilities? {
        guard let found = try? await ControllerQuery.abilities(of: adapter) else { return nil }
        return Adapter.Abilities(features: found.features, states: found.states)
    }

    private static func radios(_ choice: BoardRadios.Choice, _ loginAddress: String?) async -> [Radio] {
        // A monitor interface, as a run adds it, is a second view of a radio (ARPHRD_IEEE80211_RADIOTAP).
        let names = SmallFile.names(in: "/sys/class/net").filter {
            access("/sys/class/net/\($0)/phy80211", F_OK) == 0 && SmallFile.text("/sys/class/net/\($0)/type") != "803"
        }
        let login = loginAddress.flatMap { interface(withAddress: $0) }
        var radios: [Radio] = []
        for name in names {
            let folder = "/sys/class/net/\(name)"
            let phy = SmallFile.text("\(folder)/phy80211/name") ?? ""
            let text = (try? await SystemProgram.run(["iw", "phy", phy, "info"], within: .seconds(10)))?.output ?? ""
            let able = RadioAbilities(iwText: text)
            let driver = SmallFile.target(of: "\(folder)/device/driver") ?? ""
            radios.append(
                Radio(
                    name: name, address: address(in: folder), driver: driver,
                    isBlocked: isBlocked("\(folder)/phy80211"), isChosen: choice.interface.map { $0 == name } ?? true,
                    hasAccessPoint: able.hasAccessPoint, hasMonitor: able.hasMonitor, bands: able.bands,
                    carriesLogin: name == login,
                    sharesChip: able.bands == [2.4] || RadioAbilities.combinationDrivers.contains(driver)))
        }
        return radios
    }

    /// The permanent address of a radio: NetworkManager gives its interface another one while it looks for networks.
    private static func address(in folder: String) -> String {
        (SmallFile.text("\(folder)/phy80211/macaddress") ?? SmallFile.text("\(folder)/address") ?? "").uppercased()
    }

    /// Whether rfkill keeps a radio off, by a switch in software or in hardware.
    private static func isBlocked(_ folder: String) -> Bool {
        SmallFile.names(in: folder).filter { $0.hasPrefix("rfkill") }.contains {
            SmallFile.text("\(folder)/\($0)/soft") == "1" || SmallFile.text("\(folder)/\($0)/hard") == "1"
        }
    }

    /// The interface that has an IP address; nil if none has.
    private static func interface(withAddress address: String) -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next?.pointee {
            defer { next = entry.ifa_next }
            guard let socket = entry.ifa_addr else { continue }
            let family = Int32(socket.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            guard getnameinfo(socket, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // A link-local address has its interface after a percent sign.
            if text.prefix(while: { $0 != "%" }) == address.prefix(while: { $0 != "%" }) {
                return String(cString: entry.ifa_name)
            }
        }
        return nil
    }

    private static func country() async -> String {
        let lines = (try? await SystemProgram.run(["iw", "reg", "get"], within: .seconds(10)))?.lines ?? []
        let line = lines.first { $0.hasPrefix("country ") }
        return line.map { String($0.dropFirst("country ".count).prefix { $0 != ":" }) } ?? ""
    }
}

/// The abilities of a Wi-Fi radio, from the output of `iw phy PHY info`.
struct RadioAbilities: Sendable, Equatable {
    /// Drivers of chips that also have Bluetooth, behind one antenna.
    static let combinationDrivers: Set = [
        "brcmfmac", "iwlwifi", "mwifiex_sdio", "rtw_8821cu", "rtw88_8821cu", "wcn36xx",
    ]

    var hasAccessPoint = false
    var hasMonitor = false
    /// In GHz.
    var bands: [Double] = []

    init(iwText text: String) {
        var section = ""
        for line in text.split(separator: "\n") {
            let indent = line.prefix { $0 == "\t" }.count
            let words = line.drop { $0 == "\t" || $0 == " " }
            if indent == 1 { section = String(words) }
            if section.hasPrefix("Supported interface modes") {
                if words == "* AP" { hasAccessPoint = true }
                if words == "* monitor" { hasMonitor = true }
            }
            // `* 2412.0 MHz [1] (20.0 dBm)`; older versions of iw print no fraction.
            guard words.hasPrefix("* "), words.contains(" MHz ["), !words.contains("disabled"),
                let frequency = words.dropFirst(2).split(separator: " ").first.flatMap({ Double($0) })
            else { continue }
            let band = frequency < 3000 ? 2.4 : frequency < 5925 ? 5 : 6
            if !bands.contains(band) { bands.append(band) }
        }
    }
}

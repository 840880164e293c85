import Glibc
import HILCNetlink
import HILPOSIX
import HILTiming
import RadioModel

/// A Wi-Fi network interface.
package struct WirelessInterface: Sendable, Hashable {
    package var name: String
    /// The kernel's number for the interface.
    package var index: UInt32
    /// The kernel's number for the interface's radio.
    package var radio: UInt32
    package var address: DeviceAddress

    /// Parses the attributes of an `NL80211_CMD_NEW_INTERFACE` message; nil if it is not a network interface.
    init?(attributes bytes: [UInt8]) {
        let attributes = NetlinkAttributes(bytes)
        guard let name = attributes.text(NL80211_ATTR_IFNAME.rawValue), !name.isEmpty,
            let index: UInt32 = attributes.number(NL80211_ATTR_IFINDEX.rawValue),
            let radio: UInt32 = attributes.number(NL80211_ATTR_WIPHY.rawValue),
            let address = attributes.values[NL80211_ATTR_MAC.rawValue].flatMap({ DeviceAddress(bytes: $0) })
        else { return nil }
        self.name = name
        self.index = index
        self.radio = radio
        self.address = address
    }

    /// Whether the radio is simulated by the kernel (mac80211_hwsim).
    package var isSimulated: Bool {
        var target = [UInt8](repeating: 0, count: 256)
        let count = readlink("/sys/class/net/\(name)/device/driver", &target, target.count)
        return count > 0 && String(decoding: target.prefix(count), as: UTF8.self).hasSuffix("/mac80211_hwsim")
    }
}

extension WirelessInterface {
    /// The longest frame of the largest fragmentation threshold, in bytes: no frame of an IP network is longer.
    private static let longestThreshold: UInt32 = 2346

    /// The interface with this address; nil if there is none.
    package static func find(_ address: DeviceAddress) throws(NetlinkError) -> WirelessInterface? {
        try NetlinkSocket().interfaces().first { $0.address == address }
    }

    /// Makes a simulated radio use the kernel's ordinary path for its frames, not the fast path.
    ///
    /// On the fast path, mac80211 (7.2) reserves no room for the checksum of a frame that mac80211_hwsim encrypts. If a
    /// packet fills its buffer, each try is dropped with a warning in `ieee80211_crypto_ccmp_encrypt`, and its TCP
    /// connection stalls for good. A fragmentation threshold disables that path. A threshold that no frame reaches
    /// changes nothing else.
    ///
    package func useOrdinaryWay() throws(NetlinkError) {
        _ = try NetlinkSocket().request(
            NL80211_CMD_SET_WIPHY,
            [(NL80211_ATTR_IFINDEX, bytes(index)), (NL80211_ATTR_WIPHY_FRAG_THRESHOLD, bytes(Self.longestThreshold))],
            "setting the fragmentation threshold of \(name)")
    }
}

extension NetlinkSocket {
    /// The interfaces of all radios, sorted by number.
    fileprivate func interfaces() throws(NetlinkError) -> [WirelessInterface] {
        try request(NL80211_CMD_GET_INTERFACE, [], isDump: true, "listing the Wi-Fi interfaces")
            .compactMap { WirelessInterface(attributes: $0) }.sorted { $0.index < $1.index }
    }
}

/// The kernel's Wi-Fi, used through nl80211.
package actor WirelessStack {
    let socket: NetlinkSocket

    package init() throws(NetlinkError) { socket = try NetlinkSocket() }

    /// The interfaces of all radios, sorted by number.
    package func interfaces() throws(NetlinkError) -> [WirelessInterface] {
        try socket.interfaces()
    }

    /// Waits for the first interface, or for the one with this name or address, and returns it.
    ///
    /// - Throws: `TimedOut` if it does not exist within `limit`; ``NetlinkError``.
    package func interface(
        named name: String? = nil, at address: DeviceAddress? = nil, within limit: Duration
    ) async throws -> WirelessInterface {
        // Subscribe before the first look, so that no new interface is missed.
        let news = try NetlinkNews()
        return try await withDeadline(
            limit, waitingFor: "the Wi-Fi interface \(name ?? address?.description ?? "of any name")"
        ) {
            while true {
                let there = try await self.interfaces()
                if let found = there.first(where: {
                    (name ?? $0.name) == $0.name && (address ?? $0.address) == $0.address
                }) {
                    return found
                }
                try await news.next()
            }
        }
    }

    /// Moves a radio of this process's network into that of this stack, unless one is there already.
    ///
    /// - Parameters:
    ///   - name: The name of its interface; nil for any.
    ///   - address: The address of its interface; nil for any.
    ///   - namespace: The network of this stack.
    package func take(
        _ name: String?, at address: DeviceAddress?, into namespace: NetworkNamespace, within limit: Duration
    ) async throws {
        guard try interfaces().isEmpty else { return }
        let outside = try WirelessStack()
        let found = try await outside.interface(named: name, at: address, within: limit)
        try await outside.move(radio: found.radio, into: namespace)
    }

    /// Moves the radios of this stack, which is in a network of its own, into that of this process.
    ///
    /// The kernel does so too, but only when the stack's network ends. A TCP connection whose peer has left the air delays
    /// that for up to a minute.
    package func giveBack() throws {
        let process = try NetworkNamespace(at: NetworkNamespace.pathOfThisProcess)
        for radio in Set(try interfaces().map(\.radio)) { try move(radio: radio, into: process) }
    }

    /// Moves a radio with its interfaces into another network namespace. When the namespace ends, it is back here.
    package func move(radio: UInt32, into namespace: NetworkNamespace) throws(NetlinkError) {
        _ = try socket.request(
            NL80211_CMD_SET_WIPHY_NETNS,
            [
                (NL80211_ATTR_WIPHY, bytes(radio)),
                (NL80211_ATTR_NETNS_FD, bytes(UInt32(bitPattern: namespace.descriptor.raw))),
            ], "moving a Wi-Fi radio into a network of its own")
    }

    /// Waits until an interface of this board is an access point of this name.
    package func waitForAccessPoint(_ ssid: String) async throws {
        let news = try NetlinkNews(of: ["config", "mlme"])
        while !(try hasAccessPoint(ssid)) { try await news.next() }
    }

    private func hasAccessPoint(_ ssid: String) throws(NetlinkError) -> Bool {
        try socket.request(NL80211_CMD_GET_INTERFACE, [], isDump: true, "listing the Wi-Fi interfaces").contains {
            let attributes = NetlinkAttributes($0)
            let type: UInt32? = attributes.number(NL80211_ATTR_IFTYPE.rawValue)
            guard type == NL80211_IFTYPE_AP.rawValue else { return false }
            return attributes.values[NL80211_ATTR_SSID.rawValue].map(Array.init) == Array(ssid.utf8)
        }
    }

    /// Adds an interface to a radio.
    package func addInterface(named name: String, on radio: UInt32, address: DeviceAddress) throws(NetlinkError) {
        _ = try socket.request(
            NL80211_CMD_NEW_INTERFACE,
            [
                (NL80211_ATTR_WIPHY, bytes(radio)), (NL80211_ATTR_IFNAME, Array(name.utf8) + [0]),
                (NL80211_ATTR_IFTYPE, bytes(NL80211_IFTYPE_STATION.rawValue)), (NL80211_ATTR_MAC, address.bytes),
            ], "making the Wi-Fi interface \(name)")
    }

    /// Removes an interface that ``addInterface(named:on:address:)`` added.
    package func removeInterface(_ index: UInt32) throws(NetlinkError) {
        _ = try socket.request(
            NL80211_CMD_DEL_INTERFACE, [(NL80211_ATTR_IFINDEX, bytes(index))], "removing a Wi-Fi interface")
    }

    /// The networks that an interface has heard, strongest first.
    ///
    /// - Parameter since: Leaves out networks that were last heard before this time, nanoseconds since the board's
    ///   boot.
    package func networks(heardBy index: UInt32, since: UInt64) throws(NetlinkError) -> [WiFiNetwork] {
        try socket.request(
            NL80211_CMD_GET_SCAN, [(NL80211_ATTR_IFINDEX, bytes(index))], isDump: true, "reading the scan's results"
        )
        .compactMap { ScanResult(attributes: $0) }
        .filter { ($0.lastHeard ?? .max) >= since }
        .map(\.network)
        .sorted { $0.signal > $1.signal }
    }
}

/// A number as an attribute of netlink: in the machine's byte order.
func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

/// Waits for radios and interfaces that appear or disappear, through nl80211.
final class NetlinkNews: Sendable {
    /// A copy of the socket's descriptor. The content of the messages is not used.
    private let descriptor: Descriptor
    /// Keeps the subscription alive. Not used after `init`.
    private nonisolated(unsafe) let socket: NetlinkSocket

    /// - Parameter groups: nl80211's groups of notifications.
    init(of groups: [String] = ["config"]) throws {
        socket = try NetlinkSocket()
        for group in groups { try socket.subscribe(to: group) }
        let raw = socket.descriptor
        descriptor = Descriptor(adopting: try valueOrErrno("dup", "copying a netlink socket") { dup(raw) })
        try descriptor.setNonBlocking()
    }

    func next() async throws {
        try await waitUntilReady(descriptor)
        while (try? descriptor.read()) != nil {}
    }
}

import HILRecord
import StubRig

/// Whom the IP packets of stations are for, as tshark decrypts them with the keys beside a capture.
struct StationPackets {
    /// How many there are, without those for groups.
    private(set) var count = 0
    /// Those whose IP address is not that of the station that they are sent to, such as of a host on the internet.
    private(set) var astray: Set<String> = []

    /// - Parameters:
    ///   - folder: That of an attempt.
    ///   - stations: The addresses of the stations.
    init(in folder: String, of stations: [String]) async {
        guard !stations.isEmpty else { return }
        let owners = await Self.fields(["arp.src.proto_ipv4", "arp.src.hw_mac"], of: "arp", in: folder)
        let known = Set(owners.map { "\($0[0]) \($0[1])" })
        let senders = stations.map { "wlan.sa == \($0)" }.joined(separator: " || ")
        for packet in await Self.fields(["ip.dst", "wlan.da"], of: "ip && (\(senders))", in: folder) {
            // The lowest bit of the first byte marks a group.
            guard let first = UInt8(packet[1].prefix(2), radix: 16), first & 1 == 0 else { continue }
            count += 1
            if !known.contains("\(packet[0]) \(packet[1])") { astray.insert("\(packet[0]) by \(packet[1])") }
        }
    }

    private static func fields(_ names: [String], of filter: String, in folder: String) async -> [[Substring]] {
        let output = await Shell.output(
            [
                "env", "WIRESHARK_CONFIG_DIR=\(folder)", "tshark", "-o", "wlan.enable_decryption:TRUE", "-r",
                "\(folder)/capture.pcapng", "-Y", filter, "-T", "fields", "-E", "occurrence=f", "-E", "separator=/s",
            ] + names.flatMap { ["-e", $0] })
        return (output ?? "").split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count == names.count }
    }
}

import HIL
import LanternApp

let hostilePackets = Scenario(
    "Bytes that are not a command are refused, and the lantern works on", .tags(.robustness), .accessory(.lantern),
    .needs(.homeNetwork)
) { lab in
    try await lab.homeNetwork.open()
    let (_, app) = try await lab.addedLantern()
    let packets: [(String, [[UInt8]], Improv.Refusal)] = [
        ("a wrong checksum", [[2, 0, 0]], .invalidPacket),
        ("a name that is longer than the data", [[1, 2, 0xFF, 0x61, 0x63]], .invalidPacket),
        ("credentials of no bytes", [[1, 0, 1]], .invalidPacket),
        ("bytes after the checksum", [[2, 0, 2, 0]], .invalidPacket),
        ("a command with unexpected data", [[2, 1, 0, 3]], .invalidPacket),
        ("an unknown command", [[0x7F, 0, 0x7F]], .unknownCommand),
        (
            "the longest packet",
            Improv.parts(of: Data([1, 255] + [UInt8](repeating: 0, count: 256))).map(Array.init), .invalidPacket
        ),
    ]
    for (what, parts, refusal) in packets {
        try await lab.step(what, within: .seconds(10)) {
            try await lab.expect(throwing: Improv.Refusal.self, "it is refused", where: { $0 == refusal }) {
                _ = try await app.link.send(parts.map { Data($0) })
            }
        }
    }
    lab.expect(app.link.state, equals: .authorized, "they did not change its state")
    try await lab.provision(app)
}

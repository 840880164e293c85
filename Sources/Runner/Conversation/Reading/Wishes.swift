import HILBluetoothHost
import RadioModel

/// The parameters of a request to connect.
struct ConnectionWish {
    var parameters: ConnectionParameters
    /// In units of 0.625 ms.
    var interval, window: UInt16
    /// As in the command: 0 public, 1 random, 2 and 3 resolvable.
    var ownAddress: UInt8

    /// - Parameters:
    ///   - opcode: LE Create Connection or LE Extended Create Connection.
    ///   - reader: Its parameters. Of several PHYs the first counts.
    init(_ opcode: HCIOpcode, _ reader: inout PacketReader) throws(Malformed) {
        if opcode == .leCreateConnection {
            (interval, window) = (try reader.uint16(), try reader.uint16())
            _ = try reader.bytes(8)
            ownAddress = try reader.uint8()
        } else {
            _ = try reader.uint8()
            ownAddress = try reader.uint8()
            _ = try reader.bytes(8)
            (interval, window) = (try reader.uint16(), try reader.uint16())
        }
        parameters = try ConnectionWish.parameters(&reader)
    }

    static func parameters(_ reader: inout PacketReader) throws(Malformed) -> ConnectionParameters {
        ConnectionParameters(
            shortestInterval: try reader.uint16(), longestInterval: try reader.uint16(), latency: try reader.uint16(),
            timeout: try reader.uint16())
    }

    /// `30 ms, latency 0, supervision timeout 720 ms`.
    static func text(_ interval: UInt16, _ latency: UInt16, _ timeout: UInt16) -> String {
        "\(Decimal.text(Double(interval) * 1.25)) ms, latency \(latency), supervision timeout \(Int(timeout) * 10) ms"
    }
}

/// The parameters of a scan.
struct ScanWish {
    var isActive: Bool
    /// In units of 0.625 ms.
    var interval, window: UInt16

    /// - Parameters:
    ///   - opcode: LE Set Scan Parameters or LE Set Extended Scan Parameters.
    ///   - reader: Its parameters. Of several PHYs the first counts.
    init(_ opcode: HCIOpcode, _ reader: inout PacketReader) throws(Malformed) {
        if opcode != .leSetScanParameters { _ = try reader.bytes(3) }
        isActive = try reader.uint8() == 1
        (interval, window) = (try reader.uint16(), try reader.uint16())
    }

    var values: [(String, String)] {
        [("scan", ScanWish.text(interval, window)), ("form", isActive ? "active" : "passive")]
    }

    /// `30 of 40 ms`.
    static func text(_ interval: UInt16, _ window: UInt16) -> String {
        "\(Decimal.text(Double(window) * 0.625)) of \(Decimal.text(Double(interval) * 0.625)) ms"
    }
}

enum PHYText {
    /// The PHYs of a set, as commands and the link layer have it: `1M, 2M`.
    static func set(_ bits: UInt8) -> String {
        let names = [(UInt8(1), "1M"), (2, "2M"), (4, "Coded")].filter { bits & $0.0 != 0 }.map(\.1)
        return names.isEmpty ? "any" : names.joined(separator: ", ")
    }
}

enum AddressText {
    /// What an address shows of its owner (Core Specification 6.0, Vol 6, Part B, 1.3).
    static func kind(_ address: PeerAddress) -> String {
        guard address.isRandom else { return "public" }
        switch address.address.bytes[0] >> 6 {
        case 3: return "random and static"
        case 1: return "resolvable and private"
        case 0: return "private without a key"
        default: return "random, of a reserved kind"
        }
    }

    /// The address if its owner keeps it; nil for a private one, which changes.
    static func identity(_ address: PeerAddress) -> String? {
        !address.isRandom || address.address.bytes[0] >> 6 == 3 ? "\(address.address)" : nil
    }
}

enum Decimal {
    /// A number with as many decimals as it needs, three at most.
    static func text(_ number: Double) -> String {
        let thousandths = Int((number * 1000).rounded())
        let (whole, rest) = (thousandths / 1000, thousandths % 1000)
        guard rest != 0 else { return "\(whole)" }
        var digits = String(1000 + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}

/// The parts of an advertisement (Core Specification Supplement, Part A).
struct AdvertisementParts {
    let values: [(String, String)]

    /// - Parameter data: Hostile: a part may be longer than the rest.
    init(_ data: [UInt8]) {
        var types: [String] = []
        var name: String?
        var rest = data[...]
        while let length = rest.first, length > 0, rest.count > Int(length), let type = rest.dropFirst().first {
            let value = rest.dropFirst(2).prefix(Int(length) - 1)
            types.append("0x\(Hex.text([type]))")
            if type == 0x08 || type == 0x09 { name = String(decoding: value, as: UTF8.self) }
            rest = rest.dropFirst(Int(length) + 1)
        }
        let plain = name.map { String($0.unicodeScalars.filter { $0.properties.generalCategory != .control }) }
        values = [("parts", types.joined(separator: " "))] + (plain.map { [("name", $0)] } ?? [])
    }
}

import RadioModel

/// The elements of a management frame (IEEE 802.11-2020, 9.4.2).
struct WiFiElements {
    private struct Element {
        var number: UInt8
        var value: ArraySlice<UInt8>
    }

    private var all: [Element] = []

    /// - Parameter bytes: Hostile: an element may be longer than the rest, and is left out.
    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let number = rest.first, let length = rest.dropFirst().first, all.count < 256 {
            let value = rest.dropFirst(2).prefix(Int(length))
            guard value.count == Int(length) else { return }
            all.append(Element(number: number, value: value))
            rest = rest.dropFirst(2 + Int(length))
        }
    }

    private func first(_ number: UInt8) -> ArraySlice<UInt8>? { all.first { $0.number == number }?.value }

    private func vendor(_ company: [UInt8], _ type: UInt8) -> ArraySlice<UInt8>? {
        all.first { $0.number == 221 && Array($0.value.prefix(4)) == company + [type] }?.value.dropFirst(4)
    }

    /// The name of the network, in one line; nil if there is none, empty for any network, or for a hidden one.
    var network: String? {
        first(0).map { name in
            let isHidden = name.allSatisfy { $0 == 0 }
            return isHidden ? "" : OneLine.text(name.prefix(32))
        }
    }

    /// Megabits per second, each once, in their order: `1, 2, 5.5, 11`.
    var rates: String {
        let values = Array(first(1) ?? []) + Array(first(50) ?? [])
        // Two values are no rates: 127 and 123 say that a station must know more.
        return values.filter { $0 & 0x7F < 120 }.prefix(32).map { Decimal.text(Double($0 & 0x7F) / 2) }
            .joined(separator: ", ")
    }

    /// What it can do: `n, ac, ax`.
    var standards: String {
        func has(_ number: UInt8) -> Bool { first(number) != nil }
        func hasExtended(_ number: UInt8) -> Bool { all.contains { $0.number == 255 && $0.value.first == number } }
        let names = [("n", has(45)), ("ac", has(191)), ("ax", hasExtended(35)), ("be", hasExtended(108))]
            .filter(\.1).map(\.0)
        return names.isEmpty ? "neither n, ac, ax nor be" : names.joined(separator: ", ")
    }

    /// Which elements come in which order: `0 1 50 48 221/0050F2-2 255/35`. It tells phones apart.
    var order: String {
        all.map { element in
            switch element.number {
            case 221 where element.value.count >= 4:
                "221/\(Hex.text(element.value.prefix(3)))-\(element.value[element.value.startIndex + 3])"
            case 255: "255/\(element.value.first ?? 0)"
            default: "\(element.number)"
            }
        }.joined(separator: " ")
    }

    /// How the network is protected: the values of its RSN element, or of WPA's.
    var protection: [(String, String)] {
        if let element = first(48), let robust = RobustSecurity(element) { return robust.values }
        if vendor([0x00, 0x50, 0xF2], 1) != nil { return [("protection", "WPA")] }
        return [("protection", "none")]
    }
}

/// The RSN element (IEEE 802.11-2020, 9.4.2.24).
struct RobustSecurity {
    private(set) var values: [(String, String)] = []

    /// - Returns: Nil for a form that is not known.
    init?(_ bytes: ArraySlice<UInt8>) {
        let octets = Octets(bytes)
        guard octets.little16(0) == 1, let group = octets.slice(2, 4), let ciphers = octets.little16(6), ciphers <= 16,
            let methods = octets.little16(8 + 4 * Int(ciphers)), methods <= 16
        else { return nil }
        let place = 10 + 4 * Int(ciphers)
        func suites(_ start: Int, _ count: UInt16, _ name: (ArraySlice<UInt8>) -> String) -> String {
            (0..<Int(count)).compactMap { octets.slice(start + 4 * $0, 4) }.map(name).joined(separator: ", ")
        }
        values = [
            ("protection", suites(place, methods, RobustSecurity.method)),
            ("cipher", suites(8, ciphers, RobustSecurity.cipher)), ("group cipher", RobustSecurity.cipher(group)),
        ]
        let capabilities = octets.little16(place + 4 * Int(methods)) ?? 0
        let management = capabilities & 0x40 != 0 ? "required" : capabilities & 0x80 != 0 ? "offered" : "no"
        values.append(("protected management frames", management))
    }

    private static func number(_ suite: ArraySlice<UInt8>) -> UInt8? {
        suite.prefix(3).elementsEqual([0x00, 0x0F, 0xAC]) ? suite.last : nil
    }

    static func method(_ suite: ArraySlice<UInt8>) -> String {
        let names: [UInt8: String] = [
            1: "802.1X", 2: "PSK", 3: "FT over 802.1X", 4: "FT over PSK", 5: "802.1X with SHA-256",
            6: "PSK with SHA-256", 8: "SAE", 9: "FT over SAE", 12: "802.1X with Suite B 192", 18: "OWE",
            24: "SAE with a key of any length", 25: "FT over SAE with a key of any length",
        ]
        return number(suite).flatMap { names[$0] } ?? "suite \(Hex.text(suite))"
    }

    static func cipher(_ suite: ArraySlice<UInt8>) -> String {
        let names: [UInt8: String] = [
            1: "WEP-40", 2: "TKIP", 4: "CCMP-128", 5: "WEP-104", 8: "GCMP-128", 9: "GCMP-256", 10: "CCMP-256",
        ]
        return number(suite).flatMap { names[$0] } ?? "suite \(Hex.text(suite))"
    }
}

enum OneLine {
    /// Hostile bytes as a text in one line.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(
            String.UnicodeScalarView(
                String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
                    $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}"
                }))
    }
}

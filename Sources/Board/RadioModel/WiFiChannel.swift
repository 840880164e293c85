/// A Wi-Fi channel, 20 MHz wide, on which an access point may open a network without waiting.
///
/// These are 1 to 13 of the 2.4 GHz band, and the channels of the 5 GHz band that need no radar detection.
///
/// Source: IEEE 802.11-2020, annex E, and the rules of Germany, which is the country of the virtual boards.
public struct WiFiChannel: Sendable, Hashable {
    /// The usual number: `36`.
    public let number: Int

    /// All channels, in order.
    package static let all = (Array(1...13) + [36, 40, 44, 48, 149, 153, 157, 161, 165]).map(WiFiChannel.init(known:))

    private init(known number: Int) { self.number = number }

    /// - Throws: ``RadioError/invalid(_:)`` for any other number; the text lists the channels.
    public init(_ number: Int) throws(RadioError) {
        guard WiFiChannel.all.contains(where: { $0.number == number }) else {
            throw .invalid("\(WiFiChannel.problem(number)): take 1 to 13, 36, 40, 44, 48, 149, 153, 157, 161 or 165")
        }
        self.number = number
    }

    /// True for a channel of the 5 GHz band.
    package var is5GHz: Bool { number > 14 }

    /// The centre frequency in MHz.
    public var frequency: Int { is5GHz ? 5000 + 5 * number : 2407 + 5 * number }

    private static func problem(_ number: Int) -> String {
        let isRadars = (52...64).contains(number) || (100...144).contains(number)
        guard isRadars, number % 4 == 0 else { return "there is no Wi-Fi channel \(number) to open a network on" }
        return "on Wi-Fi channel \(number) an access point must first listen for radar (DFS), which this one cannot do"
    }
}

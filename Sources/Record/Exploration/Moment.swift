/// A point of a journey, by a name that survives other timings: `write(D1CE0005)#2`. Never a time.
package struct Moment: Sendable, Hashable, Codable {
    /// Where a moment is seen.
    package enum Layer: String, Sendable, Hashable, Codable, CaseIterable {
        /// A step of the scenario begins.
        case step
        /// The person sees a screen.
        case screen
        /// A framework tells the app something.
        case told
        /// A message of the security manager on the phone's link.
        case pairing
        /// A message of the attribute protocol on the phone's link.
        case attribute
        /// Data of a channel of L2CAP on the phone's link.
        case channel
        /// A frame of 802.11.
        case wifi
        /// The home's router reports a station: it joined, or got an address by DHCP.
        case network
        /// The accessory's program prints a line that the scenario waits for.
        case program

        /// Whether its moments are packets.
        package var isPacket: Bool { isBluetooth || self == .wifi }
        /// Whether its moments are packets of Bluetooth.
        package var isBluetooth: Bool { self == .pairing || self == .attribute || self == .channel }
    }

    /// The highest number of a moment. What repeats more often is no point of a journey.
    package static let mostNumbers = 9

    package var layer: Layer
    /// What happens, in one word with its object in brackets: `smp(dhKeyCheck)`, `screen(passkey)`.
    package var what: String
    /// Which of its kind in the journey, from 1.
    package var number: Int

    package init(_ layer: Layer, _ what: String, number: Int = 1) {
        (self.layer, self.what, self.number) = (layer, what, number)
    }
}

extension Moment: CustomStringConvertible {
    /// The name on the command line and in reports: without a number if it is the first of its kind.
    package var description: String { number == 1 ? what : "\(what)#\(number)" }

    /// From its name: ``description``. The layer follows from the word before the bracket.
    package init(_ text: String) {
        let parts = text.split(separator: "#", maxSplits: 1)
        let number = parts.count == 2 ? Int(parts[1]) : nil
        let what = number == nil ? text : String(parts[0])
        let layers: [(String, Layer)] = [
            ("smp(", .pairing), ("screen(", .screen), ("told(", .told), ("step(", .step), ("data(", .channel),
            ("open(", .channel),
            ("home(", .network), ("printed(", .program),
        ]
        let isFrame = [" of phone", " of accessory", " of router"].contains(where: what.hasSuffix)
        let layer = layers.first { what.hasPrefix($0.0) }?.1 ?? (isFrame ? .wifi : .attribute)
        self.init(layer, what, number: number ?? 1)
    }

    /// Whether this is the moment that a person writes: as ``description``, or without the spaces.
    package func isWritten(_ text: String) -> Bool {
        func plain(_ text: String) -> String { text.filter { $0 != " " }.lowercased() }
        return plain(text) == plain(description) || plain(text) == plain("\(what)#\(number)")
    }
}

/// A moment of one journey, with what was true then.
package struct JourneyMoment: Sendable, Hashable, Codable {
    package var moment: Moment
    /// Seconds since the body began.
    package var seconds: Double
    /// The kind of the topmost screen: `picker`; nil for the app itself.
    package var screen: String?
    /// The name of the innermost step; nil between steps.
    package var step: String?
    /// The controls of the screen, for a moment of the layer ``Moment/Layer/screen``.
    package var controls: [String]
    /// Whether the phone has a Bluetooth link.
    package var hasLink: Bool
    /// Whether the phone, or the accessory, is on a Wi-Fi network or about to join one.
    package var hasWiFi: Bool
    /// Whether an app runs.
    package var hasApp: Bool

    package init(
        _ moment: Moment, seconds: Double, screen: String? = nil, step: String? = nil, controls: [String] = [],
        hasLink: Bool = false, hasWiFi: Bool = false, hasApp: Bool = true
    ) {
        (self.moment, self.seconds, self.screen, self.step) = (moment, seconds, screen, step)
        (self.controls, self.hasLink, self.hasWiFi, self.hasApp) = (controls, hasLink, hasWiFi, hasApp)
    }
}

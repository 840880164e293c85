import Foundation
import HIL
import HILPOSIX

/// Makes a line for people from one packet: time, sender and receiver, content.
enum TapLine {
    /// The columns that ``text(of:timeZone:)`` needs, for tshark's option `gui.column.format`.
    static let columns =
        #""Time","%Cus:frame.time_epoch:0:U","Interface","%Cus:frame.interface_name:0:U","#
        + #""Direction","%Cus:hci_h4.direction:0:U","From","%s","To","%d","Protocol","%p","Info","%i""#

    /// The line of a packet.
    ///
    /// - Parameter printed: A line of tshark with `-T tabs` and ``columns``.
    /// - Returns: nil if it is not the line of a packet.
    static func text(of printed: String, timeZone: TimeZone = .current) -> String? {
        // tshark puts its own arrow between addresses.
        let fields = printed.split(separator: "\t", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0 != "→" && $0 != "->" }
        guard fields.count >= 7, let time = clock(fields[0], timeZone) else { return nil }
        let who = who(interface: fields[1], direction: fields[2], from: fields[3], to: fields[4])
        var what = fields[6...].joined(separator: " ")
        // The arrow already shows the direction.
        for word in ["Sent ", "Rcvd "] where what.hasPrefix(word) { what.removeFirst(word.count) }
        let line = "\(time)  \(padded(who, 22))  \(padded(fields[5], 9)) \(what)"
        return PlainText.line(line)
    }

    /// A board and its controller, or the sender and the receiver.
    private static func who(interface: String, direction: String, from: String, to: String) -> String {
        let board = interface.prefix { $0 != "-" }
        if interface.hasSuffix("hci0") { return "\(board) \(direction == "0x00" ? "→" : "←") controller" }
        return "\(station(from)) → \(station(to))"
    }

    /// The board of a radio's address, or the home's router, by the fifth byte: see ``HILAir/AirAddress``.
    private static func station(_ address: String) -> String {
        if address == "ff:ff:ff:ff:ff:ff" { return "all" }
        guard address.hasPrefix("02:00:00:00:") else { return address.isEmpty ? "?" : address }
        switch address.dropFirst(12).prefix(2) {
        case "01": return "host"
        case "02": return "accessory"
        case "03": return "router"
        default: return address
        }
    }

    /// The time `12:03:59.123` of seconds since 1970.
    private static func clock(_ epoch: String, _ timeZone: TimeZone) -> String? {
        let parts = epoch.split(separator: ".")
        guard let whole = parts.first.flatMap({ Int($0) }), parts.count == 2 else { return nil }
        let day = (whole + timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(whole)))) % 86_400
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(day / 3600)):\(two(day / 60 % 60)):\(two(day % 60)).\(parts[1].prefix(3))"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

import RadioModel

/// What an advertisement is and allows. The bits are those of extended advertising reports.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.7.65.13.
package struct AdvertisementKind: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let connectable = AdvertisementKind(rawValue: 0x01)
    package static let scannable = AdvertisementKind(rawValue: 0x02)
    package static let directed = AdvertisementKind(rawValue: 0x04)
    package static let scanResponse = AdvertisementKind(rawValue: 0x08)
    package static let legacy = AdvertisementKind(rawValue: 0x10)

    /// From the event type of a legacy report; nil for an unknown one (7.7.65.2).
    init?(legacyType: UInt8) {
        switch legacyType {
        case 0: self = [.legacy, .connectable, .scannable]
        case 1: self = [.legacy, .connectable, .directed]
        case 2: self = [.legacy, .scannable]
        case 3: self = [.legacy]
        // Whether the advertisement was connectable is not said.
        case 4: self = [.legacy, .scannable, .scanResponse]
        default: return nil
        }
    }
}

/// An advertisement, a scan response, or a part of one, as the controller reported it.
package struct AdvertisingReport: Sendable, Hashable {
    /// Whether `data` is all.
    package enum Completeness: UInt8, Sendable, Hashable {
        case complete = 0
        /// More comes with the next report of the same set.
        case partial = 1
        /// The controller did not get the rest.
        case truncated = 2
    }

    package var kind: AdvertisementKind
    package var completeness = Completeness.complete
    /// nil for an anonymous advertisement.
    package var address: PeerAddress?
    /// Whether the controller resolved a private address, so that `address` is the identity.
    package var isResolved = false
    /// For whom a directed advertisement is.
    package var target: PeerAddress?
    package var primaryPHY: LEPHY? = .oneMegabit
    /// nil for an advertisement on the primary channels alone.
    package var secondaryPHY: LEPHY?
    /// The advertising set ID, 0 to 15.
    package var setID: UInt8?
    /// In dBm.
    package var txPower: Int8?
    /// In dBm.
    package var rssi: Int8?
    package var data: [UInt8] = []

    package init(kind: AdvertisementKind) { self.kind = kind }
}

extension PacketReader {
    /// The reports of an LE Advertising Report event (7.7.65.2).
    mutating func legacyReports() throws(Malformed) -> [AdvertisingReport] {
        try reports { reader throws(Malformed) in
            var report = AdvertisingReport(kind: try reader.legacyKind())
            (report.address, report.isResolved) = try reader.peer()
            report.data = try reader.bytes(Int(try reader.uint8()))
            report.rssi = try reader.decibels()
            return report
        }
    }

    /// The reports of an LE Directed Advertising Report event (7.7.65.11).
    mutating func directedReports() throws(Malformed) -> [AdvertisingReport] {
        try reports { reader throws(Malformed) in
            var report = AdvertisingReport(kind: try reader.legacyKind())
            (report.address, report.isResolved) = try reader.peer()
            report.target = try reader.peer().address
            report.rssi = try reader.decibels()
            return report
        }
    }

    /// The reports of an LE Extended Advertising Report event (7.7.65.13).
    mutating func extendedReports() throws(Malformed) -> [AdvertisingReport] {
        try reports { reader throws(Malformed) in
            let type = try reader.uint16()
            var report = AdvertisingReport(kind: AdvertisementKind(rawValue: UInt8(type & 0x1F)))
            guard let completeness = AdvertisingReport.Completeness(rawValue: UInt8(type >> 5 & 3)) else {
                throw Malformed("an LE Extended Advertising Report event with an unknown data status")
            }
            report.completeness = completeness
            (report.address, report.isResolved) = try reader.peer()
            report.primaryPHY = try reader.phy()
            report.secondaryPHY = try reader.phy()
            let setID = try reader.uint8()
            report.setID = setID == 0xFF ? nil : setID
            report.txPower = try reader.decibels()
            report.rssi = try reader.decibels()
            // The interval of periodic advertising.
            _ = try reader.uint16()
            let target = try reader.peer().address
            report.target = report.kind.contains(.directed) ? target : nil
            report.data = try reader.bytes(Int(try reader.uint8()))
            return report
        }
    }

    private mutating func reports(
        _ read: (inout PacketReader) throws(Malformed) -> AdvertisingReport
    ) throws(Malformed) -> [AdvertisingReport] {
        var reports: [AdvertisingReport] = []
        for _ in 0..<Int(try uint8()) { reports.append(try read(&self)) }
        return reports
    }

    private mutating func legacyKind() throws(Malformed) -> AdvertisementKind {
        let type = try uint8()
        guard let kind = AdvertisementKind(legacyType: type) else {
            throw Malformed("an LE Advertising Report event with the unknown type \(type)")
        }
        return kind
    }

    /// A power in dBm; nil for 127, which means unknown.
    private mutating func decibels() throws(Malformed) -> Int8? {
        let value = try int8()
        return value == 127 ? nil : value
    }
}

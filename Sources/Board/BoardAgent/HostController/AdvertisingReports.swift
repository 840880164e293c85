/// The advertising reports in a packet of a controller.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.7.65.2, 7.7.65.11 and 7.7.65.13.
struct AdvertisingReports: Equatable {
    /// Which parts belong together: those with the same address and its type, set ID and kind (scan response or not).
    struct Source: Hashable {
        let bytes: [UInt8]
    }

    /// One report.
    struct Report: Equatable {
        /// nil for a report that is never a part of a long advertisement.
        var source: Source?
        /// Whether another part follows.
        var isContinued = false
    }

    let reports: [Report]

    /// Reads an H4 packet; nil for other packets. Reports that cannot be read are left out.
    init?(_ packet: [UInt8]) {
        // An event, LE Meta, its length, subevent, number of reports.
        guard packet.count >= 5, packet[0] == 0x04, packet[1] == 0x3E else { return nil }
        let count = Int(packet[4])
        switch packet[3] {
        // LE Advertising Report, LE Directed Advertising Report: always whole.
        case 0x02, 0x0B: reports = [Report](repeating: Report(), count: max(count, 1))
        case 0x0D:
            var reports: [Report] = []
            var rest = packet.dropFirst(5)
            for _ in 0..<count {
                // Event type 2, address type 1, address 6, PHYs 2, set ID 1, power 1, RSSI 1, interval 2, target 7,
                // length 1.
                guard rest.count >= 24 else { break }
                let report = Array(rest.prefix(24))
                let status = report[0] >> 5 & 3
                reports.append(
                    Report(
                        source: Source(bytes: Array(report[2...8]) + [report[11], report[0] & 0x08]),
                        isContinued: status == 1))
                rest = rest.dropFirst(24 + Int(report[23]))
            }
            self.reports = reports
        default: return nil
        }
    }
}

/// Decides which advertising reports are left out when there is no room for all. Pure.
///
/// A long advertisement comes in parts. Its parts are all kept or all left out, because a host puts together whatever
/// follows from the same set.
struct ReportSelection {
    /// How many long advertisements may be incomplete; beyond this the oldest is no longer known.
    static let mostIncomplete = 64

    /// The incomplete advertisements, oldest first, and whether their parts are kept.
    private var incomplete: [(source: AdvertisingReports.Source, isKept: Bool)] = []

    /// Whether to keep the packet with these reports.
    mutating func keeps(_ packet: AdvertisingReports, hasRoom: Bool) -> Bool {
        let known = packet.reports.compactMap { report in
            report.source.flatMap { source in incomplete.first { $0.source == source }?.isKept }
        }
        let isKept = known.contains(true) || (known.isEmpty && hasRoom)
        for report in packet.reports {
            guard let source = report.source else { continue }
            incomplete.removeAll { $0.source == source }
            if report.isContinued { incomplete.append((source, isKept)) }
        }
        if incomplete.count > ReportSelection.mostIncomplete {
            incomplete.removeFirst(incomplete.count - ReportSelection.mostIncomplete)
        }
        return isKept
    }
}

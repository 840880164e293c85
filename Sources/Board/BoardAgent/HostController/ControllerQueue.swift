import BoardProtocol

/// The packets of a controller that wait for the runner. Pure.
///
/// All packets keep their order, and none is left out but advertising reports: these have a small share of the room, so
/// that a flood of them delays other packets by at most that share.
struct ControllerQueue {
    /// How many bytes of advertising reports may wait here and on the way, until the runner has taken them: 16 KiB.
    static let mostReportBytes = 16 << 10
    /// How many bytes of other packets may wait here: 1 MiB. A controller sends far less while its host takes nothing.
    static let mostOtherBytes = 1 << 20

    private struct Entry {
        var packet: [UInt8]
        var isReport: Bool
    }

    /// There is no room for a packet that must not be left out.
    struct Overflow: Error, Equatable {
        /// How many bytes wait.
        let bytes: Int
    }

    private var waiting = Queue<Entry>()
    /// The sent packets that are not taken: the length of a report, or 0 for another packet.
    private var sentReports = Queue<Int>()
    private var window = ControllerWindow()
    private var selection = ReportSelection()
    private var reportBytes = 0
    private var otherBytes = 0
    /// How many reports were left out since ``takeDropped(isLast:)`` told of some.
    private var dropped = 0
    /// From how many on it tells.
    private var leastTold = 1

    /// Adds a packet of the controller.
    mutating func add(_ packet: [UInt8]) throws(Overflow) {
        let reports = AdvertisingReports(packet)
        if let reports {
            let hasRoom = reportBytes + packet.count <= ControllerQueue.mostReportBytes
            guard selection.keeps(reports, hasRoom: hasRoom) else {
                dropped += reports.reports.count
                return
            }
            reportBytes += packet.count
        } else {
            otherBytes += packet.count
        }
        // Parts of long advertisements count too: they are kept once their first part was.
        guard max(otherBytes, reportBytes) <= ControllerQueue.mostOtherBytes else {
            throw Overflow(bytes: max(otherBytes, reportBytes))
        }
        waiting.append(Entry(packet: packet, isReport: reports != nil))
    }

    /// The packets to send now; nil if none waits, or while the runner has not taken enough.
    mutating func next() -> ControllerFrame.Content? {
        let first = window.sent
        var packets: [[UInt8]] = []
        while window.hasRoom, let entry = waiting.popFirst() {
            window.send(entry.packet.count)
            sentReports.append(entry.isReport ? entry.packet.count : 0)
            if !entry.isReport { otherBytes -= entry.packet.count }
            packets.append(entry.packet)
        }
        return packets.isEmpty ? nil : .packets(first: first, packets)
    }

    /// Notes how many packets the runner has taken in all.
    ///
    /// - Returns: False for a number that cannot be right.
    mutating func take(upTo count: UInt64) -> Bool {
        guard let new = window.take(upTo: count) else { return false }
        for _ in 0..<new { reportBytes -= sentReports.popFirst() ?? 0 }
        return true
    }

    /// How many reports were left out since it last told of some; 0 if that is not worth telling yet: it tells of the
    /// first one, then of ten, of a hundred and so on.
    ///
    /// - Parameter isLast: Whether the controller is given back, so that there is no later call.
    mutating func takeDropped(isLast: Bool = false) -> Int {
        guard dropped >= leastTold || isLast else { return 0 }
        leastTold *= 10
        defer { dropped = 0 }
        return dropped
    }
}

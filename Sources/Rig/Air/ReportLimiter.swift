/// Decides which advertising reports of a controller its host gets: each one at most ten times a second.
///
/// RootCanal's radio hears every packet, with no noise and no Wi-Fi beside it: a hundred reports a second of each
/// accessory that advertises every 20 ms. An emulated board on a busy machine cannot keep up. Its kernel drops packets
/// that do not fit into the queue of bluetoothd, including answers to bluetoothd's commands, and bluetoothd then waits
/// for them for ever. A report with something new always passes; a new signal strength counts.
struct ReportLimiter {
    /// The time between two equal reports.
    static let interval = Duration.milliseconds(100)
    /// The most reports that are remembered.
    static let limit = 512

    /// The commands that switch scanning on or off: LE Set Scan Enable, and Extended Scan Enable (Core Specification,
    /// volume 4, part E, 7.8.11 and 7.8.65).
    private static let scanEnable: Set<UInt16> = [0x200C, 0x2042]

    /// When an equal report last passed.
    private var passed: [[UInt8]: ContinuousClock.Instant] = [:]
    /// Whether the last advertisement of a device passed; by its address, with the type first. A scan response without
    /// news follows the advertisement, because a host reports both together.
    private var isPassing: [[UInt8]: Bool] = [:]

    /// How many reports and devices are remembered.
    var memory: Int { passed.count + isPassing.count }

    /// Whether a packet of a host switches scanning on or off.
    static func isScanEnable(_ packet: [UInt8]) -> Bool {
        guard packet.count >= 3, packet[0] == 1 else { return false }
        return scanEnable.contains(UInt16(packet[1]) | UInt16(packet[2]) << 8)
    }

    /// Handles a command of the host. A host that starts to scan hears every device anew, as from a controller that
    /// filters duplicates.
    mutating func command(_ packet: [UInt8]) {
        guard ReportLimiter.isScanEnable(packet) else { return }
        passed.removeAll()
        isPassing.removeAll()
    }

    /// Whether the host gets a packet of the controller. Packets other than advertising reports always pass.
    mutating func passes(_ packet: [UInt8], at now: ContinuousClock.Instant) -> Bool {
        guard let report = Report(packet) else { return true }
        let last = passed[packet]
        let isHeard: Bool
        if report.isScanResponse {
            isHeard = last == nil || isPassing[report.device] ?? true
        } else {
            isHeard = last.map { now - $0 >= ReportLimiter.interval } ?? true
            if isPassing.count >= ReportLimiter.limit { isPassing.removeAll() }
            isPassing[report.device] = isHeard
        }
        guard isHeard else { return false }
        if passed.count >= ReportLimiter.limit {
            passed = passed.filter { now - $0.value < ReportLimiter.interval }
            if passed.count >= ReportLimiter.limit { passed.removeAll() }
        }
        passed[packet] = now
        return true
    }

    /// An HCI event with a single advertising report, legacy or extended (volume 4, part E, 7.7.65.2 and 7.7.65.13).
    /// RootCanal sends no event with several.
    private struct Report {
        let device: [UInt8]
        let isScanResponse: Bool

        init?(_ packet: [UInt8]) {
            // The packet's type, the event's code and length, the subevent's code, the number of reports.
            guard packet.count >= 13, packet[0] == 4, packet[1] == 0x3E, packet[4] == 1 else { return nil }
            switch packet[3] {
            case 0x02: (device, isScanResponse) = (Array(packet[6..<13]), packet[5] == 0x04)
            case 0x0D where packet.count >= 14:
                (device, isScanResponse) = (Array(packet[7..<14]), packet[5] & 0x08 != 0)
            default: return nil
            }
        }
    }
}

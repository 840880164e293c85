import RadioModel

/// Makes whole advertisements from the controller's reports.
///
/// It puts the parts of long advertisements together, and pairs an advertisement with its scan response. Anonymous
/// advertisements are dropped.
package struct ReportAssembler: Sendable {
    package struct Configuration: Sendable, Hashable {
        /// How long an advertisement waits for its scan response. Without one it is reported alone.
        package var scanResponseLimit: Duration = .milliseconds(50)
        /// How long the next part of an advertisement may take. Without it the parts are dropped.
        package var partLimit: Duration = .seconds(1)
        /// How many incomplete advertisements are kept; beyond this the oldest is dropped.
        package var mostPartial = 64
        /// How many advertisements wait for their scan response; beyond this the oldest is reported alone.
        package var mostWaiting = 64
        /// The most bytes of an advertisement (Core Specification 6.0, Vol 6, Part B, 2.3.4.9); more are cut off.
        package var mostData = 1650

        package init() {}
    }

    /// Which reports belong together.
    private struct Source: Hashable {
        var address: PeerAddress
        var setID: UInt8?
        var isLegacy: Bool
    }

    private struct Partial {
        var source: Source
        var report: AdvertisingReport
        var expires: Duration
    }

    private struct Waiting {
        var source: Source
        var report: ScanReport
        var expires: Duration
    }

    private let configuration: Configuration
    /// Whether scan requests are sent, so that a scannable advertisement waits for its scan response.
    private let isActive: Bool
    /// The oldest first.
    private var partial: [Partial] = []
    /// The oldest first.
    private var waiting: [Waiting] = []

    /// For one scan.
    ///
    /// - Parameter isActive: Whether the scan is active, so that advertisements have scan responses.
    package init(isActive: Bool, configuration: Configuration = Configuration()) {
        self.isActive = isActive
        self.configuration = configuration
    }

    /// How many advertisements are incomplete.
    package var partialCount: Int { partial.count }
    /// How many advertisements wait for their scan response.
    package var waitingCount: Int { waiting.count }

    /// When the next advertisement has waited long enough.
    package var deadline: Duration? { waiting.first?.expires }

    /// Takes a report; gives the advertisements that are whole now.
    package mutating func receive(_ report: AdvertisingReport, at now: Duration) -> [ScanReport] {
        let earlier = advance(to: now)
        guard let address = report.address else { return earlier }
        let source = Source(
            address: address, setID: report.setID, isLegacy: report.kind.contains(.legacy))
        guard let whole = assemble(report, from: source, at: now), let scan = ScanReport(whole) else { return earlier }
        return earlier + pair(scan, from: source, at: now)
    }

    /// Gives the advertisements that have waited long enough for a scan response.
    package mutating func advance(to now: Duration) -> [ScanReport] {
        partial.removeAll { $0.expires <= now }
        let due = waiting.prefix { $0.expires <= now }
        waiting.removeFirst(due.count)
        return due.map(\.report)
    }

    /// Ends the scan: gives the advertisements that wait, and forgets incomplete ones.
    package mutating func stop() -> [ScanReport] {
        defer { (partial, waiting) = ([], []) }
        return waiting.map(\.report)
    }

    /// The report with all of its data; nil while parts are missing.
    private mutating func assemble(
        _ report: AdvertisingReport, from source: Source, at now: Duration
    ) -> AdvertisingReport? {
        let isResponse = report.kind.contains(.scanResponse)
        let place = partial.firstIndex {
            $0.source == source && $0.report.kind.contains(.scanResponse) == isResponse
        }
        var whole = report
        if let place { whole.data = partial.remove(at: place).report.data + report.data }
        if whole.data.count > configuration.mostData {
            whole.data.removeLast(whole.data.count - configuration.mostData)
            if whole.completeness == .complete { whole.completeness = .truncated }
        }
        guard report.completeness == .partial else { return whole }
        partial.append(Partial(source: source, report: whole, expires: now + configuration.partLimit))
        if partial.count > configuration.mostPartial { partial.removeFirst() }
        return nil
    }

    /// The reports that are due because of a whole one.
    private mutating func pair(_ report: ScanReport, from source: Source, at now: Duration) -> [ScanReport] {
        let place = waiting.firstIndex { $0.source == source }
        var earlier = place.map { [waiting.remove(at: $0).report] } ?? []
        if report.isScanResponse {
            guard !earlier.isEmpty else { return [report] }
            earlier[0].take(report)
            return earlier
        }
        guard isActive, report.isScannable, configuration.scanResponseLimit > .zero else { return earlier + [report] }
        waiting.append(Waiting(source: source, report: report, expires: now + configuration.scanResponseLimit))
        if waiting.count > configuration.mostWaiting { earlier.append(waiting.removeFirst().report) }
        return earlier
    }
}

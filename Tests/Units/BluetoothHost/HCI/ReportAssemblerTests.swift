import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Whole advertisements")
struct ReportAssemblerTests {
    private func report(
        _ kind: AdvertisementKind, _ number: UInt8 = 1, _ data: [UInt8] = [],
        _ completeness: AdvertisingReport.Completeness = .complete, set: UInt8? = nil
    ) -> AdvertisingReport {
        var report = AdvertisingReport(kind: kind)
        report.address = PeerAddress(.numbered(number), isRandom: true)
        report.completeness = completeness
        report.setID = set
        report.data = data
        report.rssi = -50
        return report
    }

    private let advertisement: AdvertisementKind = [.legacy, .connectable, .scannable]
    private let response: AdvertisementKind = [.legacy, .scannable, .scanResponse]

    @Test("An advertisement comes with its scan response, as one report")
    func pairing() throws {
        var assembler = ReportAssembler(isActive: true)
        #expect(assembler.receive(report(advertisement, 1, [1, 2]), at: .zero).isEmpty)
        let reports = assembler.receive(report(response, 1, [3]), at: .milliseconds(2))
        let scan = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(scan.data == [1, 2])
        #expect(scan.scanResponse == [3])
        #expect(scan.isConnectable && scan.isScannable && scan.isLegacy && scan.isScanResponse && !scan.isDirected)
        #expect(scan.rssi == -50)
        #expect(scan.primaryPHY == .oneMegabit)
        #expect(assembler.deadline == nil)
    }

    @Test("An advertisement without a scan response comes alone after the limit, and not before")
    func timer() throws {
        var assembler = ReportAssembler(isActive: true)
        #expect(assembler.receive(report(advertisement, 1, [1]), at: .milliseconds(100)).isEmpty)
        #expect(assembler.deadline == .milliseconds(150))
        #expect(assembler.advance(to: .milliseconds(149)).isEmpty)
        let scan = try #require(assembler.advance(to: .milliseconds(150)).first)
        #expect(scan.data == [1])
        #expect(!scan.isScanResponse)
        #expect(assembler.deadline == nil)
        #expect(assembler.advance(to: .milliseconds(200)).isEmpty)
    }

    @Test("A scan response that comes too late is a report of its own")
    func late() {
        var assembler = ReportAssembler(isActive: true)
        _ = assembler.receive(report(advertisement, 1, [1]), at: .zero)
        let reports = assembler.receive(report(response, 1, [2]), at: .milliseconds(60))
        #expect(reports.map(\.data) == [[1], []])
        #expect(reports.map(\.scanResponse) == [[], [2]])
        #expect(reports.map(\.isScanResponse) == [false, true])
    }

    @Test("Scan responses go to their own device")
    func devices() {
        var assembler = ReportAssembler(isActive: true)
        for number in UInt8(1)...3 { _ = assembler.receive(report(advertisement, number, [number]), at: .zero) }
        let second = assembler.receive(report(response, 2, [20]), at: .zero)
        #expect(second.map(\.data) == [[2]])
        #expect(second.map(\.scanResponse) == [[20]])
        #expect(assembler.stop().map(\.data) == [[1], [3]])
        #expect(assembler.waitingCount == 0)
    }

    @Test("The next advertisement of a device brings out the one that waits")
    func repeated() {
        var assembler = ReportAssembler(isActive: true)
        _ = assembler.receive(report(advertisement, 1, [1]), at: .zero)
        #expect(assembler.receive(report(advertisement, 1, [2]), at: .milliseconds(20)).map(\.data) == [[1]])
        #expect(assembler.waitingCount == 1)
    }

    @Test("Without a scan response to come, an advertisement comes at once")
    func noWaiting() {
        var passive = ReportAssembler(isActive: false)
        #expect(passive.receive(report(advertisement, 1, [1]), at: .zero).count == 1)
        var active = ReportAssembler(isActive: true)
        #expect(active.receive(report([.legacy], 1, [1]), at: .zero).count == 1)
        var configuration = ReportAssembler.Configuration()
        configuration.scanResponseLimit = .zero
        var hasty = ReportAssembler(isActive: true, configuration: configuration)
        #expect(hasty.receive(report(advertisement, 1, [1]), at: .zero).count == 1)
    }

    @Test("The parts of a long advertisement are put together, those of each set for itself")
    func parts() throws {
        var assembler = ReportAssembler(isActive: false)
        #expect(assembler.receive(report([], 1, [1], .partial, set: 1), at: .zero).isEmpty)
        #expect(assembler.receive(report([], 1, [10], .partial, set: 2), at: .zero).isEmpty)
        #expect(assembler.receive(report([], 1, [2], .partial, set: 1), at: .zero).isEmpty)
        let first = try #require(assembler.receive(report([], 1, [3], set: 1), at: .zero).first)
        #expect(first.data == [1, 2, 3])
        #expect(first.setID == 1)
        #expect(!first.isTruncated)
        let second = try #require(assembler.receive(report([], 1, [20], .truncated, set: 2), at: .zero).first)
        #expect(second.data == [10, 20])
        #expect(second.isTruncated)
        #expect(assembler.partialCount == 0)
    }

    @Test("The parts of a scan response are put together, beside those of an advertisement")
    func responseParts() throws {
        var assembler = ReportAssembler(isActive: true)
        let (scannable, response): (AdvertisementKind, AdvertisementKind) = ([.scannable], [.scannable, .scanResponse])
        _ = assembler.receive(report(scannable, 1, [], set: 1), at: .zero)
        _ = assembler.receive(report(response, 1, [1], .partial, set: 1), at: .zero)
        let scan = try #require(assembler.receive(report(response, 1, [2], set: 1), at: .zero).first)
        #expect(scan.data == [])
        #expect(scan.scanResponse == [1, 2])
    }

    @Test("Parts without an end are dropped after their limit")
    func abandoned() {
        var assembler = ReportAssembler(isActive: false)
        _ = assembler.receive(report([], 1, [1], .partial, set: 1), at: .zero)
        #expect(assembler.receive(report([], 1, [2], set: 1), at: .seconds(1)).map(\.data) == [[2]])
        _ = assembler.receive(report([], 1, [1], .partial, set: 1), at: .seconds(2))
        _ = assembler.advance(to: .seconds(3))
        #expect(assembler.partialCount == 0)
    }

    @Test("At most 64 advertisements are incomplete, and the oldest is dropped")
    func boundedParts() {
        var assembler = ReportAssembler(isActive: false)
        for number in UInt8(0)...64 { _ = assembler.receive(report([], number, [number], .partial), at: .zero) }
        #expect(assembler.partialCount == 64)
        #expect(assembler.receive(report([], 0, [99]), at: .zero).map(\.data) == [[99]])
        #expect(assembler.receive(report([], 1, [99]), at: .zero).map(\.data) == [[1, 99]])
    }

    @Test("At most 64 advertisements wait for their scan response, and the oldest comes alone")
    func boundedWaiting() {
        var assembler = ReportAssembler(isActive: true)
        var reports: [ScanReport] = []
        for number in UInt8(0)...64 { reports += assembler.receive(report(advertisement, number, [number]), at: .zero) }
        #expect(assembler.waitingCount == 64)
        #expect(reports.map(\.data) == [[0]])
    }

    @Test("An endless advertisement is cut off at the most bytes that there may be")
    func endless() throws {
        var assembler = ReportAssembler(isActive: false)
        let part = [UInt8](repeating: 7, count: 200)
        for _ in 0..<20 { #expect(assembler.receive(report([], 1, part, .partial), at: .zero).isEmpty) }
        let scan = try #require(assembler.receive(report([], 1, part), at: .zero).first)
        #expect(scan.data.count == 1650)
        #expect(scan.isTruncated)
    }

    @Test("Anonymous advertisements are dropped")
    func anonymous() {
        var assembler = ReportAssembler(isActive: false)
        var anonymous = report([], 1, [1])
        anonymous.address = nil
        #expect(assembler.receive(anonymous, at: .zero).isEmpty)
    }
}

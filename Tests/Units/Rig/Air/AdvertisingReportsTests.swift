import RadioModel
import RigModel
import Testing

@testable import HILAir

@Suite("A host gets equal advertising reports ten times a second at most")
struct AdvertisingReportsTests {
    private let start = ContinuousClock.now
    private var reports = ReportLimiter()

    /// An LE Extended Advertising Report event.
    private static func extended(
        _ type: UInt8, from address: UInt8 = 0xB0, signal: Int8 = -40, data: [UInt8] = [2, 1, 6]
    ) -> [UInt8] {
        let report: [UInt8] =
            [type, 0, 1, address, 0, 0, 0, 0, 2, 1, 0, 0xFF, 0x7F, UInt8(bitPattern: signal), 0, 0, 0]
            + [UInt8](repeating: 0, count: 6) + [UInt8(data.count)] + data
        return [4, 0x3E, UInt8(report.count + 2), 0x0D, 1] + report
    }

    /// An LE Advertising Report event.
    private static func legacy(_ type: UInt8, data: [UInt8] = [2, 1, 6]) -> [UInt8] {
        let report: [UInt8] = [type, 0, 0xB0, 0, 0, 0, 0, 2, UInt8(data.count)] + data + [0xD8]
        return [4, 0x3E, UInt8(report.count + 2), 0x02, 1] + report
    }

    /// Which packets pass that come at one moment.
    private mutating func passing(_ packets: [[UInt8]]) -> [Bool] {
        var passing: [Bool] = []
        for packet in packets { passing.append(reports.passes(packet, at: start)) }
        return passing
    }

    /// How many of an accessory's events in a second pass: each an advertisement, and its scan response 6 ms later.
    private mutating func passing(_ advertisement: [UInt8], _ response: [UInt8]) -> (Int, Int) {
        var counts = (0, 0)
        for place in 0..<50 {
            let time = start + .milliseconds(20 * place)
            if reports.passes(advertisement, at: time) { counts.0 += 1 }
            if reports.passes(response, at: time + .milliseconds(6 - place % 3)) { counts.1 += 1 }
        }
        return counts
    }

    @Test("Of a hundred equal reports in a second twenty pass, each scan response with its advertisement")
    mutating func equalReports() {
        let extended = passing(Self.extended(0x13), Self.extended(0x1B))
        #expect(extended == (10, 10))
        let legacy = passing(Self.legacy(0x00), Self.legacy(0x04))
        #expect(legacy == (10, 10))
    }

    @Test("What is new passes at once: another device, other data, another signal")
    mutating func news() {
        let packets = [
            Self.extended(0x13), Self.extended(0x13), Self.extended(0x13, from: 0xB1),
            Self.extended(0x13, data: [2, 1, 4]), Self.extended(0x13, signal: -41), Self.extended(0x13),
            // A scan response, which needs no advertisement the first time.
            Self.extended(0x1B),
        ]
        #expect(passing(packets) == [true, false, true, true, true, false, true])
    }

    @Test("Whoever begins to scan hears every device at once")
    mutating func scanning() {
        #expect(passing([Self.extended(0x13)]) == [true])
        reports.command([1, 0x03, 0x0C, 0])
        #expect(passing([Self.extended(0x13)]) == [false])
        reports.command([1, 0x42, 0x20, 6, 1, 0, 0, 0, 0, 0])
        #expect(passing([Self.extended(0x13)]) == [true])
    }

    @Test("Other packets pass, and so do reports that are cut off")
    mutating func others() {
        let report = Self.extended(0x13)
        let packets = [[4, 0x0E, 4, 1, 3, 0x0C, 0], [2, 0, 0, 1, 0, 0], []] + (0..<13).map { Array(report[..<$0]) }
        for packet in packets { #expect(passing([packet, packet]) == [true, true], "\(packet)") }
    }

    @Test("Of very many devices some equal reports pass, and the memory stays small")
    mutating func crowd() {
        for _ in 0..<3 {
            for device in 0...UInt8.max {
                for data in 0..<UInt8(8) {
                    _ = reports.passes(Self.extended(0x13, from: device, data: [data]), at: start)
                    #expect(reports.memory <= 2 * ReportLimiter.limit)
                }
            }
        }
    }

    @Test("The medium thins out what a controller reports, and a scan that begins hears all anew")
    func medium() {
        let report = Self.extended(0x13)
        var medium = BluetoothMedium()
        medium.plugIn(Reporter(report), on: .host)
        func reported(ticks: Range<Int>) -> Int {
            ticks.reduce(0) { count, place in
                let time = start + BluetoothMedium.tickInterval * place
                return count + medium.tick(geometry: Geometry(), now: time).count { $0 == .hci(.host, report) }
            }
        }
        // A tick is 5 ms: the reports at 0, 100 and 200 ms.
        #expect(reported(ticks: 0..<50) == 3)
        _ = medium.receive([1, 0x0C, 0x20, 2, 1, 0], from: .host, geometry: Geometry())
        #expect(reported(ticks: 50..<60) == 1)
    }
}

@Suite("A controller hears equal advertisements ten times a second, or all if its host wants a link")
struct AdvertisementLimiterTests {
    private let start = ContinuousClock.now

    /// The ticks, of a second of them, at which the host's controller hears an accessory that advertises at each.
    private func heard(
        _ medium: inout BluetoothMedium, _ listener: Listener, from first: Int = 0,
        geometry: (Int) -> Geometry = { _ in Geometry() }
    ) -> [Int] {
        (first..<first + 200).filter { place in
            listener.heard = 0
            let now = start + BluetoothMedium.tickInterval * place
            _ = medium.tick(geometry: geometry(place), now: now)
            return listener.heard > 0
        }
    }

    private func medium(_ listener: Listener) -> BluetoothMedium {
        var medium = BluetoothMedium()
        medium.plugIn(listener, on: .host)
        medium.plugIn(Broadcaster(), on: .accessory)
        return medium
    }

    @Test("Ten times a second, and at once after a scan has begun or the distance has changed")
    func interval() {
        let listener = Listener()
        var medium = medium(listener)
        #expect(heard(&medium, listener) == Array(stride(from: 0, to: 200, by: 20)))
        _ = medium.receive([1, 0x42, 0x20, 6, 1, 0, 0, 0, 0, 0], from: .host, geometry: Geometry())
        let again = heard(&medium, listener, from: 205) { Geometry(distance: $0 < 210 ? 1 : 3) }
        #expect(again.prefix(3) == [205, 210, 230])
    }

    @Test("A controller whose host wants a link hears every advertisement")
    func seeking() {
        let listener = Listener()
        var medium = medium(listener)
        _ = medium.receive([1, 0x0D, 0x20, 25] + [UInt8](repeating: 0, count: 25), from: .host, geometry: Geometry())
        #expect(heard(&medium, listener).count == 200)
    }

    @Test("The memory of very many advertisements stays small")
    func crowd() {
        var limiter = AdvertisementLimiter()
        for number in 0..<3 * AdvertisementLimiter.limit {
            let passes = limiter.passes([0x0B, UInt8(number & 0xFF), UInt8(number >> 8)], signal: -40, at: start)
            #expect(passes && limiter.memory <= AdvertisementLimiter.limit)
        }
    }
}

/// Counts the advertisements that it hears.
private final class Listener: BluetoothController {
    var heard = 0

    func receive(hci packet: [UInt8]) -> [ControllerOutput] { [] }
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] {
        heard += 1
        return []
    }
    func tick() -> [ControllerOutput] { [] }
}

/// Advertises the same at every tick.
private final class Broadcaster: BluetoothController {
    func receive(hci packet: [UInt8]) -> [ControllerOutput] { [] }
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] { [] }
    func tick() -> [ControllerOutput] {
        [.linkLayer(bytes: [0x0B] + [UInt8](repeating: 2, count: 12) + [0], phy: 0)]
    }
}

/// Reports the same at every tick.
private final class Reporter: BluetoothController {
    private let report: [UInt8]

    init(_ report: [UInt8]) { self.report = report }

    func receive(hci packet: [UInt8]) -> [ControllerOutput] { [] }
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] { [] }
    func tick() -> [ControllerOutput] { [.hci(report)] }
}

import BoardProtocol
import Testing

@testable import BoardAgent

/// Packets of a controller, for tests.
enum ControllerPackets {
    static let completed: [UInt8] = [4, 0x0E, 4, 1, 3, 0x0C, 0]

    /// Data on a link, numbered.
    static func data(_ number: UInt16, count: Int = 2) -> [UInt8] {
        let data = [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 0, count: count - 2)
        return [2, 0x40, 0x20, UInt8(count & 0xFF), UInt8(count >> 8)] + data
    }

    /// A legacy advertising report of a device.
    static func report(_ device: UInt8) -> [UInt8] {
        let report: [UInt8] = [0, 0, device, 0, 0, 0, 0, 2, 3, 2, 1, 6, 0xC0]
        return [4, 0x3E, UInt8(report.count + 2), 0x02, 1] + report
    }

    /// A part of an extended advertisement of a device.
    static func part(_ device: UInt8, set: UInt8 = 0, status: UInt8, count: Int = 100) -> [UInt8] {
        let report: [UInt8] =
            [status << 5, 0, 1, device, 0, 0, 0, 0, 0xC2, 1, 2, set, 0x7F, 0xC0, 0, 0]
            + [UInt8](repeating: 0, count: 7) + [UInt8(count)] + [UInt8](repeating: 0xFF, count: count)
        return [4, 0x3E, UInt8(report.count + 2), 0x0D, 1] + report
    }
}

@Suite("The packets of a controller that wait for the runner")
struct ControllerQueueTests {
    private typealias Packets = ControllerPackets

    private func packets(_ content: ControllerFrame.Content?) -> [[UInt8]] {
        if case .packets(_, let packets)? = content { packets } else { [] }
    }

    @Test("All packets but advertising reports come, in order, however slow the runner is")
    func order() throws {
        var queue = ControllerQueue()
        var received: [[UInt8]] = []
        for number in 0..<2000 {
            for device in 0..<20 { try queue.add(Packets.report(UInt8(device))) }
            try queue.add(Packets.data(UInt16(number)))
        }
        while let content = queue.next() {
            guard case .packets(UInt64(received.count), let more) = content else {
                Issue.record("packets are not numbered one after the other")
                return
            }
            received += more
            let beyond = queue.next()
            #expect(beyond == nil, "more than a window is on the way")
            let isRight = queue.take(upTo: UInt64(received.count))
            #expect(isRight)
        }
        let data = received.filter { $0[0] == 2 }
        #expect(data == (0..<2000).map { Packets.data(UInt16($0)) })
        let reports = received.count - data.count
        #expect(reports > 100)
        let dropped = queue.takeDropped(isLast: true)
        #expect(reports + dropped == 40_000, "each report was sent or is counted")
    }

    @Test("A flood of advertising reports delays another packet by their share at most")
    func flood() throws {
        var queue = ControllerQueue()
        for number in 0..<100_000 { try queue.add(Packets.report(UInt8(number & 0xFF))) }
        try queue.add(Packets.completed)
        let sent = packets(queue.next())
        #expect(sent.last == Packets.completed, "it is in the first message, although nothing was taken")
        #expect(sent.reduce(0) { $0 + $1.count } <= ControllerQueue.mostReportBytes + Packets.completed.count)
        // While nothing is taken, no report is sent beyond the share.
        for number in 0..<1000 { try queue.add(Packets.report(UInt8(number & 0xFF))) }
        let beyond = queue.next()
        #expect(beyond == nil)
        // What was taken makes room again.
        let isRight = queue.take(upTo: 10)
        #expect(isRight)
        for number in 0..<1000 { try queue.add(Packets.report(UInt8(number & 0xFF))) }
        let more = packets(queue.next())
        #expect(more.count == 10)
    }

    @Test("A runner that takes nothing ends the relay before its memory grows")
    func bound() throws {
        var queue = ControllerQueue()
        var overflow: ControllerQueue.Overflow?
        do { for number in 0..<10_000 { try queue.add(Packets.data(UInt16(number), count: 251)) } } catch {
            overflow = error
        }
        #expect(overflow != nil)
    }

    @Test("Of a long advertisement all parts are kept or none")
    func parts() throws {
        var queue = ControllerQueue()
        // The first part of device 1 is kept, then the share is filled.
        try queue.add(Packets.part(1, status: 1))
        for number in 0..<1000 { try queue.add(Packets.report(UInt8(number & 0xFF))) }
        // Device 2 begins while there is no room; device 1 goes on and ends.
        try queue.add(Packets.part(2, status: 1))
        try queue.add(Packets.part(1, status: 1, count: 101))
        try queue.add(Packets.part(1, status: 0, count: 102))
        try queue.add(Packets.part(1, status: 0, count: 103))
        let sent = packets(queue.next())
        let isRight = queue.take(upTo: UInt64(sent.count))
        #expect(isRight)
        // Now there is room, but the beginning of device 2's advertisement is missing; another set of it is whole.
        try queue.add(Packets.part(2, status: 0, count: 104))
        try queue.add(Packets.part(2, set: 1, status: 0, count: 105))
        try queue.add(Packets.part(2, status: 0, count: 106))
        let all = sent + packets(queue.next())
        #expect(all.filter { $0[3] == 0x0D }.map { Int($0[28]) } == [100, 101, 102, 105, 106])
    }

    @Test("It tells of the first report that was left out, of ten more, of a hundred more")
    func dropped() throws {
        var queue = ControllerQueue()
        var told: [Int] = []
        for number in 0..<2000 {
            try queue.add(Packets.report(UInt8(number & 0xFF)))
            _ = queue.next()
            let count = queue.takeDropped()
            if count > 0 { told.append(count) }
        }
        let kept = ControllerQueue.mostReportBytes / Packets.report(0).count
        #expect(told.prefix(3) == [1, 10, 100])
        let rest = queue.takeDropped(isLast: true)
        #expect(told.reduce(rest, +) == 2000 - kept)
    }

    @Test("Reports are found in hostile packets, and other packets are left alone")
    func reports() {
        #expect(AdvertisingReports(Packets.completed) == nil)
        #expect(AdvertisingReports(Packets.data(1)) == nil)
        // LE Connection Complete.
        #expect(AdvertisingReports([4, 0x3E, 2, 0x01, 0]) == nil)
        let whole = Packets.part(1, status: 1)
        #expect(AdvertisingReports(whole)?.reports.first?.isContinued == true)
        for length in 0..<29 { #expect(AdvertisingReports(Array(whole.prefix(length)))?.reports.isEmpty ?? true) }
        // It announces 255 reports and has one.
        #expect(AdvertisingReports(whole.prefix(4) + [255] + whole.dropFirst(5))?.reports.count == 1)
    }
}

import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Hostile bytes below L2CAP")
struct HCIFuzzTests {
    private static let count = 20_000

    private static func bytes(_ most: Int, _ numbers: inout SeededNumbers) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    @Test("A data packet comes back as it was written")
    func dataPackets() throws {
        var numbers = SeededNumbers(seed: 2)
        for _ in 0..<(HCIFuzzTests.count / 10) {
            let packet = DataPacket(
                handle: ConnectionHandle(Int.random(in: 0...0xFFF, using: &numbers)),
                boundary: .init(rawValue: UInt8.random(in: 0...3, using: &numbers)),
                broadcast: UInt8.random(in: 0...3, using: &numbers), data: HCIFuzzTests.bytes(40, &numbers)[...])
            #expect(try DataPacket(decoding: packet.packet.dropFirst()) == packet)
        }
    }

    @Test("Any pieces leave less than a frame in memory, and any frame that comes has its announced length")
    func frames() {
        var numbers = SeededNumbers(seed: 3)
        var assembler = FrameAssembler()
        var (frameCount, violationCount) = (0, 0)
        for _ in 0..<HCIFuzzTests.count {
            var piece = HCIFuzzTests.bytes(12, &numbers)
            if piece.count > 1, Int.random(in: 0..<20, using: &numbers) > 0 { (piece[0], piece[1]) = (piece[0] & 7, 0) }
            let boundary = DataPacket.Boundary(rawValue: [1, 1, 2, 0, 3].randomElement(using: &numbers) ?? 1)
            let result = assembler.take(DataPacket(handle: ConnectionHandle(1), boundary: boundary, data: piece[...]))
            if let frame = result.frame {
                frameCount += 1
                #expect(frame.count == Int(frame[0]) + Int(frame[1]) << 8 + 4)
            }
            if result.violation != nil { violationCount += 1 }
            #expect(assembler.pendingCount < 65_539)
        }
        #expect(frameCount > HCIFuzzTests.count / 100)
        #expect(violationCount > HCIFuzzTests.count / 100)
    }

    @Test("Any reports leave a bounded number in memory, and every whole one has an end")
    func reports() {
        var numbers = SeededNumbers(seed: 4)
        var assembler = ReportAssembler(isActive: true)
        var (now, given) = (Duration.zero, 0)
        for _ in 0..<HCIFuzzTests.count {
            var report = AdvertisingReport(kind: .init(rawValue: UInt8.random(in: 0...31, using: &numbers)))
            report.address = PeerAddress(.numbered(UInt8.random(in: 0...255, using: &numbers)), isRandom: true)
            report.completeness = .init(rawValue: UInt8.random(in: 0...2, using: &numbers)) ?? .complete
            report.data = HCIFuzzTests.bytes(229, &numbers)
            let reports = assembler.receive(report, at: now)
            given += reports.count
            #expect(reports.allSatisfy { $0.data.count <= 1650 && $0.scanResponse.count <= 1650 })
            #expect(assembler.partialCount <= 64)
            #expect(assembler.waitingCount <= 64)
            now += .microseconds(Int.random(in: 0...900, using: &numbers))
            if let deadline = assembler.deadline, Int.random(in: 0..<50, using: &numbers) == 0 {
                now = max(now, deadline)
                given += assembler.advance(to: now).count
                #expect(assembler.deadline.map { $0 > now } ?? true)
            }
        }
        #expect(given > HCIFuzzTests.count / 4)
    }
}

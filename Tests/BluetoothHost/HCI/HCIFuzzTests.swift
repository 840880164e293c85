import Foundation
import RadioModel
import SeededNumbers
import Testing

@testable import HILBluetoothHost

/// Broken and hostile bytes. More iterations come with `HIL_FUZZ_PDUS` in the environment.
@Suite("Hostile bytes below L2CAP")
struct HCIFuzzTests {
    private static let count = ProcessInfo.processInfo.environment["HIL_FUZZ_PDUS"].flatMap { Int($0) } ?? 20_000

    private static func bytes(_ most: Int, _ numbers: inout SeededNumbers) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    /// An event with a known code, of which the length is true, and often a count is small.
    private static func event(_ numbers: inout SeededNumbers) -> [UInt8] {
        let code = HCIEvent.Code.allCases.randomElement(using: &numbers)?.rawValue ?? 0
        var parameters = bytes(60, &numbers)
        if code == HCIEvent.Code.leMeta.rawValue, !parameters.isEmpty {
            parameters[0] = HCIEvent.LECode.allCases.randomElement(using: &numbers)?.rawValue ?? 0
            if parameters.count > 2, Bool.random(using: &numbers) { parameters[1] = 1 }
        }
        return [code, UInt8(parameters.count)] + parameters
    }

    @Test("No bytes trap the readers of events and data packets")
    func readers() {
        var numbers = SeededNumbers(seed: 1)
        var (readable, malformed) = (0, 0)
        for _ in 0..<HCIFuzzTests.count {
            let isKnown = Int.random(in: 0..<4, using: &numbers) > 0
            let packet = isKnown ? HCIFuzzTests.event(&numbers) : HCIFuzzTests.bytes(80, &numbers)
            do throws(Malformed) {
                _ = try HCIEvent(decoding: packet)
                readable += 1
            } catch { malformed += 1 }
            _ = try? DataPacket(decoding: packet)
            var information = ControllerInformation()
            if let opcode = HCIOpcode.table.keys.randomElement(using: &numbers) {
                _ = try? information.take(packet, of: opcode)
            }
        }
        // Both ways out are taken.
        #expect(readable > HCIFuzzTests.count / 20)
        #expect(malformed > HCIFuzzTests.count / 20)
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

    @Test("Any packets in any state: no trap, bounded memory, and nothing after a failure")
    func channel() {
        var numbers = SeededNumbers(seed: 5)
        var channel = FuzzedChannel()
        for _ in 0..<HCIFuzzTests.count { channel.step(&numbers) }
        #expect(channel.failureCount > 10)
        #expect(channel.frameCount > 10)
        #expect(channel.violationCount > 10)
        #expect(channel.answerCount > 10)
    }

    /// A channel with a controller that sends anything.
    private struct FuzzedChannel {
        private var channel = ControllerChannel()
        private var now = Duration.zero
        private(set) var failureCount = 0
        private(set) var frameCount = 0
        private(set) var violationCount = 0
        private(set) var answerCount = 0

        mutating func step(_ numbers: inout SeededNumbers) {
            now += .milliseconds(Int.random(in: 0...20, using: &numbers))
            if channel.failure != nil {
                #expect(channel.receive(ControllerPacket.complete(.leRand), at: now) == [])
                channel = ControllerChannel()
            }
            let link = ConnectionHandle(Int.random(in: 0..<4, using: &numbers))
            let outputs: [ControllerChannel.Output]
            switch Int.random(in: 0..<12, using: &numbers) {
            case 0: outputs = channel.linkOpened(link, kind: Bool.random(using: &numbers) ? .le : .classic, at: now)
            case 1 where Bool.random(using: &numbers): outputs = channel.linkClosed(link)
            case 2:
                outputs =
                    channel.send([.leRand, .reset, .readAddress].randomElement(using: &numbers) ?? .reset, at: now)
                    .outputs
            case 3: outputs = channel.send(frame: HCIFuzzTests.bytes(200, &numbers), on: link)
            case 4:
                outputs = channel.use(
                    BufferSizes(lowEnergy: .init(packetLength: .random(in: 0...50, using: &numbers), packetCount: 3)))
            case 5: outputs = channel.advance(to: now)
            default: outputs = channel.receive(packet(link, &numbers), at: now)
            }
            check(outputs)
            for handle in 0..<4 { #expect(channel.pendingFrames(on: ConnectionHandle(handle)) < 1 << 18) }
        }

        private func packet(_ link: ConnectionHandle, _ numbers: inout SeededNumbers) -> [UInt8] {
            switch Int.random(in: 0..<20, using: &numbers) {
            case 0: return HCIFuzzTests.bytes(20, &numbers)
            case 1: return [4] + HCIFuzzTests.event(&numbers)
            case 2...5:
                let opcode = [HCIOpcode.leRand, .reset, .readAddress, .noOperation].randomElement(using: &numbers)
                return ControllerPacket.complete(
                    opcode ?? .reset, allowance: UInt8.random(in: 0...3, using: &numbers))
            case 6...9:
                return ControllerPacket.completed([(link, UInt16.random(in: 0...3, using: &numbers))])
            default:
                var data = HCIFuzzTests.bytes(12, &numbers)
                if data.count > 1 { (data[0], data[1]) = (data[0] & 7, 0) }
                return ControllerPacket.data(link, UInt16.random(in: 0...3, using: &numbers), data)
            }
        }

        private mutating func check(_ outputs: [ControllerChannel.Output]) {
            failureCount += outputs.failures.count
            frameCount += outputs.frames.count
            violationCount += outputs.violations.count
            #expect(outputs.failures.isEmpty || outputs.count == 1)
            for case .completed in outputs { answerCount += 1 }
            #expect(outputs.count < 200)
        }
    }
}

import FoundationEssentials
import TestSupport
import Testing

@testable import DieProtocol

@Suite struct GATTFramingTests {
    private static func message(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) })
    }

    private func join(_ segments: [Data]) throws -> [Data] {
        var joiner = GATTFraming.Joiner()
        return try segments.compactMap { try joiner.join($0) }
    }

    @Test("A message that was split into segments of any length is joined again", .covers("T4"))
    func everySegmentLength() throws {
        for length in 20...514 {
            for count in [1, length - 7, length - 6, length - 5, 2 * length - 8, 2 * length - 7, 5000] {
                let message = Self.message(count)
                let segments = try GATTFraming.split(message, segmentLength: length)
                #expect(segments.allSatisfy { $0.count <= min(length, 512) })
                #expect(try join(segments) == [message], "\(count) bytes in segments of \(length)")
            }
        }
    }

    @Test("The largest message fits the smallest segments; one more byte is refused on both sides")
    func largest() throws {
        let message = Self.message(GATTFraming.maximumMessageLength)
        #expect(try join(try GATTFraming.split(message, segmentLength: 20)) == [message])
        #expect(throws: DieProtocolError.self) { try GATTFraming.split(message + [0], segmentLength: 20) }
        var joiner = GATTFraming.Joiner()
        #expect(throws: DieProtocolError.self) { try joiner.join(Data([0x11, 0, 65, 0, 16, 0, 1])) }
        #expect(joiner.pendingByteCount == 0)
    }

    @Test("The bytes are those of the documented layout")
    func layout() throws {
        let segments = try GATTFraming.split(Data(1...33), segmentLength: 20)
        #expect(
            segments == [
                Data([0x11, 0, 33, 0, 0, 0] + Array(1...14)), Data([0x10, 1] + Array(15...32)), Data([0x12, 2, 33]),
            ])
        #expect(try GATTFraming.split(Data([7]), segmentLength: 512) == [Data([0x13, 0, 1, 0, 0, 0, 7])])
        #expect(throws: DieProtocolError.self) { try GATTFraming.split(Data(), segmentLength: 20) }
        #expect(throws: DieProtocolError.self) { try GATTFraming.split(Data([7]), segmentLength: 19) }
        #expect(GATTFraming.segmentLength(mtu: 23) == 20)
        #expect(GATTFraming.segmentLength(mtu: 517) == 512)
    }

    @Test("A lost, repeated, swapped or changed segment drops its message; the next message arrives")
    func faults() throws {
        let segments = try GATTFraming.split(Self.message(100), segmentLength: 20)
        let after = try GATTFraming.split(Data("after".utf8), segmentLength: 20)
        var faulty: [[Data]] = segments.indices.map { lost in
            segments.indices.filter { $0 != lost }.map { segments[$0] }
        }
        faulty += segments.indices.dropFirst().dropLast().map { doubled in
            Array(segments[...doubled] + segments[doubled...])
        }
        faulty += segments.indices.dropFirst().map { swapped in
            var copy = segments
            copy.swapAt(swapped, swapped - 1)
            return copy
        }
        for header in 0..<2 {
            for bit in 0..<8 {
                for index in segments.indices {
                    var copy = segments
                    copy[index][header] ^= 1 << UInt8(bit)
                    faulty.append(copy)
                }
            }
        }
        for stream in faulty {
            var joiner = GATTFraming.Joiner()
            var joined: [Data] = []
            for segment in stream + after {
                if let message = try? joiner.join(segment) { joined.append(message) }
            }
            #expect(joined == [Data("after".utf8)])
        }
    }

    @Test("A new first segment drops an incomplete message; an announced length reserves no memory")
    func unfinished() throws {
        let segments = try GATTFraming.split(Self.message(100), segmentLength: 20)
        #expect(try join(Array(segments[..<3]) + segments) == [Self.message(100)])
        var joiner = GATTFraming.Joiner()
        #expect(try joiner.join(Data([0x11, 0, 0, 0, 16, 0, 1])) == nil)
        #expect(joiner.pendingByteCount == 1)
    }

    @Test("Random bytes never crash the joiner or a decoder, and never make it keep more than it was given")
    func randomBytes() throws {
        var random = SeededNumbers(seed: 0x5EED)
        var joiner = GATTFraming.Joiner()
        var received = 0
        for _ in 0..<20_000 {
            var segment = Data(
                (0..<Int.random(in: 0...24, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            if !segment.isEmpty, Bool.random(using: &random) { segment[0] = 0x10 | segment[0] & 3 }
            received += segment.count
            _ = try? joiner.join(segment)
            #expect(joiner.pendingByteCount <= received)
            _ = try? KeyExchangeMessage(decoding: segment)
            _ = try? NotificationMessage(decoding: segment)
            _ = try? NotificationUpdate(decoding: Data([1, 1]) + segment)
            _ = try? DieNetworks(decoding: segment)
            _ = try? DieInfo(decoding: segment)
            _ = try? Roll(decoding: segment)
        }
    }
}

import TestSupport
import Testing

@testable import HILBluetoothHost

/// A controller in the middle: what one host sends, the other one receives, in other pieces.
private struct ModelLink {
    private(set) var first = ControllerChannel()
    private var second = ControllerChannel()
    /// Packets that the controller of the first host holds.
    private var held: [DataPacket] = []
    private let buffers: BufferSizes.Buffers
    private(set) var received: [ConnectionHandle: [[UInt8]]] = [:]
    private(set) var mostHeld = 0

    init(buffers: BufferSizes.Buffers, links: [ConnectionHandle]) {
        self.buffers = buffers
        _ = first.use(BufferSizes(lowEnergy: buffers))
        for link in links {
            _ = first.linkOpened(link, kind: .le, at: .zero)
            _ = second.linkOpened(link, kind: .le, at: .zero)
        }
    }

    mutating func send(_ frame: [UInt8], on link: ConnectionHandle) throws {
        try hold(first.send(frame: frame, on: link))
    }

    /// Delivers one packet in pieces, and reports it as completed.
    mutating func deliver(_ numbers: inout SeededNumbers) throws -> Bool {
        guard !held.isEmpty else { return false }
        let packet = held.removeFirst()
        var rest = packet.data
        var boundary: UInt16 = packet.boundary == .continuing ? 1 : 2
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...27, using: &numbers))
            rest = rest.dropFirst(piece.count)
            let outputs = second.receive(ControllerPacket.data(packet.handle, boundary, piece), at: .zero)
            #expect(outputs.violations.isEmpty)
            for (frame, link) in outputs.frames { received[link, default: []].append(frame) }
            boundary = 1
        }
        try hold(first.receive(ControllerPacket.completed([(packet.handle, 1)]), at: .zero))
        return true
    }

    private mutating func hold(_ outputs: [ControllerChannel.Output]) throws {
        for packet in outputs.packets {
            #expect(packet.count - 5 <= buffers.packetLength)
            held.append(try DataPacket(decoding: packet.dropFirst()))
        }
        mostHeld = max(mostHeld, held.count)
        #expect(held.count <= buffers.packetCount)
    }
}

@Suite("Frames from host to host")
struct TwoHostsTests {
    @Test("Frames of many links arrive whole and in their order, whatever the buffers", arguments: 0..<40)
    func frames(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let links = (0..<Int.random(in: 1...5, using: &numbers)).map { ConnectionHandle(0x40 + $0) }
        let buffers = BufferSizes.Buffers(
            packetLength: .random(in: 1...300, using: &numbers), packetCount: .random(in: 1...8, using: &numbers))
        var middle = ModelLink(buffers: buffers, links: links)
        var sent: [ConnectionHandle: [[UInt8]]] = [:]
        for _ in 0..<100 {
            guard let link = links.randomElement(using: &numbers) else { continue }
            let count = Int.random(in: 0...400, using: &numbers)
            var frame: [UInt8] = []
            frame.append(uint16: UInt16(count))
            frame.append(uint16: 4)
            frame += (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            sent[link, default: []].append(frame)
            try middle.send(frame, on: link)
            for _ in 0..<Int.random(in: 0...3, using: &numbers) { _ = try middle.deliver(&numbers) }
        }
        while try middle.deliver(&numbers) {}
        #expect(middle.received == sent)
        #expect(links.allSatisfy { middle.first.pendingFrames(on: $0) == 0 })
        #expect(middle.mostHeld > 0)
    }
}

import BoardProtocol
import Testing

@testable import Air

@Suite("The supervision of LE links")
struct LinkSupervisionTests {
    private let central: [UInt8] = [1, 0, 0, 0, 0, 2]
    private let peripheral: [UInt8] = [2, 0, 0, 0, 0, 2]
    private let start = ContinuousClock.now
    private var supervision = LinkSupervision()

    init() {
        // A connection of 30 ms with a supervision timeout of 420 ms.
        supervision.observe(
            [0x0D] + peripheral + central + [0, 0, 0x18, 0, 0, 0, 42, 0], from: .accessory, to: .host)
    }

    private func acl(_ source: [UInt8], _ destination: [UInt8]) -> [UInt8] { [1] + source + destination + [0, 0, 9] }

    @Test("What is sent over a link out of range arrives in order when it is in range again; other packets are lost")
    mutating func repeating() {
        supervision.hold(acl(central, peripheral), phy: 0, from: .host)
        supervision.hold(acl(peripheral, central), phy: 0, from: .accessory)
        supervision.hold(acl(central, [9, 9, 9, 9, 9, 9]), phy: 0, from: .host)
        supervision.hold([0x0B], phy: 0, from: .accessory)
        #expect(supervision.advance(to: start, isInRange: false).isEmpty)
        #expect(supervision.advance(to: start + .milliseconds(419), isInRange: true).isEmpty)
        let released = supervision.release()
        #expect(released.map(\.board) == [.accessory, .host])
        #expect(released.map(\.bytes) == [acl(central, peripheral), acl(peripheral, central)])
        #expect(supervision.release().isEmpty)
        #expect(supervision.advance(to: start + .milliseconds(900), isInRange: false).isEmpty)
    }

    @Test("Silence for the supervision timeout ends the link for both, once, with the reason connection timeout")
    mutating func timeout() {
        _ = supervision.advance(to: start, isInRange: false)
        let ended = supervision.advance(to: start + .milliseconds(420), isInRange: false)
        #expect(
            ended == [
                .init(board: .accessory, bytes: [5] + central + peripheral + [8], phy: 0),
                .init(board: .host, bytes: [5] + peripheral + central + [8], phy: 0),
            ])
        #expect(supervision.count == 0)
    }

    @Test("A controller that was reset is silent to the other, in range or not")
    mutating func reset() {
        supervision.forget(.host)
        _ = supervision.advance(to: start, isInRange: true)
        #expect(supervision.advance(to: start + .seconds(1), isInRange: true).map(\.board) == [.accessory])
    }

    @Test("A new supervision timeout counts, and a link that was ended is supervised no more")
    mutating func changes() {
        supervision.observe(
            [0x2F] + central + peripheral + [0, 0x18, 0, 0, 0, 0xF4, 1], from: .host, to: .accessory)
        _ = supervision.advance(to: start, isInRange: false)
        #expect(supervision.advance(to: start + .milliseconds(4999), isInRange: false).isEmpty)
        supervision.observe([5] + peripheral + central + [0x13], from: .accessory, to: .host)
        #expect(supervision.count == 0)
    }

    @Test("Packets too short to have addresses do no harm", arguments: 0..<21)
    mutating func short(_ count: Int) {
        for type in [0x05, 0x0D, 0x2F] as [UInt8] {
            let packet = Array(([type] + [UInt8](repeating: 0, count: 20)).prefix(count))
            supervision.observe(packet, from: .host, to: .accessory)
            supervision.hold(packet, phy: 0, from: .host)
        }
    }
}

import BoardProtocol
import Testing

@testable import HILAir

@Suite("LE links")
struct LELinksTests {
    private let central: [UInt8] = [1, 0, 0, 0, 0, 2]
    private let peripheral: [UInt8] = [2, 0, 0, 0, 0, 2]
    private let start = ContinuousClock.now
    private var links = LELinks()

    init() {
        // A connection of 30 ms with a supervision timeout of 420 ms.
        links.observe(
            [0x0D] + peripheral + central + [0, 0, 0x18, 0, 0, 0, 42, 0], from: .accessory, to: .host)
    }

    private func acl(_ source: [UInt8], _ destination: [UInt8]) -> [UInt8] { [1] + source + destination + [0, 0, 9] }

    @Test("Packets of a link out of range arrive in order when it is in range again; other packets are lost")
    mutating func repeating() {
        links.hold(acl(central, peripheral), phy: 0, from: .host)
        links.hold(acl(peripheral, central), phy: 0, from: .accessory)
        links.hold(acl(central, [9, 9, 9, 9, 9, 9]), phy: 0, from: .host)
        links.hold([0x0B], phy: 0, from: .accessory)
        #expect(links.advance(to: start, isInRange: false).isEmpty)
        #expect(links.advance(to: start + .milliseconds(419), isInRange: true).isEmpty)
        let released = links.release()
        #expect(released.map(\.board) == [.accessory, .host])
        #expect(released.map(\.bytes) == [acl(central, peripheral), acl(peripheral, central)])
        #expect(links.release().isEmpty)
        #expect(links.advance(to: start + .milliseconds(900), isInRange: false).isEmpty)
    }

    @Test("Silence for the supervision timeout ends the link for both, once, with the reason connection timeout")
    mutating func timeout() {
        _ = links.advance(to: start, isInRange: false)
        let ended = links.advance(to: start + .milliseconds(420), isInRange: false)
        #expect(
            ended == [
                .init(board: .accessory, bytes: [5] + central + peripheral + [8], phy: 0),
                .init(board: .host, bytes: [5] + peripheral + central + [8], phy: 0),
            ])
        #expect(links.count == 0)
    }

    @Test("The link of a controller that was reset times out, in range or not")
    mutating func reset() {
        links.forget(.host)
        _ = links.advance(to: start, isInRange: true)
        #expect(links.advance(to: start + .seconds(1), isInRange: true).map(\.board) == [.accessory])
    }

    @Test("If several adapters hear a link begin, only the two that it joins are its ends")
    mutating func bystanders() {
        var links = LELinks()
        let second = AirAdapter(board: .accessory, number: 1)
        for other in [AirAdapter.accessory, second] {
            links.observe([0x0C] + central + peripheral, from: .host, to: other)
        }
        for other in [AirAdapter.host, .accessory] {
            links.observe([0x0D] + peripheral + central + [0, 0, 0x18, 0, 0, 0, 42, 0], from: second, to: other)
        }
        #expect(links.count == 1)
        links.forget(second)
        _ = links.advance(to: start, isInRange: true)
        let ended = links.advance(to: start + .seconds(1), isInRange: true)
        #expect(ended == [.init(board: .host, bytes: [5] + peripheral + central + [8], phy: 0)])
    }

    @Test("An advertiser that answers a host that has given up loses its link after six intervals without a packet")
    mutating func givenUp() {
        let (request, answer) = (
            [0x0C] + central + peripheral, [0x0D] + peripheral + central + [0, 0, 0x18, 0, 0, 0, 42, 0]
        )
        let (create, cancel): ([UInt8], [UInt8]) = ([1, 0x43, 0x20, 0], [1, 0x0E, 0x20, 0])
        links.note(command: create, of: .host)
        links.observe(request, from: .host, to: .accessory)
        #expect(links.refuses(answer, from: .accessory) == false)
        links.note(command: cancel, of: .host)
        #expect(links.refuses(request, from: .host) == false, "another packet")
        _ = links.advance(to: start, isInRange: true)
        #expect(links.refuses(answer, from: .accessory) == true)
        #expect(links.advance(to: start + .milliseconds(179), isInRange: true).isEmpty)
        let end = LELinks.Delivery(board: .accessory, bytes: [5] + central + peripheral + [0x3E], phy: 0)
        #expect(links.advance(to: start + .milliseconds(180), isInRange: true) == [end])
        #expect(links.advance(to: start + .seconds(1), isInRange: true).isEmpty)
        links.note(command: create, of: .host)
        #expect(links.refuses(answer, from: .accessory) == false, "the host wants a link again")
        links.note(command: cancel, of: .host)
        links.forget(.host)
        #expect(links.refuses(answer, from: .accessory) == false, "after a reset")
    }

    @Test("A request for the next link is not heard before the advertiser knows that the last one has ended")
    mutating func tooEarly() {
        let request = [0x0C] + central + peripheral + [0, 0, 0x18, 0, 0, 0, 42, 0]
        let advertisement = [0x0B] + peripheral + [0, 0, 0, 0, 0, 0] + [0]
        _ = links.advance(to: start, isInRange: true)
        links.observe(acl(central, peripheral), from: .host, to: .accessory)
        let end = [5] + central + peripheral + [0x13]
        links.observe(end, from: .host, to: .accessory)
        links.hold(end, phy: 0, from: .host)
        links.note(command: [1, 0x43, 0x20, 0], of: .host)
        #expect(links.defers(request, from: .host) == true)
        #expect(links.defers(acl(central, peripheral), from: .host) == false, "another packet")
        _ = links.advance(to: start + .milliseconds(60), isInRange: true)
        #expect(links.missedRequests(of: advertisement, from: .accessory).isEmpty, "the end has not arrived")
        #expect(links.release().map(\.bytes) == [end])
        #expect(links.missedRequests(of: advertisement, from: .accessory).map(\.bytes) == [request])
        #expect(links.defers(request, from: .host) == false)
    }

    @Test("An advertiser that ends such a link itself, or is reset, does not lose it once more")
    mutating func givenUpByBoth() {
        let answer = [0x0D] + peripheral + central + [0, 0, 0x18, 0, 0, 0, 42, 0]
        links.observe([0x0C] + central + peripheral, from: .host, to: .accessory)
        links.note(command: [1, 0x0E, 0x20, 0], of: .host)
        _ = links.advance(to: start, isInRange: true)
        #expect(links.refuses(answer, from: .accessory) == true)
        links.observe([5] + peripheral + central + [0x13], from: .accessory, to: .host)
        #expect(links.advance(to: start + .seconds(1), isInRange: true).isEmpty)
        #expect(links.refuses(answer, from: .accessory) == true)
        links.forget(.accessory)
        #expect(links.advance(to: start + .seconds(2), isInRange: true).isEmpty)
    }

    @Test("A new supervision timeout applies, and a link that has ended is not supervised")
    mutating func changes() {
        links.observe(
            [0x2F] + central + peripheral + [0, 0x18, 0, 0, 0, 0xF4, 1], from: .host, to: .accessory)
        _ = links.advance(to: start, isInRange: false)
        #expect(links.advance(to: start + .milliseconds(4999), isInRange: false).isEmpty)
        links.observe([5] + peripheral + central + [0x13], from: .accessory, to: .host)
        #expect(links.count == 0)
    }

    @Test("Encryption takes two connection intervals; data waits meanwhile and is then sent in order")
    mutating func encryption() {
        let (request, response) = ([0x20] + central + peripheral + [7], [0x21] + peripheral + central + [7])
        let data = [acl(central, peripheral), acl(peripheral, central)]
        #expect(!links.holdsUp(data[0]) && !links.holdsUp(request))
        links.observe(request, from: .host, to: .accessory)
        #expect(links.holdsUp(request) && data.allSatisfy(links.holdsUp))
        #expect(!links.holdsUp(response) && !links.holdsUp([5] + central + peripheral + [0x13]))
        #expect(!links.holdsUp(acl(central, [9, 9, 9, 9, 9, 9])))
        links.hold(request, phy: 0, from: .host)
        links.hold(data[1], phy: 0, from: .accessory)
        links.hold(data[0], phy: 0, from: .host)
        _ = links.advance(to: start, isInRange: true)
        // 30 ms a connection event.
        _ = links.advance(to: start + .milliseconds(59), isInRange: true)
        #expect(links.release().isEmpty && links.holdsUp(data[0]))
        _ = links.advance(to: start + .milliseconds(60), isInRange: true)
        #expect(!links.holdsUp(data[0]))
        #expect(links.release().map(\.bytes) == [request, data[1], data[0]])
    }

    @Test("If a link ends while encryption starts, its waiting packets are dropped")
    mutating func endedInEncryption() {
        let request = [0x20] + central + peripheral
        links.observe(request, from: .host, to: .accessory)
        links.hold(request, phy: 0, from: .host)
        links.observe([5] + central + peripheral + [0x13], from: .host, to: .accessory)
        #expect(!links.holdsUp(request) && links.release().isEmpty && links.count == 0)
    }

    @Test("The other end hears of a link's end one connection interval after the last data, or else at once")
    mutating func end() {
        let (data, end) = (acl(central, peripheral), [5] + central + peripheral + [0x13])
        _ = links.advance(to: start, isInRange: true)
        links.observe(data, from: .host, to: .accessory)
        #expect(!links.holdsUp(data))
        _ = links.advance(to: start + .milliseconds(10), isInRange: true)
        for other in [AirAdapter.accessory, AirAdapter(board: .accessory, number: 1)] {
            links.observe(end, from: .host, to: other)
        }
        #expect(links.holdsUp(end) && links.count == 1)
        links.hold(end, phy: 0, from: .host)
        _ = links.advance(to: start + .milliseconds(29), isInRange: true)
        #expect(links.release().isEmpty)
        _ = links.advance(to: start + .milliseconds(30), isInRange: true)
        #expect(links.release() == [.init(board: .accessory, bytes: end, phy: 0)])
        #expect(links.count == 0 && !links.holdsUp(end))
    }

    @Test("A link without data for an interval ends at once")
    mutating func quietEnd() {
        let end = [5] + central + peripheral + [0x13]
        _ = links.advance(to: start, isInRange: true)
        links.observe(acl(central, peripheral), from: .host, to: .accessory)
        _ = links.advance(to: start + .milliseconds(30), isInRange: true)
        links.observe(end, from: .host, to: .accessory)
        #expect(!links.holdsUp(end) && links.count == 0)
    }

    @Test("An end that waits reaches the other side although the controller of the one that ended it is reset")
    mutating func endAndReset() {
        let end = [5] + central + peripheral + [0x13]
        _ = links.advance(to: start, isInRange: true)
        links.observe(acl(central, peripheral), from: .host, to: .accessory)
        links.observe(end, from: .host, to: .accessory)
        links.hold(end, phy: 0, from: .host)
        links.forget(.host)
        _ = links.advance(to: start + .milliseconds(30), isInRange: true)
        #expect(links.release() == [.init(board: .accessory, bytes: end, phy: 0)])
    }

    @Test("A new connection interval applies to the next start of encryption")
    mutating func slowEncryption() {
        links.observe(
            [0x2F] + central + peripheral + [0, 0x50, 0, 0, 0, 0xF4, 1], from: .host, to: .accessory)
        links.observe([0x20] + central + peripheral, from: .host, to: .accessory)
        _ = links.advance(to: start, isInRange: true)
        _ = links.advance(to: start + .milliseconds(199), isInRange: true)
        #expect(links.holdsUp(acl(central, peripheral)))
        _ = links.advance(to: start + .milliseconds(200), isInRange: true)
        #expect(!links.holdsUp(acl(central, peripheral)))
    }

    @Test("Packets too short to have addresses do no harm", arguments: 0..<21)
    mutating func short(_ count: Int) {
        for type in [0x01, 0x05, 0x0D, 0x20, 0x2F] as [UInt8] {
            let packet = Array(([type] + [UInt8](repeating: 0, count: 20)).prefix(count))
            links.observe(packet, from: .host, to: .accessory)
            links.hold(packet, phy: 0, from: .host)
            links.lose(packet)
            #expect(!links.holdsUp(packet))
        }
    }

    @Test("After a change of the parameters that it missed, one end has Instant Passed, and the other times out")
    mutating func missedInstant() {
        _ = links.advance(to: start, isInRange: true)
        links.lose(acl(central, peripheral))
        links.lose([0x2F] + central + peripheral + [0, 0x50, 0, 0, 0, 0xF4, 1])
        // Six connection events of 30 ms.
        #expect(links.advance(to: start + .milliseconds(179), isInRange: true).isEmpty)
        let instant = links.advance(to: start + .milliseconds(180), isInRange: true)
        #expect(instant == [.init(board: .accessory, bytes: [5] + central + peripheral + [0x28], phy: 0)])
        #expect(links.advance(to: start + .milliseconds(599), isInRange: true).isEmpty)
        let timeout = links.advance(to: start + .milliseconds(600), isInRange: true)
        #expect(timeout == [.init(board: .host, bytes: [5] + peripheral + central + [8], phy: 0)])
        #expect(links.count == 0)
    }
}

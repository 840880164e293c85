import BoardProtocol
import Testing

@testable import HILAir

// Data Length Extension between two of RootCanal's controllers.
extension RootCanalTests {
    private static let near = Geometry(distance: 1)
    /// 251 bytes, 17,040 µs, in both directions.
    private static let longest: [UInt8] = [0xFB, 0, 0x90, 0x42, 0xFB, 0, 0x90, 0x42]
    private static let suggestLongest = "012420 04 FB00 9042"

    /// LE Set Data Length: 251 bytes, 17,040 µs.
    private func setLongest(_ handle: [UInt8]) -> [UInt8] { [1, 0x22, 0x20, 6] + handle + [0xFB, 0, 0x90, 0x42] }

    /// The lengths in an adapter's Data Length Change events about a link.
    private func changes(
        _ outcomes: [BluetoothMedium.Outcome], of board: AirAdapter, on handle: [UInt8]
    ) -> [[UInt8]] {
        outcomes.compactMap { outcome in
            guard case .hci(board, let event) = outcome, event.starts(with: [4, 0x3E, 11, 7] + handle) else {
                return nil
            }
            return Array(event[6...])
        }
    }

    /// The first byte of the peer's features in the host board's events.
    private func remoteFeatures(_ outcomes: [BluetoothMedium.Outcome]) -> [UInt8] {
        outcomes.compactMap { outcome in
            guard case .hci(.host, let event) = outcome, event.starts(with: [4, 0x3E, 12, 4, 0]) else { return nil }
            return event[7]
        }
    }

    @Test("Both hosts suggest the longest packets, and both hear of them as soon as the link is up")
    func dataLengthOfNewLink() throws {
        let link = try connected(after: [RootCanalTests.suggestLongest])
        #expect(changes(link.outcomes, of: .host, on: link.handle) == [RootCanalTests.longest])
        #expect(changes(link.outcomes, of: .accessory, on: link.peerHandle) == [RootCanalTests.longest])
    }

    @Test("Either end may ask later: for what it sends alone, as long as the other does not ask")
    func dataLengthOnRequest() throws {
        var link = try connected()
        #expect(changes(link.outcomes, of: .host, on: link.handle).isEmpty, "27 bytes are no change")
        let short: [UInt8] = [27, 0, 0x48, 1]
        var outcomes = link.medium.receive(setLongest(link.peerHandle), from: .accessory, geometry: RootCanalTests.near)
        #expect(outcomes.first == .hci(.accessory, [4, 0x0E, 6, 1, 0x22, 0x20, 0] + link.peerHandle))
        #expect(
            changes(outcomes, of: .accessory, on: link.peerHandle) == [Array(RootCanalTests.longest.prefix(4)) + short])
        #expect(changes(outcomes, of: .host, on: link.handle) == [short + RootCanalTests.longest.prefix(4)])
        outcomes = link.medium.receive(setLongest(link.handle), from: .host, geometry: RootCanalTests.near)
        #expect(changes(outcomes, of: .host, on: link.handle) == [RootCanalTests.longest])
        #expect(changes(outcomes, of: .accessory, on: link.peerHandle) == [RootCanalTests.longest])
    }

    @Test("Out of range nothing is agreed on; back in range it is")
    func dataLengthOutOfRange() throws {
        var link = try connected()
        let apart = Geometry(distance: nil)
        let asked = link.medium.receive(setLongest(link.handle), from: .host, geometry: apart)
        #expect(asked == [.hci(.host, [4, 0x0E, 6, 1, 0x22, 0x20, 0] + link.handle)])
        let back = link.medium.tick(geometry: RootCanalTests.near, now: .now)
        #expect(changes(back, of: .host, on: link.handle).count == 1)
        #expect(changes(back, of: .accessory, on: link.peerHandle).count == 1)
    }

    @Test("Each end reads the extension among the features of the other")
    func dataLengthAmongFeatures() throws {
        for plain in [[], [AirAdapter.accessory], [.host]] {
            var link = try connected(plain: plain)
            let asked = [1, 0x16, 0x20, 2] + link.handle
            var outcomes = link.medium.receive(asked, from: .host, geometry: RootCanalTests.near)
            let end = ContinuousClock.now + .seconds(2)
            while ContinuousClock.now < end, remoteFeatures(outcomes).isEmpty {
                outcomes += link.medium.tick(geometry: RootCanalTests.near, now: .now)
            }
            let features = remoteFeatures(outcomes).map { $0 & 0x20 }
            #expect(features == [plain.isEmpty ? 0x20 : 0])
        }
    }

    @Test("If one end lacks the extension, packets stay short, and neither end hears of a change")
    func dataLengthOfOneEnd() throws {
        for plain in [AirAdapter.accessory, .host] {
            var link = try connected(after: [RootCanalTests.suggestLongest], plain: [plain])
            let (other, handle) = plain == .host ? (AirAdapter.accessory, link.peerHandle) : (.host, link.handle)
            let asked = link.medium.receive(setLongest(handle), from: other, geometry: RootCanalTests.near)
            #expect(asked == [.hci(other, [4, 0x0E, 6, 1, 0x22, 0x20, 0] + handle)])
            let all = link.outcomes + asked
            #expect(changes(all, of: .host, on: link.handle) + changes(all, of: .accessory, on: link.peerHandle) == [])
            let unknown = link.medium.receive([1, 0x2F, 0x20, 0], from: plain, geometry: RootCanalTests.near)
            #expect(unknown == [.hci(plain, [4, 0x0E, 4, 1, 0x2F, 0x20, 1])])
        }
    }
}

import BoardProtocol
import Foundation
import RadioModel
import Testing

@testable import HILAir

/// The path of RootCanal's library, from `HIL_ROOTCANAL` or the cache.
private let library: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["HIL_ROOTCANAL"] { return path }
    let cache =
        environment["HIL_CACHE"]
        ?? (environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache") + "/hil"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
    return names.first { $0.hasPrefix("rootcanal-") && $0.hasSuffix(".so") }.map { "\(cache)/\($0)" }
}()

/// Whether every test must run, as in `make check`. Then a missing library makes the tests fail.
let allTestsMustRun = ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"

@Suite("RootCanal's controllers", .enabled(if: library != nil || allTestsMustRun), .serialized)
struct RootCanalTests {
    private let address = DeviceAddress("02:00:00:00:01:B0")!

    /// The controllers of both boards.
    ///
    /// - Parameter plain: The adapters without Data Length Extension.
    func medium(plain: [AirAdapter] = []) throws -> BluetoothMedium {
        let rootCanal = try RootCanal(library: try #require(library))
        var medium = BluetoothMedium()
        for board in [AirAdapter.host, .accessory] {
            medium.plugIn(
                try rootCanal.controller(address: AirAddress.of(.bluetooth, on: board.board)), on: board,
                hasDataLength: !plain.contains(board))
        }
        return medium
    }

    @Test("A reset is answered, and the address is the board's")
    func reset() throws {
        var medium = try medium()
        let near = Geometry(distance: 1)
        let answer = medium.receive([1, 0x03, 0x0C, 0], from: .host, geometry: near)
        #expect(answer == [.hci(.host, [4, 0x0E, 4, 1, 0x03, 0x0C, 0])])
        let asked = medium.receive([1, 0x09, 0x10, 0], from: .host, geometry: near)
        #expect(asked == [.hci(.host, [4, 0x0E, 10, 1, 0x09, 0x10, 0] + address.bytes.reversed())])
    }

    @Test("An isochronous packet is reported, and the controller survives")
    func isochronous() throws {
        var medium = try medium()
        let near = Geometry(distance: 1)
        guard case .refused(.host, _)? = medium.receive([5, 1, 0, 0, 0x40], from: .host, geometry: near).first else {
            Issue.record("nothing is told")
            return
        }
        #expect(!medium.receive([1, 0x03, 0x0C, 0], from: .host, geometry: near).isEmpty)
    }

    @Test("An advertisement is heard with the signal of the distance, and not beyond the range")
    func advertising() throws {
        var medium = try medium()
        for setUp in [
            "01030C00", "01010C08FFFFFFFFFFFFFF3F", "01012008FFFFFFFFFFFFFFFF",
            "010620 0F 2000 2000 00 00 00 000000000000 07 00",
            "01082020 03 020106" + String(repeating: "00", count: 28), "010A200101",
        ] { _ = medium.receive(bytes(setUp), from: .accessory, geometry: Geometry(distance: 1)) }
        for setUp in [
            "01030C00", "01010C08FFFFFFFFFFFFFF3F", "01012008FFFFFFFFFFFFFFFF", "010B2007 00 1000 1000 00 00",
            "010C20020100",
        ] { _ = medium.receive(bytes(setUp), from: .host, geometry: Geometry(distance: 1)) }
        #expect(reports(&medium, at: nil).isEmpty)
        let report = try #require(reports(&medium, at: 0.3).first)
        #expect(report.last == UInt8(bitPattern: -24))
        #expect(reports(&medium, at: 10).first?.last == UInt8(bitPattern: -70))
    }

    /// The advertising reports of the host's controller within several advertising intervals of 20 ms.
    ///
    /// RootCanal uses the machine's clock, so the test does as well.
    private func reports(_ medium: inout BluetoothMedium, at distance: Double?) -> [[UInt8]] {
        var reports: [[UInt8]] = []
        let end = ContinuousClock.now + .milliseconds(distance == nil ? 100 : 2000)
        while ContinuousClock.now < end, reports.isEmpty {
            reports += medium.tick(geometry: Geometry(distance: distance), now: .now).compactMap {
                if case .hci(.host, let packet) = $0, packet.starts(with: [4, 0x3E]), packet[3] == 2 {
                    packet
                } else {
                    nil
                }
            }
        }
        return reports
    }

    /// Two controllers with an LE link between them: connection events every 30 to 50 ms, a supervision timeout of 420 ms; and
    /// the host's handle of it.
    ///
    /// - Parameters:
    ///   - further: Commands to both controllers before they connect.
    ///   - plain: The adapters without Data Length Extension.
    func connected(after further: [String] = [], plain: [AirAdapter] = []) throws -> Connected {
        var medium = try medium(plain: plain)
        let near = Geometry(distance: 1)
        for board in [AirAdapter.host, .accessory] {
            for setUp in ["01030C00", "01010C08FFFFFFFFFFFFFF3F", "01012008FFFFFFFFFFFFFFFF"] + further {
                _ = medium.receive(bytes(setUp), from: board, geometry: near)
            }
        }
        for setUp in ["010620 0F 2000 2000 00 00 00 000000000000 07 00", "010A200101"] {
            _ = medium.receive(bytes(setUp), from: .accessory, geometry: near)
        }
        let connect = "010D20 19 1000 1000 00 00 B00200000002 00 1800 2800 0000 2A00 0000 0000"
        var outcomes = medium.receive(bytes(connect), from: .host, geometry: near)
        let end = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < end, outcomes.filter(isConnected).count < 2 {
            outcomes += medium.tick(geometry: near, now: .now)
        }
        #expect(outcomes.filter(isConnected).count == 2)
        func handle(of board: AirAdapter) throws -> [UInt8] {
            let handles = outcomes.filter(isConnected).compactMap { outcome -> [UInt8]? in
                if case .hci(board, let event) = outcome { Array(event[5..<7]) } else { nil }
            }
            return try #require(handles.first)
        }
        return Connected(
            medium: medium, handle: try handle(of: .host), peerHandle: try handle(of: .accessory), outcomes: outcomes)
    }

    /// Two controllers with a link, and what their hosts heard while it began.
    struct Connected {
        var medium: BluetoothMedium
        /// The host board's handle.
        let handle: [UInt8]
        /// The accessory board's handle.
        let peerHandle: [UInt8]
        let outcomes: [BluetoothMedium.Outcome]
    }

    /// A host that wants a link to the accessory, and has heard an advertisement that was its last.
    private func asked() throws -> (medium: BluetoothMedium, outcomes: [BluetoothMedium.Outcome]) {
        var medium = try medium()
        let near = Geometry(distance: 1)
        let connect = "010D20 19 1000 1000 00 00 B00200000002 00 1800 2800 0000 2A00 0000 0000"
        for command in ["01030C00", "01010C08FFFFFFFFFFFFFF3F", "01012008FFFFFFFFFFFFFFFF", connect] {
            _ = medium.receive(bytes(command), from: .host, geometry: near)
        }
        // ADV_IND.
        let last = [0x0B] + bytes("B00200000002 000000000000 00 00 00")
        return (medium, medium.release(last, phy: 0, from: .accessory, geometry: near))
    }

    @Test("A host whose request an advertiser has missed gets its link when the advertiser is heard again")
    func advertiserHasStopped() throws {
        var (medium, outcomes) = try asked()
        let near = Geometry(distance: 1)
        let start = ContinuousClock.now
        for time in 0...20 { outcomes += medium.tick(geometry: near, now: start + .milliseconds(5 * time)) }
        #expect(outcomes.filter(isConnected).isEmpty, "nobody advertises")
        for setUp in [
            "01030C00", "01010C08FFFFFFFFFFFFFF3F", "01012008FFFFFFFFFFFFFFFF",
            "010620 0F 2000 2000 00 00 00 000000000000 07 00", "010A200101",
        ] { _ = medium.receive(bytes(setUp), from: .accessory, geometry: near) }
        let end = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < end, outcomes.filter(isConnected).count < 2 {
            outcomes += medium.tick(geometry: near, now: .now)
        }
        #expect(outcomes.filter(isConnected).count == 2)
    }

    @Test("An attempt that is given up just after its request stays given up")
    func requestIsCancelled() throws {
        var (medium, outcomes) = try asked()
        let near = Geometry(distance: 1)
        outcomes += medium.receive(bytes("010E2000"), from: .host, geometry: near)
        let start = ContinuousClock.now
        for time in 0...100 { outcomes += medium.tick(geometry: near, now: start + .milliseconds(5 * time)) }
        #expect(ends(outcomes) == [0x02], "the attempt ended with Unknown Connection Identifier, once")
    }

    /// The statuses with which the host heard that its attempts have ended.
    private func ends(_ outcomes: [BluetoothMedium.Outcome]) -> [UInt8] {
        outcomes.compactMap { outcome in
            guard case .hci(.host, let event) = outcome, event[1] == 0x3E, event[3] == 0x0A else { return nil }
            return event[4]
        }
    }

    @Test("An advertiser's answer to an attempt that was given up reaches nobody")
    func answerIsLate() throws {
        var (medium, outcomes) = try asked()
        let near = Geometry(distance: 1)
        // The request goes out.
        for time in 0...2 { outcomes += medium.tick(geometry: near, now: .now + .milliseconds(5 * time)) }
        outcomes += medium.receive(bytes("010E2000"), from: .host, geometry: near)
        let answer = [0x0D] + bytes("B00200000002 B00100000002 00 00 1800 0000 2A00")
        outcomes += medium.release(answer, phy: 0, from: .accessory, geometry: near)
        let start = ContinuousClock.now
        for time in 0...100 { outcomes += medium.tick(geometry: near, now: start + .milliseconds(5 * time)) }
        #expect(ends(outcomes) == [0x02])
    }

    @Test("An accessory hears of the end of a link before that of the next one's beginning, however fast the host is")
    func nextLink() throws {
        let first = try connected()
        var medium = first.medium
        let near = Geometry(distance: 1)
        _ = medium.receive(bytes("010A200101"), from: .accessory, geometry: near)
        _ = medium.receive([2] + first.handle + bytes("0700 0300 0400 0A0300"), from: .host, geometry: near)
        _ = medium.tick(geometry: near, now: .now)
        var outcomes = medium.receive([1, 6, 4, 3] + first.handle + [0x13], from: .host, geometry: near)
        let connect = "010D20 19 1000 1000 00 00 B00200000002 00 1800 2800 0000 2A00 0000 0000"
        outcomes += medium.receive(bytes(connect), from: .host, geometry: near)
        func news() -> [String] {
            outcomes.compactMap { outcome in
                guard case .hci(.accessory, let event) = outcome else { return nil }
                return event[1] == 0x05 ? "end" : isConnected(outcome) ? "link" : nil
            }
        }
        let end = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < end, news().count < 2 { outcomes += medium.tick(geometry: near, now: .now) }
        #expect(news() == ["end", "link"])
    }

    @Test("An accessory hears of encryption at least two connection events after the host asked for it")
    func encryption() throws {
        let connected = try connected()
        var (medium, handle) = (connected.medium, connected.handle)
        let near = Geometry(distance: 1)
        let begin = ContinuousClock.now
        _ = medium.tick(geometry: near, now: begin)
        let start = [0x01, 0x19, 0x20, 28] + handle + [UInt8](repeating: 0, count: 26)
        var outcomes = medium.receive(start, from: .host, geometry: near)
        var now = begin
        func isKeyRequest(_ outcome: BluetoothMedium.Outcome) -> Bool {
            guard case .hci(.accessory, let event) = outcome else { return false }
            return event.starts(with: [4, 0x3E]) && event[3] == 5
        }
        while now < begin + .seconds(2), !outcomes.contains(where: isKeyRequest) {
            now = .now
            outcomes += medium.tick(geometry: near, now: now)
        }
        #expect(outcomes.contains(where: isKeyRequest))
        #expect(begin.duration(to: now) >= .milliseconds(60))
    }

    @Test("A packet of the greatest data length arrives whole")
    func longest() throws {
        let connected = try connected()
        var (medium, handle) = (connected.medium, connected.handle)
        let near = Geometry(distance: 1)
        let asked = medium.receive([1, 0x02, 0x20, 0], from: .host, geometry: near)
        #expect(asked == [.hci(.host, [4, 0x0E, 7, 1, 0x02, 0x20, 0, 251, 0, 20])])
        // An L2CAP message of 247 bytes on the attribute protocol's channel.
        let message: [UInt8] = [247, 0, 4, 0] + (0..<247).map { UInt8($0) }
        var outcomes = medium.receive([2] + handle + [251, 0] + message, from: .host, geometry: near)
        let end = ContinuousClock.now + .seconds(2)
        func isData(_ outcome: BluetoothMedium.Outcome) -> Bool {
            if case .hci(.accessory, let packet) = outcome { packet.first == 2 } else { false }
        }
        while ContinuousClock.now < end, !outcomes.contains(where: isData) {
            outcomes += medium.tick(geometry: near, now: .now)
        }
        let received = outcomes.filter(isData).compactMap { outcome -> [UInt8]? in
            if case .hci(_, let packet) = outcome { Array(packet[3...]) } else { nil }
        }
        #expect(received == [[251, 0] + message])
    }

    @Test("A link out of range is given up after its supervision timeout, on both sides")
    func linkLoss() throws {
        var medium = try connected().medium
        let apart = Geometry(distance: nil)
        let start = ContinuousClock.now
        #expect(medium.tick(geometry: apart, now: start).isEmpty)
        #expect(medium.tick(geometry: apart, now: start + .milliseconds(400)).isEmpty)
        let lost = medium.tick(geometry: apart, now: start + .milliseconds(420))
        for board in [AirAdapter.host, .accessory] {
            #expect(
                lost.contains {
                    if case .hci(board, let event) = $0 {
                        event.starts(with: [4, 5, 4, 0]) && event[6] == 8
                    } else {
                        false
                    }
                })
        }
    }

    private func isConnected(_ outcome: BluetoothMedium.Outcome) -> Bool {
        guard case .hci(_, let event) = outcome, event.starts(with: [4, 0x3E]) else { return false }
        return event[3] == 0x01 || event[3] == 0x0A
    }

    @Test("RootCanal survives a command on which it would abort")
    func aborting() throws {
        var medium = try medium()
        let outcomes = medium.receive([1, 0x01, 0x0C, 0], from: .host, geometry: Geometry(distance: 1))
        #expect(outcomes.contains(.hci(.host, [4, 0x0F, 4, 0x12, 1, 0x01, 0x0C])))
        #expect(medium.receive([1, 0x03, 0x0C, 0], from: .accessory, geometry: Geometry(distance: 1)).count == 1)
    }

    func bytes(_ text: String) -> [UInt8] { Hex.bytes(Array(text.utf8.filter { $0 != 0x20 })) ?? [] }
}

@Suite("RootCanal's library")
struct RootCanalLibraryTests {
    @Test("A missing library, or another library, is an error that says so")
    func wrongLibrary() {
        #expect(throws: RootCanalError.self) { try RootCanal(library: "/nowhere/librootcanal_ffi.so") }
        #expect(throws: RootCanalError.self) { try RootCanal(library: "libc.so.6") }
    }
}

import BoardProtocol
import Testing

@testable import HILAir

@Suite("Data Length Extension on the air")
struct DataLengthMediumTests {
    /// A controller that sends what a test gives it, and counts what it gets.
    private final class Scripted: BluetoothController {
        var pending: [ControllerOutput] = []
        var received = 0

        func receive(hci packet: [UInt8]) -> [ControllerOutput] { note() }
        func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] { note() }

        func tick() -> [ControllerOutput] {
            defer { pending = [] }
            return pending
        }

        private func note() -> [ControllerOutput] {
            received += 1
            return []
        }
    }

    private static let second = AirAdapter(board: .accessory, number: 1)
    private let near = Geometry(distance: 1)
    private let phone: [UInt8] = [1, 0, 0, 0, 0, 2]
    private let longest: [UInt8] = [0xFB, 0, 0x90, 0x42]
    private let controllers = [
        AirAdapter.host: Scripted(), .accessory: Scripted(), DataLengthMediumTests.second: Scripted(),
    ]
    private let faults = FaultInjector()
    private var medium: BluetoothMedium

    init() {
        medium = BluetoothMedium(faults: faults)
        for (adapter, controller) in controllers {
            medium.plugIn(controller, on: adapter)
            _ = medium.receive([1, 0x01, 0x0C, 8] + [UInt8](repeating: 0xFF, count: 8), from: adapter, geometry: near)
            _ = medium.receive([1, 0x01, 0x20, 8] + [UInt8](repeating: 0xFF, count: 8), from: adapter, geometry: near)
        }
    }

    /// Lets an adapter send packets.
    private mutating func say(_ outputs: [ControllerOutput], on adapter: AirAdapter) -> [BluetoothMedium.Outcome] {
        controllers[adapter]?.pending = outputs
        return medium.tick(geometry: near, now: .now)
    }

    /// LE Connection Complete.
    private func complete(_ handle: UInt8, isCentral: Bool, _ peer: [UInt8]) -> ControllerOutput {
        .hci([4, 0x3E, 19, 1, 0, handle, 0, isCentral ? 0 : 1, 0] + peer + [0x18, 0, 0, 0, 42, 0, 0])
    }

    /// Lets the host board connect to an adapter with this address.
    private mutating func connect(to adapter: AirAdapter, _ address: [UInt8], handle: UInt8) {
        _ = say([.linkLayer(bytes: [0x0C] + phone + address + [0, 0, 0x18, 0, 0, 0, 42, 0], phy: 0)], on: .host)
        let accepted = [0x0D] + address + phone + [0, 0, 0x18, 0, 0, 0, 42, 0]
        _ = say([.linkLayer(bytes: accepted, phy: 0), complete(1, isCentral: false, phone)], on: adapter)
        _ = say([complete(handle, isCentral: true, address)], on: .host)
    }

    /// The adapters whose hosts hear of a data length, and the handles.
    private func changes(_ outcomes: [BluetoothMedium.Outcome]) -> [AirAdapter: UInt8] {
        var heard: [AirAdapter: UInt8] = [:]
        for case .hci(let adapter, let event) in outcomes where event.starts(with: [4, 0x3E, 11, 7]) {
            heard[adapter] = event[4]
        }
        return heard
    }

    @Test("Of two links of one phone, each has its own length, although both accessories hear each message")
    mutating func bystander() {
        connect(to: .accessory, [2, 0, 0, 0, 0, 2], handle: 5)
        connect(to: DataLengthMediumTests.second, [3, 0, 0, 0, 0, 2], handle: 6)
        let first = medium.receive([1, 0x22, 0x20, 6, 5, 0] + longest, from: .host, geometry: near)
        #expect(changes(first) == [.host: 5, .accessory: 1])
        let second = medium.receive([1, 0x22, 0x20, 6, 6, 0] + longest, from: .host, geometry: near)
        #expect(changes(second) == [.host: 6, DataLengthMediumTests.second: 1])
    }

    @Test("A request waits until encryption has begun")
    mutating func encryption() {
        let accessory: [UInt8] = [2, 0, 0, 0, 0, 2]
        connect(to: .accessory, accessory, handle: 5)
        _ = say([.linkLayer(bytes: [0x20] + phone + accessory + [7], phy: 0)], on: .host)
        let asked = medium.receive([1, 0x22, 0x20, 6, 5, 0] + longest, from: .host, geometry: near)
        #expect(asked == [.hci(.host, [4, 0x0E, 6, 1, 0x22, 0x20, 0, 5, 0])])
        let start = ContinuousClock.now
        _ = medium.tick(geometry: near, now: start)
        #expect(changes(medium.tick(geometry: near, now: start + .milliseconds(59))).isEmpty)
        // Two connection events of 30 ms.
        #expect(changes(medium.tick(geometry: near, now: start + .milliseconds(61))) == [.host: 5, .accessory: 1])
    }

    @Test("A lost request changes nothing")
    mutating func lost() {
        connect(to: .accessory, [2, 0, 0, 0, 0, 2], handle: 5)
        _ = faults.arm(.dropped(.radio(.bluetooth)), firings: 1, client: 1)
        let asked = medium.receive([1, 0x22, 0x20, 6, 5, 0] + longest, from: .host, geometry: near)
        #expect(changes(asked).isEmpty)
        let again = medium.receive([1, 0x22, 0x20, 6, 5, 0, 0xFA, 0, 0x90, 0x42], from: .host, geometry: near)
        #expect(changes(again) == [.host: 5, .accessory: 1])
    }

    @Test("RootCanal never gets the commands and the messages of the extension")
    mutating func separation() {
        let before = controllers[.host]?.received
        let commands: [[UInt8]] = [
            [1, 0x2F, 0x20, 0], [1, 0x23, 0x20, 0], [1, 0x24, 0x20, 4] + longest, [1, 0x22, 0x20, 6, 1, 0] + longest,
            [1, 0x22, 0x20, 0],
        ]
        for command in commands { #expect(!medium.receive(command, from: .host, geometry: near).isEmpty) }
        let message = [0xB4] + [UInt8](repeating: 1, count: 12) + longest + longest
        for bytes in [message, [0xB4], message + [0]] {
            _ = medium.release(bytes, phy: 0, from: .accessory, geometry: near)
        }
        #expect(controllers[.host]?.received == before)
    }
}

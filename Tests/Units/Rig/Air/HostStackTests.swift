import BoardProtocol
import Foundation
import Glibc
import HILPOSIX
import RadioModel
import RigModel
import Testing
import VirtualRadio

@testable import HILAir

@Suite("Host stacks on the air", .timeLimit(.minutes(1)))
struct HostStackTests {
    private let rig: FakeRig
    private let reset: [UInt8] = [1, 3, 0x0C, 0]

    init() throws { rig = try FakeRig() }

    /// The capture's names of interfaces.
    private func interfaces(in path: String) -> Bool {
        let file = FileManager.default.contents(atPath: path) ?? Data()
        return file.range(of: Data("accessory-hci8".utf8)) != nil
    }

    private func next(_ client: AirClient, from place: Int = 0, _ wanted: HostStackEvent, of adapter: AdapterID = 8)
        async throws
    {
        _ = try await client.events.first(from: place, within: .seconds(10), waitingFor: "\(wanted)") {
            $0 == .hostStack(adapter, wanted)
        }
    }

    @Test("A program gets a controller with the next free address; its packets are answered and captured")
    func journey() async throws {
        let client = try await rig.client()
        let facets = AirFacets(client)
        let capture = rig.folder + "/capture.pcapng"
        try await client.ask { .startCapture(path: capture, $0) }
        let port = try await facets.attachStack(at: nil)
        #expect(port.adapter == 8 && port.address == DeviceAddress("02:00:00:00:02:B8"))
        var information = stat()
        #expect(stat(port.socket, &information) == 0 && information.st_mode & 0o777 == 0o600)
        let program = try UnixSocket.connect(to: port.socket)
        try await next(client, .connected)
        // In two pieces.
        try program.write(reset.prefix(2))
        try program.write(reset.dropFirst(2))
        #expect(try program.read() == [4, 0x0E, 1, 3])
        #expect(try await client.ask { .stopCapture($0) } == 2)
        #expect(interfaces(in: capture))
        try await facets.detachStack(8)
        #expect(try program.read().isEmpty)
        #expect(access(port.socket, F_OK) != 0)
    }

    @Test("The phone's host stack has the host board's place on the air, and its packets are captured as that board's")
    func phone() async throws {
        let client = try await rig.client()
        let facets = AirFacets(client)
        let capture = rig.folder + "/capture.pcapng"
        try await client.ask { .startCapture(path: capture, $0) }
        let port = try await facets.attachPhone()
        #expect(port.adapter == .phone && port.address == DeviceAddress("02:00:00:00:01:B0"))
        let again = await #expect(throws: RadioError.self) { try await facets.attachPhone() }
        #expect(again.map { "\($0)".contains("already") } == true)
        let phone = try UnixSocket.connect(to: port.socket)
        try await next(client, .connected, of: .phone)
        try phone.write(reset)
        #expect(try phone.read() == [4, 0x0E, 1, 3])
        let second = try UnixSocket.connect(to: port.socket)
        #expect(try second.read().isEmpty)
        try await next(client, .refused(why: "a second connection, but a controller has one host"), of: .phone)
        #expect(try await client.ask { .stopCapture($0) } == 2)
        let file = FileManager.default.contents(atPath: capture) ?? Data()
        #expect(file.range(of: Data("host-hci0".utf8)) != nil)
        try await facets.detachPhone()
        #expect(access(port.socket, F_OK) != 0)
        #expect(try await facets.attachPhone().socket == port.socket)
    }

    @Test("Addresses are taken once, and there are eight controllers")
    func addresses() async throws {
        let client = try await rig.client()
        let facets = AirFacets(client)
        let wanted = DeviceAddress("02:00:00:00:02:B9")!
        #expect(try await facets.attachStack(at: wanted).address == wanted)
        for (address, owner) in [(wanted, "host stack 8"), (AirAddress.of(.bluetooth, on: .host), "a board")] {
            let error = await #expect(throws: RadioError.self) { try await facets.attachStack(at: address) }
            #expect(error.map { "\($0)" }?.contains("is already the address of \(owner)") == true)
        }
        let neighbour = AirAdvertiser(named: "Lamp", address: DeviceAddress("02:00:00:00:99:01")!)
        try await facets.add(.advertiser(neighbour))
        await #expect(throws: RadioError.self) { try await facets.attachStack(at: neighbour.address) }
        await #expect(throws: RadioError.self) {
            try await facets.add(.advertiser(AirAdvertiser(named: "Lamp", address: wanted)))
        }
        var given: [DeviceAddress] = []
        for _ in 1..<8 { given.append(try await facets.attachStack(at: nil).address) }
        #expect(Set(given).count == 7 && !given.contains(wanted))
        let error = await #expect(throws: RadioError.self) { try await facets.attachStack(at: nil) }
        #expect(error.map { "\($0)" }?.contains("already has all 8 host stacks") == true)
        try await facets.detachStack(10)
        #expect(try await facets.attachStack(at: nil).adapter == 10)
    }

    @Test("A program that does not speak H4 is cut off for good, and the others go on")
    func nonsense() async throws {
        let client = try await rig.client()
        let facets = AirFacets(client)
        let (bad, good) = (try await facets.attachStack(at: nil), try await facets.attachStack(at: nil))
        let (liar, honest) = (try UnixSocket.connect(to: bad.socket), try UnixSocket.connect(to: good.socket))
        try liar.write(Array("Hello, I am a keyboard\n".utf8))
        let why = "a packet begins with 48 65 6C 6C 6F 2C 20 49 20 61 6D 20 61 20 6B 65 (“Hello, I am a ke”), "
        try await next(client, .cutOff(why: why + "which is no H4 packet"))
        #expect(try liar.read().isEmpty)
        #expect(throws: SystemError.self) { try UnixSocket.connect(to: bad.socket) }
        try honest.write(reset)
        #expect(try honest.read() == [4, 0x0E, 1, 3])
    }

    @Test("A program may connect again, and has a new controller; a second one beside it is refused")
    func connections() async throws {
        let client = try await rig.client()
        let port = try await AirFacets(client).attachStack(at: nil)
        let first = try UnixSocket.connect(to: port.socket)
        try await next(client, .connected)
        let second = try UnixSocket.connect(to: port.socket)
        #expect(try second.read().isEmpty)
        try await next(client, .refused(why: "a second connection, but a controller has one host"))
        let place = client.events.count
        first.close()
        try await next(client, from: place, .disconnected)
        let third = try UnixSocket.connect(to: port.socket)
        try await next(client, from: place, .connected)
        try third.write(reset)
        #expect(try third.read() == [4, 0x0E, 1, 3])
    }

    @Test("The controllers of a client that is gone are taken away")
    func goneClient() async throws {
        let (first, second) = (try await rig.client(), try await rig.client())
        let port = try await AirFacets(first).attachStack(at: nil)
        let program = try UnixSocket.connect(to: port.socket)
        try await next(second, .connected)
        await first.close()
        #expect(try program.read().isEmpty)
        #expect(try await AirFacets(second).attachStack(at: nil).adapter == port.adapter)
    }

    @Test("Refused packets are told some times, and then only now and then")
    func repeatedMistakes() async throws {
        let client = try await rig.client()
        let port = try await AirFacets(client).attachStack(at: nil)
        let program = try UnixSocket.connect(to: port.socket)
        // An isochronous packet with reserved bits set; then a reset, which is answered after all of them.
        for _ in 0..<1000 { try program.write([5, 1, 0, 0, 0x40]) }
        try program.write(reset)
        #expect(try program.read() == [4, 0x0E, 1, 3])
        _ = try await client.status()
        let told = client.events.events.count { if case .hostStack(8, .refused) = $0 { true } else { false } }
        #expect((100...110).contains(told), "\(told)")
    }

    @Test("A controller of a host stack cannot be unplugged, and its traffic has its own name")
    func faults() {
        let fault = AirFault.unplugged(.bluetooth, of: .accessory, adapter: 8)
        #expect(fault.problem(firings: 1)?.contains("stop the program") == true)
        let packet = TrafficPacket(layer: .hci(sentByHost: true), sender: AirAdapter(hostStack: 8), bytes: reset)
        #expect(Traffic.hci(.command(opcode: 0x0C03)).sent(by: .accessory, adapter: 8).matches(packet))
        #expect(Traffic.hci(.command()).sent(by: .accessory).matches(packet))
        #expect(!Traffic.hci(.command()).sent(by: .accessory, adapter: 0).matches(packet))
        #expect("\(packet)".contains("of host stack 8"))
    }
}

@Suite("The sockets of host stacks")
struct HostStackPortTests {
    private let ports: HostStackPorts
    private let program: Descriptor
    private let reset: [UInt8] = [1, 3, 0x0C, 0]

    init() throws {
        let folder = NSTemporaryDirectory() + "ports-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        ports = HostStackPorts(folder: folder)
        try ports.open(8)
        program = try UnixSocket.connect(to: ports.path(of: 8))
        #expect(ports.serve(.listener(8)) == [.connected(8)])
    }

    private func packets(_ events: [HostStackPorts.Event]) -> Int {
        events.count { if case .packet = $0 { true } else { false } }
    }

    @Test("take a limited number of packets in each tick, and the others in the next ones")
    func pace() throws {
        let limit = HostStackPorts.packetsPerTick
        for _ in 0..<(limit + 3) { try program.write(reset) }
        #expect(packets(ports.serve(.program(8))) == limit)
        #expect(ports.interests.allSatisfy { $0.place != .program(8) }, "it is not read before the next tick")
        program.close()
        #expect(ports.serve(.program(8)).isEmpty)
        #expect(packets(ports.refill()) == 3)
        #expect(ports.serve(.program(8)) == [.disconnected(8)])
    }

    @Test("cut off a program that does not read")
    func unread() throws {
        let packet = [UInt8](repeating: 4, count: 1000)
        var events: [HostStackPorts.Event] = []
        for _ in 0..<2000 where events.isEmpty {
            events = ports.send(packet, to: 8)
            ports.flush()
        }
        guard case .cutOff(8, let why)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(why.hasPrefix("it does not read:"))
        #expect(ports.send(packet, to: 8).isEmpty && ports.interests.isEmpty)
    }

    @Test("deliver what was sent before the end")
    func end() throws {
        try program.write(reset + [2, 1])
        program.close()
        #expect(ports.serve(.program(8)) == [.packet(reset, 8)])
        #expect(ports.serve(.program(8)) == [.disconnected(8)])
        #expect(ports.interests.map(\.place) == [.listener(8)])
    }
}

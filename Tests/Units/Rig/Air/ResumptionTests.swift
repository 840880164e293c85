import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel
import RigModel
import Testing
import VirtualRadio

@testable import HILAir

/// Records its host's packets, and answers them.
private final class AttentiveController: BluetoothController {
    var heard: [[UInt8]] = []
    func receive(hci packet: [UInt8]) -> [ControllerOutput] {
        heard.append(packet)
        return [.hci([4, 0x0E, 1, packet[1]])]
    }
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] { [] }
    func tick() -> [ControllerOutput] { [] }
}

@Suite("An air that takes over the radios of an earlier one")
struct ResumptionTests {
    private let bluetooth = LinkID(board: .host, radio: .bluetooth)
    private let wifi = LinkID(board: .accessory, radio: .wifi)
    private let ticket = Ticket(client: 1, call: 1)
    private let controller = AttentiveController()
    private let reset: [UInt8] = [1, 3, 0x0C, 0]
    private let readAddress: [UInt8] = [1, 9, 0x10, 0]
    private var medium: Medium

    init() {
        let controller = controller
        medium = Medium(firstToken: 100) { _ in controller }
    }

    private func recording(_ messages: RadioMessage...) throws -> RadioRecording {
        try #require(try RadioRecording(messages.flatMap(\.frame.bytes), of: "a test"))
    }

    private func sent(_ actions: [Medium.Action]) -> [RadioMessage] {
        actions.compactMap { if case .send(let message, _) = $0 { message } else { nil } }
    }

    @Test("A fresh controller gets the kernel's earlier messages, and the port is not reset")
    mutating func controllerResumes() throws {
        try medium.resume(
            bluetooth,
            recording(.ready(token: 7), .attached(name: "hci0"), .packet(reset), .note("-"), .packet(readAddress)))
        #expect(controller.heard == [reset, readAddress])
        #expect(medium.connected(bluetooth) == [])
        #expect(medium.attach(bluetooth, ticket) == [ticket.answer("hci0")])
        let actions = medium.receive(.frame(RadioMessage.packet(reset).frame), on: bluetooth)
        #expect(sent(actions) == [.packet([4, 0x0E, 1, 3])])
        #expect(controller.heard == [reset, readAddress, reset])
    }

    @Test("A client that asks before the port is connected is answered when it is")
    mutating func askedEarly() throws {
        try medium.resume(bluetooth, recording(.attached(name: "hci0")))
        #expect(medium.attach(bluetooth, ticket) == [])
        #expect(medium.connected(bluetooth) == [ticket.answer("hci0")])
    }

    @Test("A radio that is pulled out before the port is connected is removed by a reset")
    mutating func pulledEarly() throws {
        try medium.resume(bluetooth, recording(.attached(name: "hci0")))
        #expect(medium.detach(bluetooth, ticket) == [ticket.done])
        #expect(sent(medium.connected(bluetooth)) == [.reset(token: 101)])
        #expect(medium.status.link(.bluetooth, of: .host).name == nil)
    }

    @Test("A port that is lost and returns is reset, like any other")
    mutating func reconnected() throws {
        try medium.resume(bluetooth, recording(.attached(name: "hci0")))
        _ = medium.connected(bluetooth)
        _ = medium.lost(bluetooth)
        let messages = sent(medium.connected(bluetooth))
        #expect(messages.count == 1 && messages.allSatisfy { if case .reset = $0 { true } else { false } })
    }

    @Test("A radio receives frames for the addresses that its kernel had set")
    mutating func addresses() throws {
        let (kept, dropped) = (AirAddress.of(.wifi, on: .accessory), DeviceAddress("02:00:00:00:99:00")!)
        try medium.resume(
            wifi, recording(.attached(name: "wlan0"), .hears(kept, true), .hears(dropped, true), .hears(dropped, false))
        )
        medium.wifi.plugIn(.host)
        for (address, flags) in [(kept, WiFiStatus.acknowledged), (dropped, 0)] {
            let frame = WiFiTransmission(
                cookie: 5, flags: 0, frequency: 2437, rates: [],
                frame: [0xB0, 0, 0, 0] + address.bytes + AirAddress.of(.wifi, on: .host).bytes + [0, 0])
            let outcome = medium.wifi.carry(frame, from: .host, geometry: Geometry(distance: 1))
            #expect(outcome?.status.flags == flags)
        }
    }

    @Test("Only what came after the last start counts")
    func restarted() throws {
        let recording = try recording(
            .attached(name: "hci0"), .packet(reset), .ready(token: 0), .attached(name: "hci1"), .packet(readAddress))
        #expect(recording.name == "hci1")
        #expect(recording.messages == [.packet(readAddress)])
    }

    @Test("A recording that continues another begins with all of that, and leaves it as it was")
    func continued() throws {
        let base = "/tmp/hil-test-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: base) }
        let folders = ["first", "second"].map { "\(base)/\($0)" }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let id = LinkID.all[0]
        let first = try RadioRecorder(folder: folders[0])
        for one in LinkID.all { try first.add(RadioMessage.attached(name: "hci0").frame, of: one) }
        try first.add(RadioMessage.packet(reset).frame, of: id)
        let second = try RadioRecorder(folder: folders[1], continuing: folders[0])
        try second.add(RadioMessage.packet(readAddress).frame, of: id)
        #expect(try RadioRecording(of: id, in: folders[1])?.messages == [.packet(reset), .packet(readAddress)])
        #expect(try RadioRecording(of: id, in: folders[0])?.messages == [.packet(reset)])
        #expect(throws: SystemError.self) { try RadioRecorder(folder: folders[0], continuing: folders[1]) }
    }

    @Test("A recording that is cut or altered is refused with its path; one without a radio resumes none")
    func broken() throws {
        let whole = [RadioMessage.attached(name: "hci0"), .packet(reset)].flatMap(\.frame.bytes)
        var altered = whole
        altered[altered.count / 2] ^= 1
        let pulled = whole + RadioMessage.detached(reason: "").frame.bytes
        for bytes in [[], pulled] { #expect(try RadioRecording(bytes, of: "/snapshot/host.bluetooth")?.name == nil) }
        for bytes in [Array(whole.dropLast()), altered] {
            #expect { try RadioRecording(bytes, of: "/snapshot/host.bluetooth") } throws: { error in
                "\(error)".contains("/snapshot/host.bluetooth")
            }
        }
    }
}

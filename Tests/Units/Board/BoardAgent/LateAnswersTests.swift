import BoardProtocol
import HILDBus
import RadioModel
import Testing

@testable import BoardAgent

/// Answers to bluetoothd about a phone that is gone.
struct LateAnswersTests {
    private static let device = "/org/bluez/hci0/dev_4F_BC_8F_E1_D4_D4"
    private var answers = LateAnswers()

    private func call(_ serial: UInt32, _ member: String = "ReadValue", of device: String? = device) -> OverheardMessage
    {
        OverheardMessage(
            .call, serial: serial, from: ":1.2", to: ":1.7", path: "/app/service0/char1",
            interface: "org.bluez.GattCharacteristic1", member: member,
            [.properties(device.map { ["device": .path($0)] } ?? [:])])
    }

    private func connected(_ isConnected: Bool, _ device: String = device) -> OverheardMessage {
        OverheardMessage(
            .signal, from: ":1.2", path: device, interface: "org.freedesktop.DBus.Properties",
            member: "PropertiesChanged",
            [.string("org.bluez.Device1"), .properties(["Connected": .boolean(isConnected)]), .strings([])])
    }

    private func reply(_ serial: UInt32) -> OverheardMessage {
        OverheardMessage(.reply(to: serial), from: ":1.7", to: ":1.2")
    }

    @Test("An answer after the link's end, or still to come then, is known with its times, for ten seconds")
    mutating func late() {
        answers.take(call(5), at: .seconds(1))
        answers.take(connected(false), at: .seconds(2))
        answers.take(connected(true), at: .seconds(3))
        let phone = DeviceAddress("4F:BC:8F:E1:D4:D4")
        let open = LateAnswer(call: "ReadValue", object: "/app/service0/char1", phone: phone, late: nil, before: 1)
        #expect(answers.latest(at: .seconds(3)) == open, "it is still to come")
        #expect(answers.latest(at: .milliseconds(12_001)) == nil)
        answers.take(reply(5), at: .seconds(4))
        #expect(
            answers.latest(at: .milliseconds(4500))
                == LateAnswer(
                    call: "ReadValue", object: "/app/service0/char1", phone: phone, late: 2, before: 0.5))
        #expect(answers.latest(at: .seconds(14)) != nil && answers.latest(at: .milliseconds(14_001)) == nil)
    }

    @Test("An answer in time, about another phone, or to a call about none is not late")
    mutating func inTime() {
        answers.take(call(1), at: .zero)
        answers.take(reply(1), at: .zero)
        answers.take(call(2), at: .zero)
        answers.take(connected(false, "/org/bluez/hci0/dev_00_00_00_00_00_01"), at: .zero)
        answers.take(reply(2), at: .zero)
        answers.take(call(3, of: nil), at: .zero)
        answers.take(connected(false), at: .zero)
        answers.take(reply(3), at: .zero)
        answers.take(reply(77), at: .zero)
        #expect(answers.latest(at: .zero) == nil)
    }

    @Test("A bluetoothd that was started again counts its calls anew: the old ones are not taken for the new")
    mutating func startedAgain() {
        answers.take(call(5), at: .zero)
        answers.take(connected(false), at: .zero)
        var again = call(5)
        again.sender = ":1.9"
        answers.take(again, at: .seconds(1))
        var reply = reply(5)
        reply.destination = ":1.9"
        answers.take(reply, at: .seconds(1))
        #expect(answers.latest(at: .seconds(1)) == nil)
    }

    @Test("Calls that nobody answers are forgotten, the oldest first")
    mutating func bounded() {
        for serial in 0...UInt32(LateAnswers.limit) { answers.take(call(serial), at: .zero) }
        answers.take(connected(false), at: .zero)
        answers.take(reply(0), at: .zero)
        #expect(answers.latest(at: .zero)?.late == nil)
        answers.take(reply(1), at: .zero)
        #expect(answers.latest(at: .zero)?.late == 0)
    }
}

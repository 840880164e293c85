import BoardProtocol
import HILBlueZ
import HILDBus
import RadioModel

/// Which of the calls that bluetoothd makes about a phone are answered after the phone's link has ended, or never.
///
/// bluetoothd keeps the link's memory in such a call, and uses it when its own time for the answer is over:
/// bluez/bluez#2447.
struct LateAnswers {
    /// The most calls without an answer that are remembered.
    static let limit = 256
    /// How long before the end of bluetoothd an answer may have come to have a part in it. BlueZ 5.82 crashes 5 s after the call.
    static let relevance = Duration.seconds(10)

    /// The messages that it must hear, as match rules.
    static let rules = [
        "type='method_call',sender='\(BlueZ.service)'", "type='method_return',destination='\(BlueZ.service)'",
        "type='error',destination='\(BlueZ.service)'",
        "type='signal',sender='\(BlueZ.service)',member='PropertiesChanged'",
    ]

    private struct Call {
        /// bluetoothd's name on the bus, another one after each of its starts, and its number for the call.
        let caller: String
        let serial: UInt32
        let member: String
        let object: String
        let device: String
        /// When the link ended; nil before.
        var end: Duration?
    }

    private var open: [Call] = []
    private var last: (call: Call, at: Duration)?

    /// Takes a message of the bus.
    ///
    /// - Parameter now: The time since any fixed moment.
    mutating func take(_ message: OverheardMessage, at now: Duration) {
        switch message.kind {
        case .call:
            let options = message.arguments.lazy.compactMap { $0.asDictionary?["device"]?.asString }.first
            guard message.interface.hasPrefix("org.bluez."), let device = options else { return }
            // A bluetoothd that was started again waits for no answer to the one before.
            open.removeAll { $0.caller != message.sender }
            if open.count == Self.limit { open.removeFirst() }
            open.append(
                Call(
                    caller: message.sender, serial: message.serial, member: message.member, object: message.path,
                    device: device))
        case .reply(let serial):
            let asked = open.firstIndex { $0.serial == serial && $0.caller == message.destination }
            guard let index = asked else { return }
            let call = open.remove(at: index)
            if call.end != nil { last = (call, now) }
        case .signal:
            guard message.arguments.first?.asString == BlueZ.Interface.device, message.arguments.count > 1,
                message.arguments[1].asDictionary?["Connected"]?.asBool == false
            else { return }
            for index in open.indices where open[index].device == message.path && open[index].end == nil {
                open[index].end = now
            }
        }
    }

    /// The last late answer, or else the call that is still without one, if it may have a part in an end now.
    func latest(at now: Duration) -> LateAnswer? {
        if let (call, time) = last, let end = call.end, now - time <= Self.relevance {
            return answer(to: call, late: (time - end).seconds, before: (now - time).seconds)
        }
        let waiting = open.compactMap { call in call.end.map { (call: call, end: $0) } }.max { $0.end < $1.end }
        guard let waiting, now - waiting.end <= Self.relevance else { return nil }
        return answer(to: waiting.call, late: nil, before: (now - waiting.end).seconds)
    }

    private func answer(to call: Call, late: Double?, before: Double) -> LateAnswer {
        let digits = call.device.split(separator: "/").last.map { $0.dropFirst("dev_".count) } ?? ""
        return LateAnswer(
            call: call.member, object: call.object,
            phone: DeviceAddress(digits.map { $0 == "_" ? ":" : "\($0)" }.joined()), late: late, before: before)
    }
}

import Foundation
import HILPOSIX

/// The Apple Notification Center Service (ANCS): the notification centre's contents for accessories that ask, without a
/// radio. Changes and commands in, values to notify out.
///
/// Source: Apple Notification Center Service (ANCS) Specification.
struct NotificationService {
    /// A command that is refused, with the service's error code.
    struct Refusal: Error, Equatable {
        static let unknownCommand = Refusal(code: 0xA0)
        static let invalidCommand = Refusal(code: 0xA1)
        static let invalidParameter = Refusal(code: 0xA2)
        static let actionFailed = Refusal(code: 0xA3)
        let code: UInt8
    }

    /// The outcome of a command.
    enum Outcome: Equatable {
        /// This goes out on the Data Source, in as many parts as the link needs.
        case answer(Data)
        /// The person's action on the accessory: the notification disappears.
        case remove(PhoneNotification.Identifier)
    }

    private enum EventID: UInt8 { case added, modified, removed }

    private struct Flags {
        static let silent: UInt8 = 1 << 0
        static let important: UInt8 = 1 << 1
        static let preExisting: UInt8 = 1 << 2
        static let positiveAction: UInt8 = 1 << 3
        static let negativeAction: UInt8 = 1 << 4
    }

    private var shown: [(uid: UInt32, notification: PhoneNotification)] = []
    private var lastUID: UInt32 = 0
    private let zone: TimeZone

    init(zone: TimeZone = .current) { self.zone = zone }

    // MARK: Notification Source

    /// Handles a change of the notification centre, which now shows these.
    ///
    /// - Returns: The values to notify on the Notification Source.
    mutating func change(to posted: [PhoneNotification]) -> [Data] {
        var values: [Data] = []
        for (uid, old) in shown where !posted.contains(where: { $0.identifier == old.identifier }) {
            shown.removeAll { $0.uid == uid }
            values.append(event(.removed, uid, old))
        }
        for notification in posted {
            if let index = shown.firstIndex(where: { $0.notification.identifier == notification.identifier }) {
                guard shown[index].notification != notification else { continue }
                shown[index].notification = notification
                values.append(event(.modified, shown[index].uid, notification))
            } else {
                lastUID &+= 1
                shown.append((lastUID, notification))
                values.append(event(.added, lastUID, notification))
            }
        }
        return values
    }

    /// The values for an accessory that subscribes: the notifications that are there already.
    func existing() -> [Data] { shown.map { event(.added, $0.uid, $0.notification, flags: Flags.preExisting) } }

    private func event(
        _ id: EventID, _ uid: UInt32, _ notification: PhoneNotification, flags: UInt8 = 0
    ) -> Data {
        var flags = flags | Flags.negativeAction
        if !notification.canAlert { flags |= Flags.silent }
        if isCall(notification) { flags |= Flags.important | Flags.positiveAction }
        return Data([id.rawValue, flags, category(of: notification), count(of: category(of: notification))])
            + uid.littleEndianData
    }

    private func isCall(_ notification: PhoneNotification) -> Bool { notification.kind == .incomingCall }

    /// 1 is an incoming call, 0 is anything without its own category.
    private func category(of notification: PhoneNotification) -> UInt8 { isCall(notification) ? 1 : 0 }

    private func count(of category: UInt8) -> UInt8 {
        UInt8(clamping: shown.count { self.category(of: $0.notification) == category })
    }

    // MARK: Control Point

    /// Handles an accessory's write to the Control Point.
    func command(_ bytes: Data) throws(Refusal) -> Outcome {
        var rest = bytes[...]
        switch rest.popFirst() {
        case 0: return .answer(try notificationAttributes(&rest))
        case 1: return .answer(try appAttributes(&rest))
        case 2: return try performAction(&rest)
        default: throw .unknownCommand
        }
    }

    private func notificationAttributes(_ rest: inout Data) throws(Refusal) -> Data {
        let (uid, notification) = try takeNotification(&rest)
        var answer = Data([0]) + uid.littleEndianData
        while let attribute = rest.popFirst() {
            var limit = Int.max
            // Title, subtitle and message come with the longest length that the accessory takes.
            if (1...3).contains(attribute) {
                guard let length = rest.popUInt16() else { throw .invalidCommand }
                limit = Int(length)
            }
            let value = try value(of: attribute, notification)
            answer += Data([attribute]) + Self.lengthAndValue(value, atMost: limit)
        }
        return answer
    }

    private func value(of attribute: UInt8, _ notification: PhoneNotification) throws(Refusal) -> String {
        switch attribute {
        case 0: return notification.identifier.sourceIdentifier
        case 1: return notification.title ?? ""
        case 2: return notification.subtitle ?? ""
        case 3: return notification.body ?? ""
        case 4: return String((notification.body ?? "").utf8.count)
        case 5: return date(notification.deliveryDate)
        case 6: return isCall(notification) ? "Answer" : ""
        case 7: return isCall(notification) ? "Decline" : "Clear"
        default: throw .invalidParameter
        }
    }

    /// `yyyyMMdd'T'HHmmSS`, as the specification spells it, with seconds at the end.
    private func date(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func digits(_ number: Int?, _ count: Int) -> String { (number ?? 0).padded(to: count) }
        return digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2) + "T" + digits(parts.hour, 2)
            + digits(parts.minute, 2) + digits(parts.second, 2)
    }

    private func appAttributes(_ rest: inout Data) throws(Refusal) -> Data {
        guard let end = rest.firstIndex(of: 0) else { throw .invalidCommand }
        let name = rest[rest.startIndex..<end]
        rest = rest[(end + 1)...]
        let app = String(decoding: name, as: UTF8.self)
        guard let source = shown.first(where: { $0.notification.identifier.sourceIdentifier == app }) else {
            throw .invalidParameter
        }
        var answer = Data([1]) + name + [0]
        while let attribute = rest.popFirst() {
            guard attribute == 0 else { throw .invalidParameter }
            answer += Data([attribute]) + Self.lengthAndValue(source.notification.sourceName, atMost: .max)
        }
        return answer
    }

    private func performAction(_ rest: inout Data) throws(Refusal) -> Outcome {
        let (_, notification) = try takeNotification(&rest)
        guard let action = rest.popFirst(), rest.isEmpty else { throw .invalidCommand }
        // Positive is for calls alone: an accessory cannot choose among an app's own actions.
        guard action == 1 || (action == 0 && isCall(notification)) else {
            throw action == 0 ? .actionFailed : .invalidParameter
        }
        return .remove(notification.identifier)
    }

    private func takeNotification(_ rest: inout Data) throws(Refusal) -> (UInt32, PhoneNotification) {
        guard let low = rest.popUInt16(), let high = rest.popUInt16() else { throw .invalidCommand }
        let uid = UInt32(high) << 16 | UInt32(low)
        guard let found = shown.first(where: { $0.uid == uid }) else { throw .invalidParameter }
        return (uid, found.notification)
    }

    /// The length in two bytes, then the text, cut between characters.
    private static func lengthAndValue(_ text: String, atMost limit: Int) -> Data {
        var text = text
        while text.utf8.count > min(limit, Int(UInt16.max)) { text.removeLast() }
        return UInt16(text.utf8.count).littleEndianData + Data(text.utf8)
    }

    /// The parts of an answer that fit into one notification each.
    static func parts(of answer: Data, mtu: Int) -> [Data] {
        let length = max(1, mtu - 3)
        return stride(from: 0, to: answer.count, by: length).map { Data(answer.dropFirst($0).prefix(length)) }
    }
}

extension FixedWidthInteger {
    fileprivate var littleEndianData: Data {
        withUnsafeBytes(of: littleEndian) { Data($0) }
    }
}

extension Data {
    fileprivate mutating func popUInt16() -> UInt16? {
        guard count >= 2, let low = popFirst(), let high = popFirst() else { return nil }
        return UInt16(low) | UInt16(high) << 8
    }
}

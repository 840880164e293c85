import Foundation
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

@Suite("Apple Notification Center Service")
struct NotificationServiceTests {
    private let london = TimeZone(identifier: "Europe/London")!  // Foundation has it.
    private var service: NotificationService
    private let message = PhoneNotification(
        app: "com.example.chat", identifier: "1", title: "Kim", body: "Dinner at 8?",
        deliveryDate: Date(timeIntervalSince1970: 1_750_000_000))

    init() { service = NotificationService(zone: london) }

    /// The refusal of a command; nil if it was carried out.
    private func refusal(of command: [UInt8]) -> NotificationService.Refusal? {
        do throws(NotificationService.Refusal) {
            _ = try service.command(Data(command))
            return nil
        } catch { return error }
    }

    @Test("A notification that is added, changed and removed is told with its category and its number", .covers("C16"))
    mutating func source() {
        #expect(service.change(to: [message]) == [Data([0, 0x10, 0, 1, 1, 0, 0, 0])])
        #expect(service.change(to: [message]).isEmpty)
        var changed = message
        changed.body = "Dinner at 9?"
        #expect(service.change(to: [changed]) == [Data([1, 0x10, 0, 1, 1, 0, 0, 0])])
        #expect(service.existing() == [Data([0, 0x14, 0, 1, 1, 0, 0, 0])])
        let call = PhoneNotification.incomingCall(from: "Kim")
        #expect(
            service.change(to: [call]) == [Data([2, 0x10, 0, 0, 1, 0, 0, 0]), Data([0, 0x1A, 1, 1, 2, 0, 0, 0])])
    }

    @Test("An accessory asks for texts, as long as it takes them, and for the app's name", .covers("C16"))
    mutating func attributes() throws {
        _ = service.change(to: [message])
        let asked: [UInt8] = [0, 1, 0, 0, 0, 0, 1, 2, 0, 3, 0xFF, 0, 4, 5, 7]
        var expected = Data([0, 1, 0, 0, 0, 0, 16, 0]) + Data("com.example.chat".utf8)
        expected += Data([1, 2, 0]) + Data("Ki".utf8) + Data([3, 12, 0]) + Data("Dinner at 8?".utf8)
        expected += Data([4, 2, 0]) + Data("12".utf8) + Data([5, 15, 0]) + Data("20250615T160640".utf8)
        expected += Data([7, 5, 0]) + Data("Clear".utf8)
        #expect(try service.command(Data(asked)) == .answer(expected))
        let app = [1] + Array("com.example.chat".utf8) + [0]
        #expect(try service.command(Data(app + [0])) == .answer(Data(app + [0, 4, 0]) + Data("Chat".utf8)))
        #expect(NotificationService.parts(of: expected, mtu: 23).map(\.count) == [20, 20, 20, 15])
    }

    @Test("Wrong commands get the service's errors", .covers("C16"))
    mutating func refusals() {
        _ = service.change(to: [message])
        #expect(refusal(of: []) == .unknownCommand && refusal(of: [9]) == .unknownCommand)
        #expect(refusal(of: [0, 1, 0]) == .invalidCommand && refusal(of: [0, 1, 0, 0, 0, 1, 2]) == .invalidCommand)
        #expect(refusal(of: [0, 2, 0, 0, 0, 0]) == .invalidParameter, "an unknown number")
        #expect(refusal(of: [0, 1, 0, 0, 0, 99]) == .invalidParameter, "an unknown attribute")
        #expect(refusal(of: [1, 0x41]) == .invalidCommand && refusal(of: [1, 0x41, 0, 0]) == .invalidParameter)
        #expect(refusal(of: [2, 1, 0, 0, 0, 0]) == .actionFailed && refusal(of: [2, 1, 0, 0, 0]) == .invalidCommand)
    }

    @Test("Clear removes a notification; Answer and Decline end a call", .covers("C16"))
    mutating func actions() throws {
        let call = PhoneNotification.incomingCall(from: "Kim")
        _ = service.change(to: [message, call])
        #expect(try service.command(Data([2, 1, 0, 0, 0, 1])) == .remove(message.identifier))
        #expect(try service.command(Data([2, 2, 0, 0, 0, 0])) == .remove(call.identifier))
    }

    @Test("The time is that of the phone's zone, and Monday is the first day", .covers("C15"))
    func time() throws {
        // Sunday, 15 June 2025, 16:06:40 in London, in daylight saving time.
        let now = Date(timeIntervalSince1970: 1_750_000_000)
        #expect(
            OwnServices.time(at: OwnServices.currentTime, now, in: london)
                == Data([0xE9, 0x07, 6, 15, 16, 6, 40, 7, 0, 0]))
        #expect(OwnServices.time(at: OwnServices.localTime, now, in: london) == Data([0, 4]))
        #expect(OwnServices.time(at: OwnServices.batteryLevel, now, in: london) == nil)
    }

    @Test("The places name what they say", .covers("C15"))
    func places() {
        let services = OwnServices(personality: .iPhone16).services
        func uuid(_ place: AttributePlace) -> String {
            services[place.service].characteristics[place.characteristic].uuid.shortest.map { String($0, radix: 16) }
                .joined()
        }
        #expect(uuid(OwnServices.batteryLevel) == "2a19" && uuid(OwnServices.currentTime) == "2a2b")
        #expect(uuid(OwnServices.localTime) == "2af" && uuid(OwnServices.notificationSource).hasPrefix("9fbf12d"))
        #expect(services.dropFirst().allSatisfy { $0.characteristics.allSatisfy { $0.notifying == .encrypted } })
        #expect(OwnServices(personality: .iPhone15).services.count == 4)
    }
}

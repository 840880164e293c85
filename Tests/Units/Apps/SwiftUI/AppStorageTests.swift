import Foundation
import HILFoundation
import SwiftUI
import Testing

private enum Room: String {
    case kitchen, hall
}

/// Settings as apps have them.
private final class Settings: ObservableObject {
    @AppStorage("isOn") var isOn = false
    @AppStorage("brightness") var brightness = 50
    @AppStorage("share") var share = 0.5
    @AppStorage("name") var name = "Lamp"
    @AppStorage("room") var room = Room.hall
    @AppStorage("token") var token: Data?
    @AppStorage("page") var page: URL?
    @AppStorage("last") var last: Int?
    @AppStorage("guest") var guest: Room?
}

/// One after the other: they share the defaults of this process.
@Suite("@AppStorage", .serialized)
struct AppStorageTests {
    private static let keys = ["isOn", "brightness", "share", "name", "room", "token", "page", "last", "guest"]

    init() { for key in Self.keys { UserDefaults.standard.removeObject(forKey: key) } }

    @Test("Values are those of the defaults, or the standard ones, and are stored under their keys")
    func stored() {
        let settings = Settings()
        #expect(!settings.isOn && settings.brightness == 50 && settings.share == 0.5 && settings.name == "Lamp")
        #expect(settings.room == .hall && settings.token == nil && settings.last == nil && settings.guest == nil)
        (settings.isOn, settings.brightness, settings.share, settings.name) = (true, 7, 0.25, "Lamp 7")
        (settings.room, settings.token, settings.last, settings.guest) = (.kitchen, Data([1, 2]), 3, .hall)
        settings.page = URL(string: "https://example.com/lamp")
        let other = Settings()
        #expect(other.isOn && other.brightness == 7 && other.share == 0.25 && other.name == "Lamp 7")
        #expect(other.room == .kitchen && other.token == Data([1, 2]) && other.last == 3 && other.guest == .hall)
        #expect(other.page?.absoluteString == "https://example.com/lamp")
        #expect(UserDefaults.standard.bool(forKey: "isOn") && UserDefaults.standard.integer(forKey: "brightness") == 7)
        UserDefaults.standard.set("hall", forKey: "room")
        UserDefaults.standard.set("attic", forKey: "guest")
        #expect(other.room == .hall && other.guest == nil, "a value that the type does not have")
        (settings.last, settings.token) = (nil, nil)
        #expect(UserDefaults.standard.object(forKey: "last") == nil && other.token == nil)
    }

    @Test("An object announces a change of its stored values before it happens; a binding reads and writes them")
    func announced() {
        let settings = Settings()
        var seen: [Int] = []
        let task = settings.objectWillChange.sink { seen.append(settings.brightness) }
        settings.brightness = 20
        settings.$brightness.wrappedValue = 30
        #expect(seen == [50, 20] && settings.brightness == 30 && settings.$brightness.wrappedValue == 30)
        #expect(Binding.constant(4).wrappedValue == 4)
        withExtendedLifetime(task) {}
    }

    @Test("Another store keeps its own values")
    func anotherStore() throws {
        let name = "com.example.lamp.\(ProcessInfo.processInfo.processIdentifier)"
        let suite = try #require(UserDefaults(suiteName: name))
        defer { suite.removePersistentDomain(forName: name) }
        let stored = AppStorage(wrappedValue: 1, "brightness", store: suite)
        stored.wrappedValue = 9
        #expect(suite.integer(forKey: "brightness") == 9 && Settings().brightness == 50)
    }

    @Test("OSStatus and its success come with Foundation")
    func status() {
        let status: OSStatus = noErr
        #expect(status == 0)
    }
}

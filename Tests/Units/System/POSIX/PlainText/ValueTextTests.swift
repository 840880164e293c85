import Foundation
import HILPOSIX
import Testing

/// Values as a reader of a story sees them.
@Suite("A value in words")
struct ValueTextTests {
    private struct Alert {
        var notification = "7"
        var category = Category.question
        var sounded = true
        var note = ""
        var body = "Dinner at 7?"
        var attributes: [String] = []
        var picture: Data?
    }
    private enum Category { case question, incomingCall }
    private enum Event {
        case keysForgotten
        case passkeyShown(UInt32)
        case alerted(Alert)
        case linkChanged(isUp: Bool)
        case stationJoined(ssid: String, Int)
        case written(Data, Category)
        case refused(String)
        case screen([Alert])
        case missing(Int?)
    }
    private struct Own: CustomStringConvertible { let description = "as it says" }

    @Test("names no type and no module")
    func events() {
        #expect(PlainText.words(for: Event.keysForgotten) == "keys forgotten")
        #expect(PlainText.words(for: Event.passkeyShown(4711)) == "passkey shown: 4711")
        #expect(
            PlainText.words(for: Event.alerted(Alert()))
                == "alerted: notification 7, category question, sounded, body “Dinner at 7?”")
        #expect(PlainText.words(for: Event.linkChanged(isUp: false)) == "link changed: not up")
        #expect(PlainText.words(for: Event.stationJoined(ssid: "Home", 2)) == "station joined: ssid Home, 2")
        #expect(PlainText.words(for: Event.written(Data([1, 0xAB]), .incomingCall)) == "written: 01 AB, incoming call")
        #expect(PlainText.words(for: Event.refused("no keys")) == "refused: no keys")
        #expect(PlainText.words(for: Event.screen([])) == "screen")
        #expect(
            PlainText.words(for: Event.screen([Alert(category: .incomingCall, sounded: false)]))
                == "screen: [notification 7, category incoming call, not sounded, body “Dinner at 7?”]")
        #expect(PlainText.words(for: Event.missing(nil)) == "missing")
    }

    @Test("keeps what a type says of itself")
    func ownText() {
        #expect(PlainText.words(for: Own()) == "as it says")
        #expect(PlainText.words(for: [Own(), Own()]) == "[as it says; as it says]")
        #expect(PlainText.words(for: Int?.none as Any) == "nothing")
    }

    @Test(
        "splits a name at its capitals",
        arguments: [
            ("passkeyShown", "passkey shown"), ("isOn", "is on"), ("servesHTTP", "serves HTTP"),
            ("SSIDChanged", "SSID changed"),
            ("P256", "P256"), ("xWing", "x wing"), ("XWing", "X wing"), ("planB", "plan B"), ("", ""),
        ])
    func names(name: String, words: String) { #expect(PlainText.words(ofName: name) == words) }
}

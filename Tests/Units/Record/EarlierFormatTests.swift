import Foundation
import RadioModel
import Testing

@testable import HILRecord

/// Lines that runs of format 4 have written.
@Suite("Events of earlier formats")
struct EarlierFormatTests {
    private func event(_ json: String) throws -> ScenarioEvent {
        let line = try #require(RunLine(Data(#"{"scenario":"a","time":1,"worker":\#(json)}"#.utf8)))
        return try #require(line.worker)
    }

    @Test(
        "They have the words that their values had",
        arguments: [
            (
                #"{"phone":{"event":{"screen":{"screen":{"controls":["pick","cancel"],"entries":[{"title":"Lamp","detail":"Lamp 7","id":"A9A5C6E2-0000-4000-8000-000000000000"}],"kind":"picker","lines":["Near"],"title":"Add","willing":{"cancel":{}}}}}}}"#,
                "screen: Add · Near · ‹Lamp (Lamp 7)› · [pick] · [cancel]"
            ),
            (#"{"phone":{"event":{"screen":{}}}}"#, "screen: the app"),
            (
                #"{"phone":{"event":{"person":{"action":{"pick":{"accessory":{"named":{"name":"Die 7"}}}},"on":"Add"}}}}"#,
                "person: pick “Die 7”, on “Add”"
            ),
            (#"{"phone":{"event":{"person":{"action":{"cancel":{}},"on":"Add"}}}}"#, "person: cancel, on “Add”"),
            (
                #"{"phone":{"event":{"radio":{"event":{"disconnected":{"device":"02:00:00:00:02:B0","reason":"gone"}}}}}}"#,
                "radio: 02:00:00:00:02:B0 is disconnected: gone"
            ),
            (
                #"{"phone":{"event":{"radio":{"event":{"bluetoothPower":{"isOn":true}}}}}}"#,
                "radio: Bluetooth is on"
            ),
            (
                #"{"phone":{"event":{"radio":{"event":{"danced":{"isOn":true,"times":3}}}}}}"#,
                "radio: danced isOn true times 3"
            ),
            (
                #"{"air":{"event":{"fired":{"count":1,"fault":"dropped","of":2,"packet":"ATT 0x1B"}}}}"#,
                "air: fault 1 of 2: dropped (ATT 0x1B)"
            ),
            (#"{"air":{"event":{"lost":{"board":"host","radio":"wifi"}}}}"#, "air: lost host wifi"),
            (
                #"{"lacks":{"what":{"capabilities":["air"],"description":"it lacks air"}}}"#,
                "cannot continue: it lacks air"
            ),
            (
                #"{"accessory":{"event":{"accessory":"die","adapter":0,"kind":"told","text":"rolled"}}}"#, "die: rolled"
            ),
        ])
    func words(json: String, text: String) throws { #expect(try event(json).text == text) }

    @Test("An action of a played scenario has no words of its own: the phone's events say the same")
    func played() throws {
        #expect(try event(#"{"play":{"event":{"did":{"command":{"press":{"button":"Add"}}}}}}"#).text == nil)
    }

    @Test("A radio's event keeps its devices, the address until now first")
    func devices() throws {
        let json = #"{"addressChanged":{"device":"55:B2:CC:D1:8A:FE","to":"02:00:00:00:02:B0"}}"#
        guard case .phone(.radio(let radio)) = try event(#"{"phone":{"event":{"radio":{"event":\#(json)}}}}"#) else {
            Issue.record("it is no event of the radio")
            return
        }
        #expect(radio.kind == "addressChanged" && !radio.isAboutLink)
        #expect(radio.devices.map(\.description) == ["55:B2:CC:D1:8A:FE", "02:00:00:00:02:B0"])
    }

    @Test("An event that no version has written is unreadable")
    func hostile() {
        for json in [
            #"{"phone":{"event":{"radio":{"event":{}}}}}"#, #"{"phone":{"event":{"radio":{"event":{"a":{},"b":{}}}}}}"#,
            #"{"phone":{"event":{"radio":{"event":7}}}}"#, #"{"air":{"event":{"fired":{"count":"many"}}}}"#,
            #"{"phone":{"event":{"person":{"action":"pick","on":"Add"}}}}"#,
        ] {
            #expect(RunLine(Data(#"{"scenario":"a","time":1,"worker":\#(json)}"#.utf8)) == nil, "\(json)")
        }
    }
}

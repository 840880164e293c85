import HILRecord
import Testing

@testable import HILHistory

struct EventKeyTests {
    @Test(
        "Addresses, identifiers and numbers count for nothing",
        arguments: [
            ("valueChanged(02:00:00:00:02:B0, handle: 21)", "valueChanged(‹address›, handle: #)"),
            ("connected to 6F1C0A4E-11D2-4B0A-9C1E-0A4E6F1C0A4E.", "connected to ‹address›."),
            ("step “roll” done in 33 ms", "step “roll” done in # ms"),
            ("it took 2.5 s at -61.25 dBm", "it took # s at -# dBm"),
            ("key 0a1b2c3d4e5f", "key ‹address›"), ("security=wpa3", "security=wpa#"),
            ("picker: Finding → screens/02-picker.light.svg", "picker: Finding"),
            ("a face-down deadbeef cafe", "a face-down deadbeef cafe"), ("", ""), ("10:30", "#:#"),
        ])
    func plain(_ text: String, _ expected: String) {
        #expect(EventKey.plain(text) == expected)
    }

    @Test("What tells of a rig takes no part")
    func rig() {
        func key(_ source: String, _ kind: String) -> EventKey? {
            EventKey(TimelineEvent(t: 0, source: source, kind: kind, text: "x"))
        }
        #expect(key("air", "packet") == nil && key("host/bluetoothd", "line") == nil && key("air", "told") == nil)
        #expect(key("runner", "scenarioBegan") == nil && key("scenario", "bodyBegan") == nil)
        #expect(key("phone", "screen") == EventKey(source: "phone", kind: "screen", text: "x"))
        #expect(key("die", "bonded") != nil && key("scenario", "stepEnded") != nil)
    }
}

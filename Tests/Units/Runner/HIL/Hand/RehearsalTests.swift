import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord
import Testing

@testable import HIL

@Suite("What is kept of a journey on the simulated phone")
struct RehearsalTests {
    private func note(_ text: String, kind: String = "told", adapter: AdapterID = .first) -> AccessoryNote {
        AccessoryNote(accessory: "lamp", adapter: adapter, kind: kind, text: text)
    }

    @Test("Two reports are alike if only addresses, numbers to compare and sizes of packets differ")
    func likeness() {
        #expect(note("connected: 02:00:00:00:01:B0").isLike(note("connected: 4A:11:22:33:44:55")))
        #expect(note("compares: 123456").isLike(note("compares: 42")))
        #expect(note("asked: number: 1, mtu: 185, FF01").isLike(note("asked: number: 2, mtu: 517, FF01")))
        #expect(!note("written: 50, FF01").isLike(note("written: 51, FF01")))
        #expect(!note("bonded: legacy").isLike(note("bonded: LE Secure Connections")))
        #expect(!note("read: FF01").isLike(note("read: FF01", adapter: AdapterID(rawValue: 1))))
        #expect(note("passkey shown: 42").sixDigits == "000042")
        #expect(note("written: 50, FF01").sixDigits == nil)
    }

    @Test("A program's own lines are awaited only if the scenario waited for them")
    func programs() {
        let rehearsal = Rehearsal()
        rehearsal.add(ScenarioEvent.accessory(note("12:03:04 ready", kind: "printed")))
        #expect(rehearsal.items.isEmpty)
        rehearsal.add(ScenarioEvent.accessory(note("connected")))
        rehearsal.end()
        rehearsal.add(ScenarioEvent.accessory(note("disconnected")))
        #expect(rehearsal.items.count == 1)
    }

    @Test("Only a step in which the app or its person does something is asked of a person")
    func steps() {
        let place = SourceLocation(file: "S.swift", path: "S.swift", line: 1)
        let items: [RehearsedItem] = [
            .stepBegan("roll", budget: .seconds(1), at: place), .line("rolled"), .stepEnded("roll", needsPerson: false),
            .stepBegan("join", budget: .seconds(1), at: place), .accessory(note("joined")),
            .stepEnded("join", needsPerson: false),
        ]
        #expect(!items.needsPerson(inStepAt: 0))
        #expect(items.needsPerson(inStepAt: 3))
    }

    @Test("A call to an accessory is told in words, without its values' secrets")
    func words() {
        func words(_ json: String) -> String { PlainText.words(ofCall: Data(json.utf8)) }
        #expect(words(#"{"perform":{"_0":{"roll":{"face":6}},"_1":{}}}"#) == "perform roll face 6")
        #expect(words(#"{"powerOn":{"_0":{"name":"Die 7","passphrase":"secret"},"_1":{}}}"#) == "powerOn")
        #expect(words("nonsense").isEmpty)
        #expect(words("[1]").isEmpty)
    }
}

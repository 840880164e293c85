import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord
import RadioModel
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
        #expect(note("number 004711", kind: "output").sixDigits == "004711")
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
            .stepBegan("roll", budget: .seconds(1), at: place),
            .command(RehearsedCommand(words: "die: roll") { _ in }), .line("rolled"),
            .stepEnded("roll", needsPerson: false),
            .stepBegan("join", budget: .seconds(1), at: place), .accessory(note("joined")),
            .stepEnded("join", needsPerson: false),
            // A program does not report that the app reads something.
            .stepBegan("read", budget: .seconds(1), at: place), .line("read"), .stepEnded("read", needsPerson: false),
        ]
        #expect(!items.needsPerson(inStepAt: 0))
        #expect(items.needsPerson(inStepAt: 4))
        #expect(items.needsPerson(inStepAt: 7))
    }

    @Test(
        "A person installs an app's earlier version, updates it, and opens it again, and the phone does its own launches"
    )
    func launches() {
        let words = ["was launched, version 1.4", "was launched, version 2.0", "was launched, version 2.0"]
        let app = "com.example.kettle"
        let items = words.compactMap { RehearsedItem(.phone(.app(app, $0))) }
        var acts = LaunchActs(items)
        let said = items.compactMap { item -> String? in
            guard case .launched(let app, let version) = item else { return nil }
            return acts.act(toOpen: app, version: version)
        }
        #expect(
            said == [
                "install version 1.4 of the app com.example.kettle, and open it",
                "update the app com.example.kettle to version 2.0, and open it",
                "close the app com.example.kettle, and open it again",
            ])
        let other = acts.act(toOpen: "com.example.lamp", version: nil)
        #expect(other == "open the app com.example.lamp")
        let alone = "was launched in the background for a value of 02:00:00:00:02:B0"
        #expect(RehearsedItem(.phone(.app(app, alone))) == nil)
    }

    @Test("What the home's router reports is awaited without addresses, a wrong passphrase only as the scenario did")
    func router() throws {
        let stations = try ["02:00:00:00:01:00", "02:00:00:00:01:01"].map { try #require(DeviceAddress($0)) }
        let rehearsal = Rehearsal()
        rehearsal.add(HomeNews.network(HandHome(ssid: "Home", passphrase: "not in a record")))
        for _ in 1...3 { rehearsal.add(HomeNews.router(.refused(station: stations[0]))) }
        for _ in 1...2 { rehearsal.add(HomeNews.router(.gaveAddress("192.168.60.12", station: stations[0]))) }
        rehearsal.add(HomeNews.awaited(.gaveAddress("192.168.60.12", station: stations[0])))
        #expect(rehearsal.items.count == 2, "refusals that nobody awaited are left out, and an address counts once")
        rehearsal.add(HomeNews.router(.left(station: stations[0])))
        rehearsal.add(HomeNews.router(.gaveAddress("192.168.60.12", station: stations[0])))
        #expect(rehearsal.items.count == 4, "a station that comes back needs an address once more")
        rehearsal.add(HomeNews.awaited(.refused(station: stations[0])))
        guard case .router(.refused)? = rehearsal.items.last else {
            Issue.record("a refusal that the scenario awaited is left out")
            return
        }
        #expect(
            AccessoryNote(.gaveAddress("192.168.60.12", station: stations[0]))
                .isLike(AccessoryNote(.gaveAddress("192.168.60.99", station: stations[1]))))
        #expect(!AccessoryNote(.joined(station: stations[0])).isLike(AccessoryNote(.left(station: stations[0]))))
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

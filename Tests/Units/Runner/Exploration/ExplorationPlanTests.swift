import HILRecord
import Testing

@testable import HILExploration

struct ExplorationPlanTests {
    @Test("Only the moments that all runs share are tried, in the order of the first")
    func shared() {
        let odd = Moment(.told, "told(didConnect)")
        let journey = Journey([
            Journeys.run(), Journeys.run([Journeys.step, odd, Journeys.passkey, Journeys.write]), Journeys.run(),
        ])
        #expect(journey.moments.map(\.moment) == [Journeys.step, Journeys.passkey, Journeys.write])
        #expect(journey.unstable == [odd])
        #expect(Journey.share(of: Journeys.run(), in: Journeys.run([Journeys.step])) == 1.0 / 3)
    }

    @Test("A fault that makes no sense at a moment is left out with its reason, and so is one that the rig cannot make")
    func leftOut() throws {
        var run = Journeys.run()
        run.unavailable = ["powerCut": "the rig cannot cut the power"]
        let plan = ExplorationPlan(Journey([run]))
        func reason(_ fault: FaultKind, _ moment: Moment) -> String? {
            plan.leftOut.first { $0.cell == .init(fault.rawValue, at: moment) }?.reason
        }
        #expect(reason(.powerCut, Journeys.write) == "the rig cannot cut the power")
        #expect(reason(.personCancels, Journeys.write) == "no screen appears")
        #expect(reason(.personCancels, Journeys.passkey) == nil)
        #expect(reason(.packetHeld, Journeys.passkey) == "no packet is under way")
        #expect(reason(.packetDropped, Journeys.write)?.contains("repeats a packet until it arrives") == true)
        #expect(reason(.linkLost, Journeys.passkey) == "no link is up")
        #expect(reason(.wifiOff, Journeys.write) == "no network is in use")
        #expect(plan.cells.contains(.init("linkLost", at: Journeys.write)))
        #expect(Set(plan.cells).isDisjoint(with: plan.leftOut.map(\.cell)))
        #expect(plan.cells.count + plan.leftOut.count == 3 * FaultKind.allCases.count)
    }

    @Test("A seed gives the same order again, and the first trials are the most different")
    func order() {
        let moments = (1...8).map { Moment(.attribute, "write(FF0\($0))") }
        let journey = Journey([Journeys.run(moments)])
        let plan = ExplorationPlan(journey, seed: 7)
        #expect(plan.cells == ExplorationPlan(journey, seed: 7).cells)
        #expect(plan.cells != ExplorationPlan(journey, seed: 8).cells)
        let other = ExplorationPlan(Journey([Journeys.run(moments.reversed())]), seed: 7)
        #expect(plan.cells == other.cells, "whatever the order of the moments in this run")
        let first = plan.cells.prefix(8)
        #expect(Set(first.map(\.moment)).count == 8 && Set(first.map(\.fault)).count == 8)
        let counts = Dictionary(grouping: plan.cells.prefix(24), by: \.fault).mapValues(\.count)
        #expect(counts.values.max() == counts["linkLost"] && counts["linkLost"] == 4, "\(counts)")
    }

    @Test("A fault or a moment that is not there is an error that says what is")
    func problems() {
        let journey = Journey([Journeys.run()])
        func problem(_ faults: [String], _ moments: [String]) -> String? {
            ExplorationPlan(journey, faults: faults, at: moments).problem(faults: faults, at: moments, journey)
        }
        #expect(problem(["linkLots"], [])?.hasPrefix("there is no fault linkLots; there are packetDropped,") == true)
        #expect(problem([], ["write(FF04)"])?.contains("--moments shows them") == true)
        #expect(
            problem(["personCancels"], ["write(FF03)"])
                == "personCancels at write(FF03) makes no sense: no screen appears")
        #expect(problem(["linkLost"], ["write( ff03 )"]) == nil)
    }

    @Test("What was not chosen is left out, with that reason")
    func chosen() {
        let plan = ExplorationPlan(Journey([Journeys.run()]), faults: ["linkLost"], at: ["write(FF03)"])
        #expect(plan.cells == [.init("linkLost", at: Journeys.write)])
        #expect(plan.leftOut.map(\.reason) == ["other moments were chosen", "other moments were chosen"])
    }

    @Test("Pairs are of two harmless faults, the second later, each two faults once")
    func pairs() throws {
        let journey = Journey([Journeys.run()])
        let plan = ExplorationPlan(journey)
        func result(_ fault: FaultKind, _ moment: Moment, _ outcome: TrialOutcome) -> TrialResult {
            TrialResult(.init(fault.rawValue, at: moment), outcome, seconds: 1)
        }
        let pairs = plan.pairs(of: [
            result(.bluetoothOff, Journeys.step, .unharmed), result(.packetHeld, Journeys.write, .recoveredAlone),
            result(.personWaits, Journeys.passkey, .stuck), result(.bluetoothOff, Journeys.write, .unharmed),
        ])
        let pair = try #require(pairs.first)
        #expect(pairs.count == 1)
        #expect(pair.cell?.moment == Journeys.step && pair.second?.fault == "packetHeld")
    }

    @Test("Names of moments are read as they are written")
    func names() {
        let moments = [
            Moment(.pairing, "smp(dhKeyCheck)", number: 2), Moment(.screen, "screen(passkey)"),
            Moment(.step, "step(set up)"), Moment(.told, "told(accessoryAdded)"),
            Moment(.wifi, "eapol(3) of accessory"), Moment(.channel, "data(sent)"),
            Moment(.channel, "open(0080)"),
            Moment(.network, "home(gaveAddress)"), Moment(.program, "printed(ready)"),
            Moment(.attribute, "answer(write(FF03))", number: 9),
        ]
        for moment in moments { #expect(Moment("\(moment)") == moment) }
        #expect(Moment("write(FF03)").description == "write(FF03)")
    }
}

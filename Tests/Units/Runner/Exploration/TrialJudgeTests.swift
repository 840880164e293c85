import HILRecord
import Testing

@testable import HILExploration

struct TrialJudgeTests {
    private static let order = TrialOrder(.init("linkLost", at: Journeys.write))

    private func judge(
        _ note: TrialNote?, _ judgement: Judgement = Judgement([]), in journey: Journey = Journey([Journeys.run()])
    ) -> TrialResult? {
        TrialJudge(journey).result(of: Self.order, note, judgement, seconds: 2)
    }

    @Test("A journey that passes is unharmed, or has recovered alone if it took longer")
    func passes() {
        #expect(judge(Journeys.trial(.init(.passed, seconds: 1.2)))?.outcome == .unharmed)
        #expect(judge(Journeys.trial(.init(.passed, seconds: 7)))?.outcome == .recoveredAlone)
    }

    @Test("An error that the app was told is fine if the next attempt passes, and a finding if it does not")
    func told() {
        let failed = TrialNote.Attempt(.failed, seconds: 1, failure: "CBError.notConnected", step: "pair")
        #expect(judge(Journeys.trial(failed, .init(.passed, seconds: 1)))?.outcome == .toldAndRecovered)
        let stuck = judge(Journeys.trial(failed, .init(.failed, seconds: 1, failure: "no lamp")))
        #expect(stuck?.outcome == .stuck && stuck?.detail == "the next attempt fails: no lamp")
        let waits = TrialNote.Attempt(
            .waited, seconds: 9, awaited: "the lamp in the picker", step: "add", screen: "picker")
        let next = judge(Journeys.trial(failed, waits, .init(.passed, seconds: 1)))
        #expect(
            next?.awaited == waits.awaited && next?.step == "add" && next?.screen == "picker", "of the next attempt")
        let restarted = judge(Journeys.trial(failed, .init(.failed, seconds: 1), .init(.passed, seconds: 1)))
        #expect(restarted?.outcome == .stuck)
        #expect(restarted?.detail?.contains("until the accessory is restarted") == true)
    }

    @Test("If the journey cannot be made twice without a fault, a next attempt that fails says nothing")
    func unrepeatable() {
        let journey = Journey([Journeys.run(second: .init(.failed, seconds: 1, failure: "already on"))])
        #expect(journey.unrepeatable == "already on")
        let note = Journeys.trial(.init(.failed, seconds: 1, failure: "lost"), .init(.failed, seconds: 1))
        #expect(judge(note, in: journey)?.outcome == .toldAndRecovered)
    }

    @Test("Waiting for the app in vain is silent, and so is waiting for an event of which the app was told nothing")
    func silent() {
        let hangs = TrialNote.Attempt(.waited, seconds: 20, step: "set up", told: ["didDisconnectPeripheral"])
        let app = judge(Journeys.trial(hangs, .init(.passed, seconds: 1)))
        #expect(app?.outcome == .silent)
        #expect(app?.detail == "the app waits for ever in “set up”, although it was told didDisconnectPeripheral")
        let event = TrialNote.Attempt(.waited, seconds: 20, awaited: "the lamp to be bonded", told: [])
        #expect(judge(Journeys.trial(event))?.detail == "the lamp to be bonded never comes, and was told nothing")
        let own = TrialNote.Attempt(.waited, seconds: 20, step: "set up", toldOwnEnd: "didDisconnectPeripheral")
        #expect(
            judge(Journeys.trial(own))?.detail == app?.detail, "an end that the app asked for is something it was told")
        #expect(judge(Journeys.trial(own))?.told == "didDisconnectPeripheral")
        let only = TrialNote.Attempt(
            .waited, seconds: 20, awaited: "the lamp to be bonded", toldOwnEnd: "didDisconnectPeripheral")
        #expect(
            judge(Journeys.trial(only))?.detail == """
                the lamp to be bonded never comes, and the app was told only didDisconnectPeripheral, for which it had asked
                """)
        var radio = Journeys.run()
        for index in radio.moments.indices { radio.moments[index].hasApp = false }
        let alone = judge(Journeys.trial(event, .init(.passed, seconds: 1)), in: Journey([radio]))
        #expect(alone?.outcome == .toldAndRecovered, "no app runs that could be told")
        var publishing = Journeys.run()
        publishing.isPeripheral = true
        let unheard = judge(Journeys.trial(hangs, .init(.passed, seconds: 1)), in: Journey([publishing]))
        #expect(unheard?.outcome == .toldAndRecovered, "an app that is a peripheral is told of no end")
        let told = TrialNote.Attempt(.waited, seconds: 20, awaited: "the lamp to be bonded", told: ["didDisconnect"])
        #expect(judge(Journeys.trial(told, .init(.passed, seconds: 1)))?.outcome == .toldAndRecovered)
    }

    @Test("A silence that lasted far longer than the machine was late is a finding, also on a late machine")
    func silenceOnALateMachine() throws {
        let hangs = TrialNote.Attempt(.waited, seconds: 20, step: "set up")
        let note = Journeys.trial(hangs, .init(.passed, seconds: 1))
        let result = try #require(judge(note))
        var failure = TrialJudge(Journey([Journeys.run()])).failure(of: result, note, "silent")
        let late = Lateness.Witness(.waited, "the accessory board", seconds: 0.574, of: 0.778)
        failure.lateness = Lateness(seconds: 22, [late])
        #expect(late.isBad && failure.isProven && Judgement([failure]).verdict == .failed)
        failure.waited = nil
        #expect(!failure.isProven, "what did not wait proves nothing")
    }

    @Test("After a person's refusal, an event that does not come is no silence, and an app that waits is")
    func refused() {
        let order = TrialOrder(.init("personCancels", at: Journeys.passkey))
        func outcome(awaited: String?) -> TrialOutcome? {
            let note = Journeys.trial(
                .init(.waited, seconds: 20, awaited: awaited), .init(.passed, seconds: 1))
            return TrialJudge(Journey([Journeys.run()])).result(of: order, note, Judgement([]), seconds: 2)?.outcome
        }
        #expect(outcome(awaited: "the die to show a notification") == .toldAndRecovered)
        #expect(outcome(awaited: nil) == .silent)
    }

    @Test("A bond that only one end has is split, and so is an accessory too many; both without a bond is not")
    func split() {
        func outcome(_ state: [TrialFact: Int]) -> TrialResult? {
            judge(Journeys.trial(.init(.passed, seconds: 1), state: state))
        }
        let half = outcome([.phoneBonds: 1, .accessoryBonds: 0, .accessories: 1])
        #expect(half?.outcome == .split && half?.detail == "the accessory has no bond, and the phone has a bond")
        #expect(outcome([.phoneBonds: 0, .accessoryBonds: 1, .accessories: 1])?.outcome == .split)
        #expect(outcome([.phoneBonds: 0, .accessoryBonds: 0, .accessories: 1])?.outcome == .unharmed)
        #expect(
            outcome([.phoneBonds: 1, .accessoryBonds: 1, .accessories: 2])?.detail == "the app has 2 accessories, not 1"
        )
    }

    @Test("Where the scenario says what a person does next, another end than the journey's is none that is split")
    func ownRecovery() {
        let removal = Journey([Journeys.run(state: [.phoneBonds: 0, .accessoryBonds: 0, .accessories: 0])])
        func outcome(_ state: [TrialFact: Int], own: Bool = true) -> TrialResult? {
            var note = Journeys.trial(.init(.failed, seconds: 1), .init(.passed, seconds: 1), state: state)
            note.hasOwnRecovery = own
            return judge(note, in: removal)
        }
        let kept: [TrialFact: Int] = [.phoneBonds: 0, .accessoryBonds: 0, .accessories: 1]
        #expect(outcome(kept)?.outcome == .toldAndRecovered, "the person refused the removal")
        #expect(outcome(kept, own: false)?.detail == "the app has an accessory, and has none without a fault")
        #expect(outcome([.phoneBonds: 0, .accessoryBonds: 0, .accessories: 2])?.outcome == .split)
        #expect(outcome([.phoneBonds: 1, .accessoryBonds: 0, .accessories: 1])?.outcome == .split)
    }

    @Test("What is left after the removal is a leak, unless it is left without a fault as well")
    func leaked() {
        let left = judge(Journeys.trial(.init(.passed, seconds: 1), left: [.networks: 1]))
        #expect(left?.outcome == .unharmed, "nothing is known about networks of this journey")
        let journey = Journey([Journeys.run(left: [.networks: 0, .accessoryBonds: 1])])
        let leak = judge(Journeys.trial(.init(.passed, seconds: 1), left: [.networks: 1]), in: journey)
        #expect(leak?.outcome == .leaked)
        #expect(leak?.detail == "after the person has removed the accessory, the phone has a configured network")
        let usual = judge(Journeys.trial(.init(.passed, seconds: 1), left: [.accessoryBonds: 1]), in: journey)
        #expect(usual?.outcome == .unharmed)
    }

    @Test("Crashes, broken promises and secrets in the clear are findings, whatever the attempts did")
    func others() {
        var note = Journeys.trial(.init(.passed, seconds: 1))
        note.broken = ["it does not hold that the latch is locked"]
        #expect(judge(note)?.outcome == .brokenPromise)
        note.leaks = ["the home's passphrase was in the clear on the air"]
        #expect(judge(note)?.outcome == .leaked)
        note.crashes = ["the program “lamp” exited with 1"]
        #expect(judge(note)?.outcome == .crashed)
        let crash = Failure(.product, "crashed: Fatal error", basis: .certain)
        #expect(judge(nil, Judgement([crash]))?.outcome == .crashed)
        let daemon = Finding(.daemon, of: .accessory, program: "bluetoothd")
        let brought = Failure(
            .product, "bluetoothd was ended by signal 11\nbluetoothd+0x1", basis: .certain, finding: daemon)
        let result = judge(nil, Judgement([brought, Failure(.rig, "it does not run", finding: daemon)]))
        #expect(result?.outcome == .crashed && result?.detail == "bluetoothd was ended by signal 11")
    }

    @Test(
        "What the rig did is an error, a moment that did not come is not reached, and a fault without proof is an error"
    )
    func unproven() {
        #expect(judge(nil, Judgement([Failure(.rig, "the air is gone")]))?.outcome == .error)
        #expect(judge(nil)?.outcome == .error)
        var note = Journeys.trial(.init(.passed, seconds: 1))
        note.proof = nil
        #expect(judge(note)?.outcome == .error)
        note.isReached = false
        #expect(judge(note)?.outcome == .notReached)
    }
}

import BoardProtocol
import HILRecord
import HILTiming
import RadioModel
import RigModel
import Synchronization
import Testing

@testable import HIL

/// Trials on a lab without boards, with faults of the team.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TrialTests {
    private struct Broken: Error {}

    private let test: TestLab
    private let door = EventLog<String>()
    /// The attempts that have begun.
    private let attempts = EventLog<Void>()

    init() throws { test = try TestLab(RigDescription("stub", has: [])) }

    private func run(_ order: TrialOrder, _ scenario: Scenario) async -> TrialNote {
        await Trial(scenario, scenario.cases[0], test.lab, order).run()
    }

    private func order(_ moment: String) -> TrialOrder { TrialOrder(.init("doorOpened", at: Moment(moment))) }

    /// A fault that leaves the door open until it is undone.
    private var opening: TeamFault {
        TeamFault(
            "doorOpened", begin: { [door] _ in door.append("opened") }, undo: { [door] _ in door.append("closed") })
    }

    @Test("A journey without a fault is made twice, and tells its moments and what cannot be tried")
    func moments() async throws {
        let scenario = Scenario("Two steps", .explores(faults: [opening])) { lab in
            try await lab.step("knock") {}
            try await lab.step("enter") {}
        }
        let note = await run(TrialOrder(), scenario)
        #expect(note.moments.map { "\($0.moment)" } == ["step(knock)", "step(enter)"])
        #expect(note.attempts.map(\.ending) == [.passed, .passed])
        #expect(note.teamFaults == ["doorOpened"])
        #expect(note.unavailable["linkLost"] != nil && note.unavailable["programKilled"] != nil)
        #expect(note.unavailable["bluetoothOff"] == nil)
        #expect(door.events.isEmpty && test.failures.isEmpty)
    }

    @Test("A fault happens at its moment and is undone, and a person tries again after an attempt that failed")
    func recovers() async throws {
        let scenario = Scenario("A door", .explores(faults: [opening])) { [door, attempts] lab in
            attempts.append(())
            try await lab.step("knock") {}
            try await lab.step("enter") {
                guard attempts.count == 1 else { return }
                _ = try await door.first(within: .seconds(30), waitingFor: "the door")
                throw Broken()
            }
        }
        let note = await run(order("step(enter)"), scenario)
        #expect(note.isReached && note.proof == "doorOpened happened")
        #expect(note.attempts.map(\.ending) == [.failed, .passed])
        #expect(note.attempts.first?.step == "enter")
        #expect(door.events == ["opened", "closed"])
        #expect(test.failures.isEmpty, "the failures of a trial decide nothing")
        let notes = test.events.compactMap { if case .note(let text) = $0 { text } else { String?.none } }
        let course = [
            "\(TrialNote.faultLine)“doorOpened” happens, at step(enter)", "attempt 1 failed: Broken: Broken()",
            "attempt 2: the accessory is removed in Settings, and the journey begins again", "attempt 2 passed",
        ]
        #expect(notes.filter(course.contains) == course, "\(notes)")
    }

    @Test("A fault of the team lasts until its attempt has ended, also one that passes")
    func lasts() async throws {
        let scenario = Scenario("A door", .explores(faults: [opening])) { [door] lab in
            try await lab.step("enter") {}
            _ = try await door.first(within: .seconds(30), waitingFor: "the door")
            // Whatever waits for a fault's end may go on now.
            for _ in 0..<100 { await Task.yield() }
            try await lab.step("leave") { if door.events.contains("closed") { throw Broken() } }
        }
        let note = await run(order("step(enter)"), scenario)
        #expect(note.attempts.map(\.ending) == [.passed])
        #expect(door.events == ["opened", "closed"])
    }

    @Test("What a scenario had switched off when its attempt ended early is on again in the next one")
    func putBack() async throws {
        let scenario = Scenario("A door", .explores(faults: [opening])) { [door, attempts] lab in
            attempts.append(())
            let wereOn = lab.phone.bluetoothIsOn && lab.phone.wifiIsOn
            await lab.phone.switchBluetooth(false)
            await lab.phone.switchWiFi(false)
            try await lab.step("enter") {}
            _ = try await door.first(within: .seconds(30), waitingFor: "the door")
            guard attempts.count == 2, wereOn else { throw Broken() }
        }
        let note = await run(order("step(enter)"), scenario)
        #expect(note.attempts.map(\.ending) == [.failed, .passed], "\(note.attempts)")
        #expect(test.failures.isEmpty, "\(test.failures)")
    }

    @Test("Of two faults both must have happened")
    func pairs() async throws {
        let steps = [Moment("step(enter)"), Moment("step(leave)")]
        let order = TrialOrder(.init("doorOpened", at: steps[0]), second: .init("windowOpened", at: steps[1]))
        for isStuck in [false, true] {
            let window = TeamFault("windowOpened", begin: { _ in if isStuck { throw Broken() } }, undo: { _ in })
            let scenario = Scenario("A house", .explores(faults: [opening, window])) { lab in
                try await lab.step("enter") {}
                try await lab.step("leave") {}
            }
            let note = await run(order, scenario)
            #expect(note.isReached)
            #expect(note.proof == (isStuck ? nil : "doorOpened happened; windowOpened happened"))
        }
    }

    /// A lab whose accessory has a bond from the third look at its board on.
    private func bonding(_ looks: EventLog<Void>) throws -> TestLab {
        try TestLab(RigDescription("stub", has: [.accessoryBoard])) { call throws(RadioError) in
            guard case .system(.health(let reply)) = call else { return nil }
            looks.append(())
            let phone = DeviceAddress("02:00:00:00:01:B0")
            return reply(BoardHealth(clock: 0, bonds: looks.count < 3 ? [] : [phone].compactMap { $0 }))
        }
    }

    @Test("What there is at the end is looked at until it is as usual: bluetoothd knows of a bond later than its phone")
    func settles() async throws {
        let looks = EventLog<Void>()
        let test = try bonding(looks)
        var order = order("step(enter)")
        (order.usual, order.usuallyLeft) = ([.accessoryBonds: 1...1], [.accessoryBonds: 1...1])
        let scenario = Scenario("A door", .explores(faults: [opening])) { lab in try await lab.step("enter") {} }
        let trial = Task { @MainActor [order] in await Trial(scenario, scenario.cases[0], test.lab, order).run() }
        for look in 1...2 {
            await test.clock.sleeper(until: .milliseconds(100 * look))
            test.clock.advance(by: .milliseconds(100))
        }
        let note = await trial.value
        #expect(note.state[.accessoryBonds] == 1 && note.leftovers[.accessoryBonds] == 1)
        #expect(looks.count == 4)
    }

    @Test(
        "A bond that an accessory keeps for good is looked at three times in a journey without a fault, not until a limit"
    )
    func keeps() async throws {
        // The first look asks what cannot be tried, and the second is at the end of the journey.
        let looks = EventLog<Void>()
        let test = try bonding(looks)
        let scenario = Scenario("A door") { lab in try await lab.step("enter") {} }
        let trial = Task { @MainActor in await Trial(scenario, scenario.cases[0], test.lab, TrialOrder()).run() }
        for look in 1...2 {
            await test.clock.sleeper(until: .milliseconds(100 * look))
            test.clock.advance(by: .milliseconds(100))
        }
        let note = await trial.value
        #expect(note.state[.accessoryBonds] == 0 && note.leftovers[.accessoryBonds] == 1)
        #expect(looks.count == 5)
    }

    @Test("What the body asked of a board that then lost a daemon ends the attempt, and the next one begins")
    func boardIsDown() async throws {
        let kills = EventLog<Void>()
        let test = try TestLab(RigDescription("stub", has: [.accessoryBoard])) { call throws(RadioError) in
            if case .fault(.killDaemon) = call { kills.append(()) }
            guard case .system(.health(let reply)) = call else { return nil }
            return reply(BoardHealth(clock: 0, daemons: [.bluetoothd]))
        }
        let telling = Task {
            _ = try await kills.first()
            test.accessory.tell(.daemonLost(name: "bluetoothd", how: "it was ended by signal 9"))
        }
        defer { telling.cancel() }
        let scenario = Scenario("A lamp") { [attempts] lab in
            attempts.append(())
            try await lab.step("ask") {}
            guard attempts.count == 1 else { return }
            _ = try await kills.first(within: .seconds(30), waitingFor: "the fault")
            throw RadioError.rig("bluetoothd does not answer")
        }
        var order = TrialOrder(.init(FaultKind.bluetoothdKilled.rawValue, at: Moment("step(ask)")))
        order.usuallyLeft = [.accessoryBonds: 0...0]
        let trial = Task { @MainActor [order] in await Trial(scenario, scenario.cases[0], test.lab, order).run() }
        await test.clock.sleeper(until: .milliseconds(500))
        test.clock.advance(by: .milliseconds(500))
        let note = await trial.value
        #expect(note.attempts.map(\.ending) == [.cutShort, .passed], "\(note.attempts)")
        #expect(note.proof == "bluetoothd was killed" && test.failures.isEmpty)
    }

    @Test("What a person does next has the values of the case that runs, and no others")
    func axisValues() async throws {
        let keys = Axis("keys", [1, 2])
        let scenario = Scenario(
            "A door",
            .explores(
                recovery: { lab in
                    let count = try lab.value(of: keys)
                    guard count == 2 else { throw Broken() }
                    _ = try lab.value(of: Axis("keys", ["none"]))
                }, faults: [opening]), over: keys
        ) { lab, _ in
            try await lab.step("enter") { throw Broken() }
        }
        for (one, why) in zip(scenario.cases, ["Broken()", "does not run over an axis “keys” of String"]) {
            let note = await Trial(scenario, one, test.lab, order("step(enter)")).run()
            #expect(note.attempts.map(\.ending) == [.failed, .failed])
            #expect(note.attempts.last?.failure?.contains(why) == true, "\(note.attempts.last?.failure ?? "-")")
        }
    }

    @Test("What a fault waits for does not end with the step in which it began")
    func outlivesItsStep() async throws {
        let left = EventPattern<String, Void>("the visitor to leave") { $0 == "left" ? () : nil }
        let fault = TeamFault("doorOpened", begin: { [door] _ in _ = try await door.first(left) }, undo: { _ in })
        let scenario = Scenario("A door", .explores(faults: [fault])) { [door] lab in
            do {
                try await lab.step("visit") {
                    try await lab.step("enter") {}
                    throw Broken()
                }
            } catch {
                door.append("left")
                throw error
            }
        }
        let note = await run(order("step(enter)"), scenario)
        #expect(note.proof == "doorOpened happened")
        #expect(test.failures.isEmpty)
    }

    @Test("A fault whose moment does not come has not happened")
    func missing() async throws {
        let scenario = Scenario("A step", .explores(faults: [opening])) { lab in try await lab.step("knock") {} }
        let note = await run(order("step(enter)"), scenario)
        #expect(!note.isReached && note.proof == nil && note.attempts.count == 1)
        #expect(door.events.isEmpty)
    }

    @Test("A fault that cannot be made is a failure of the rig")
    func refused() async throws {
        let jammed = TeamFault("doorOpened", begin: { _ in throw Broken() })
        let scenario = Scenario("A step", .explores(faults: [jammed])) { lab in try await lab.step("knock") {} }
        let note = await run(order("step(knock)"), scenario)
        #expect(note.proof == nil)
        #expect(test.failures.map(\.kind) == [.rig])
        #expect(test.failures.first?.message.hasPrefix("the fault of the trial: ") == true)
    }

    @Test("An attempt that waits in vain ends with its time, and the next one is made beside what it left")
    func hangs() async throws {
        let scenario = Scenario("A door", .explores(faults: [opening])) { [attempts] lab in
            attempts.append(())
            try await lab.step("enter") {
                guard attempts.count == 1 else { return }
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        let order = order("step(enter)")
        let trial = Task { @MainActor in await run(order, scenario) }
        _ = try await door.first(within: .seconds(30), waitingFor: "the door")
        await test.clock.sleepers(atLeast: 1)
        test.clock.advance(by: .seconds(600))
        let note = await trial.value
        #expect(note.attempts.map(\.ending) == [.waited, .passed])
        #expect(note.attempts.first?.awaited == nil && note.attempts.first?.failure == "it did not end")
    }

    @Test("What an attempt that is over still does is marked with its number, and does not count for the next one")
    func late() async throws {
        let scenario = Scenario("A door", .explores(faults: [opening])) { [attempts, door] lab in
            attempts.append(())
            let number = attempts.count
            if number == 1 {
                Task {
                    _ = try await door.first(
                        EventPattern<String, Void>("the second attempt") { $0 == "again" ? () : nil })
                    lab.expect(false, "the first one sees light")
                    lab.note("still there")
                    try? await lab.step("look") {}
                    door.append("seen")
                }
            }
            try await lab.step("enter") {
                if number == 1 { throw Broken() }
                door.append("again")
                _ = try await door.first(
                    EventPattern<String, Void>("the first attempt's end") { $0 == "seen" ? () : nil })
            }
        }
        let note = await run(order("step(enter)"), scenario)
        #expect(note.attempts.map(\.ending) == [.failed, .passed], "\(note.attempts)")
        let notes = test.events.compactMap { if case .note(let text) = $0 { text } else { String?.none } }
        #expect(notes.contains("attempt 1, late: still there"))
        #expect(notes.contains("attempt 1, late: does not hold: the first one sees light"), "\(notes)")
        let steps = test.events.compactMap { event in
            if case .stepBegan(let name, _, _, _) = event { name } else { String?.none }
        }
        #expect(steps == ["enter", "enter", "look (attempt 1, late)"])
        #expect(test.failures.isEmpty)
    }

    @Test("A broken promise says what was expected, and what its check returned and noted")
    func promises() async throws {
        let holds: [ExploredPromise] = [
            .custom("the list has no double") { lab in
                lab.note("the list: [1,\n1]")
                return false
            }, .custom("the door is shut") { _ in throw Broken() }, .custom("the lamp is on") { _ in true },
        ]
        let scenario = Scenario("A door", .explores(holds: holds, faults: [opening])) { lab in
            try await lab.step("enter") {}
            lab.note("not of a promise")
        }
        let note = await run(order("step(enter)"), scenario)
        #expect(note.broken.count == 2)
        let first = try #require(note.broken.first)
        #expect(
            first.hasPrefix(
                "it does not hold that the list has no double\(TrialNote.seen)the scenario's check returned"))
        #expect(first.contains("noted “the list: [1,") && !first.contains("\n") && !first.contains("not of a promise"))
        #expect(note.broken.last?.contains("check failed: Broken: Broken()") == true, "\(note.broken)")
    }

    @Test("The place of a crash comes from the board's report, with function and line if they are known")
    func crashPlaces() {
        func place(_ line: String) -> String? { CrashPlace(inReport: line)?.description }
        #expect(
            place("lamp (process 300) crashed with signal 11 at lamp+0x1a3 (on_write, lamp.c:70)")
                == "lamp+0x1a3 (on_write, lamp.c:70)")
        #expect(
            place("? (process 1) crashed with signal 6") == nil && place("command: lamp") == nil && place("") == nil)
        #expect(CrashPlace.age(inReport: "the signal came 230 ms before this report") == .milliseconds(230))
        #expect(CrashPlace.age(inReport: "the signal came 99999999999 ms before this report") == nil)
        #expect(place("crashed with signal 1 at " + String(repeating: "x", count: 5000))?.count == 200)
    }
}

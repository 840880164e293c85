import BoardProtocol
import CoreBluetooth
import HILPhone
import HILRecord
import HILTiming
import RadioModel
import RigModel
import Synchronization
import TestSupport
import Testing

@testable import HIL

@MainActor
struct ScenarioTests {
    private struct Broken: Error, CustomStringConvertible {
        let description = "the hinge is broken"
    }

    @Test("Every combination of the axes is a separate case, with its values")
    func matrix() async throws {
        let scenario = Scenario(
            "Anything", over: Axis("security", [WiFiSecurity.wpa2, .wpa3]), Axis("distance", [1.0, 10])
        ) { lab, security, distance in
            lab.note("\(security) at \(distance)")
        }
        #expect(
            scenario.cases.map(\.label) == [
                "security=wpa2,distance=1.0", "security=wpa2,distance=10.0", "security=wpa3,distance=1.0",
                "security=wpa3,distance=10.0",
            ])
        let test = try TestLab()
        for one in scenario.cases { await scenario.run(one, in: test.lab) }
        let notes = test.events.compactMap { if case .note(let text) = $0 { text } else { nil } }
        #expect(notes == ["wpa2 at 1.0", "wpa2 at 10.0", "wpa3 at 1.0", "wpa3 at 10.0"])
    }

    @Test("A value is named by its label, without characters that a command line or a file name cannot have")
    func labels() {
        let scenario = Scenario("Anything", over: Axis("a size", [(1, "1 [kB],\n=ü"), (2, "x")]) { $0.1 }) { _, _ in }
        #expect(scenario.cases.map(\.label) == ["a-size=1--kB----ü", "a-size=x"])
    }

    @Test("A system among the values of an axis is the case's own, and known before it runs")
    func systems() async throws {
        let scenario = Scenario(
            "Anything", over: Axis("accessory", [BoardSystem.debian12, .debian13]), Axis("size", [1])
        ) { lab, system, _ in
            lab.note("\(system)")
        }
        #expect(scenario.cases.map(\.system) == [.debian12, .debian13])
        #expect(scenario.cases.map(\.label) == ["accessory=debian12,size=1", "accessory=debian13,size=1"])
        let test = try TestLab()
        for one in scenario.cases { await scenario.run(one, in: test.lab) }
        let notes = test.events.compactMap { if case .note(let text) = $0 { text } else { nil } }
        #expect(notes == ["debian12", "debian13"])
        #expect(Scenario("Other", over: Axis("size", [1])) { _, _ in }.cases.map(\.system) == [nil])
    }

    @Test("A choice of the policy among the values of an axis is the phone's before the body begins")
    func policyChoices() async throws {
        let scenario = Scenario(
            "Anything", over: Axis.pickerEnd, Axis("blob", HostPolicy.BlobLength.allCases)
        ) { lab, end, length in
            lab.note("\(lab.phone.policy.pickerEnd == end) \(lab.phone.policy.blobLength == length)")
        }
        #expect(scenario.cases.map(\.label).count == 4)
        #expect(scenario.cases.first?.label == "picker=dismissalThenCompletion,blob=prefix")
        let test = try TestLab()
        for one in scenario.cases { await scenario.run(one, in: test.lab) }
        let notes = test.events.compactMap { if case .note(let text) = $0 { text } else { nil } }
        #expect(notes == Array(repeating: "true true", count: 4))
    }

    @Test("A thrown error is a failure at the line of the step that threw it")
    func line() async throws {
        let test = try TestLab()
        let line = #line + 3
        let scenario = Scenario("Breaks") { lab in
            try await lab.step("outer") {
                try await lab.step("inner") { throw Broken() }
            }
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.map(\.message) == ["the hinge is broken"])
        #expect(test.failures.first?.kind == .product)
        #expect(test.failures.first?.location?.line == line)
    }

    @Test("An error of the lab outside any step is a failure at the line of the call, also in a step")
    func callLine() async throws {
        for isInStep in [false, true] {
            let test = try TestLab()
            let scenario = Scenario("Waits in vain") { lab in
                let lamp = try await lab.accessory.powerOn(.lamp(named: "Lamp 7"))
                func wait() async throws {
                    try await lamp.link.events.next(.any("a flash"), within: .zero)
                }
                if isInStep { try await lab.step("wait") { try await wait() } } else { try await wait() }
            }
            await scenario.run(scenario.cases[0], in: test.lab)
            #expect(test.failures.map(\.message) == ["waited 0 ms for a flash"])
            #expect(test.failures.first?.location?.line == #line - 6)
        }
    }

    @Test(
        "A radio that is already so is not switched, and one that does not follow is the rig's error",
        .timeLimit(.minutes(1)))
    func switches() async throws {
        let test = try TestLab()
        try await test.lab.switchBluetooth(true)
        try await test.lab.switchWiFi(true)
        #expect(test.lab.phone.person.unfinished.isEmpty)
        // The radio answers that it is done, but reports no change.
        test.radio.stopTellingPower()
        let flip = Task { try await test.lab.switchBluetooth(false) }
        await test.clock.sleepers(atLeast: 1)
        test.clock.advance(by: .seconds(10))
        await #expect(throws: RigFailure.self) { try await flip.value }
    }

    /// An app whose launch fails.
    private final class BrokenApp: AppUnderTest {
        static let bundle = AppBundle(
            identifier: "com.example.dice",
            folder: fixture("DiceApp"))
        init() throws { throw Broken() }
    }

    @Test("An app that cannot be launched is a failure at the line of its launch")
    func launchLine() async throws {
        let test = try TestLab()
        let scenario = Scenario("Launches in vain") { lab in
            lab.expect(true, "one is one")
            _ = try await lab.phone.launch(BrokenApp.self)
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.first?.message.hasPrefix("the hinge is broken") == true)
        #expect(test.failures.first?.location?.line == #line - 4)
    }

    @Test("A wait for the phone that is in vain is a failure at its line, and rests on time")
    func phonesWaitLine() async throws {
        let test = try TestLab()
        let scenario = Scenario("Waits in vain") { lab in
            lab.expect(true, "one is one")
            try await lab.phone.shows(.passkey, within: .zero)
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        let failure = try #require(test.failures.first)
        #expect(failure.message == "waited 0 ms for the screen passkey; on the phone: nothing but the app")
        #expect(failure.location?.line == #line - 5)
    }

    @Test("An error of the app outside any step is a failure at the last call of the lab before it, and says so")
    func lastCall() async throws {
        let test = try TestLab()
        let scenario = Scenario("Breaks") { lab in
            try? await lab.accessory.powerOn(.lamp(named: "Lamp 7")).dim(to: 6)
            lab.expect(true, "one is one")
            throw Broken()
        }
        let line = #line - 3
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.first?.location?.line == line)
        let message = "the hinge is broken, before any step; the line is that of the last call of the lab before it"
        #expect(test.failures.map(\.message) == [message])
        let bare = try TestLab()
        let empty = Scenario("Breaks at once") { _ in throw Broken() }
        await empty.run(empty.cases[0], in: bare.lab)
        #expect(bare.failures.first?.location == empty.location)
    }

    @Test("An error that was caught once and is thrown again elsewhere is a failure at the second line")
    func sameErrorTwice() async throws {
        let test = try TestLab()
        let line = #line + 3
        let scenario = Scenario("Breaks twice") { lab in
            try? await lab.step("in vain") { throw Broken() }
            try await lab.step("again") { throw Broken() }
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.map(\.location?.line) == [line])
    }

    @Test("Every expectation that does not hold is kept, and the scenario goes on")
    func expectations() async throws {
        let test = try TestLab()
        let scenario = Scenario("Expects") { lab in
            lab.expect(false, "one is two")
            lab.expect(true, "one is one")
            lab.expect(3, equals: 4, "the count")
            lab.expect("joined Home", contains: "Home", "the network")
            lab.expect("joined Home", contains: "Office", "the network")
            lab.expect(nil, contains: "Home", "the network")
            try await lab.expect(throwing: Broken.self, "it breaks") {}
            try await lab.expect(throwing: Broken.self, "it breaks") { throw Broken() }
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(
            test.failures.map(\.message) == [
                "expected that one is two", "expected that the count: got 3, not 4",
                "expected that the network: got joined Home, which does not contain Office",
                "expected that the network: got nothing, which does not contain Home",
                "expected that it breaks: nothing was thrown",
            ])
    }

    @Test("A missing value that a scenario requires ends it with one failure at that line, and it never passes")
    func requirement() async throws {
        let test = try TestLab()
        let line = #line + 4
        let scenario = Scenario("Requires") { lab in
            lab.expect(try lab.require(Int?(7), "there is a seven"), equals: 7, "it is given")
            try await lab.step("look") {
                _ = try lab.require(Int?.none, "there is a number")
            }
            lab.expect(false, "this line is reached")
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.map(\.message) == ["expected that there is a number"])
        #expect(test.failures.map(\.kind) == [.product])
        #expect(test.failures.first?.location?.line == line)
    }

    @Test("A required condition that does not hold ends the scenario as failed; one that holds does nothing")
    func requiredCondition() async throws {
        let test = try TestLab()
        let scenario = Scenario("Requires") { lab in
            try lab.require(true, "one is one")
            try lab.require(false, "one is two")
            lab.expect(false, "this line is reached")
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.map(\.message) == ["expected that one is two"])
        #expect(test.failures.first?.location?.line == #line - 5)
    }

    @Test("An error of the rig is a failure of the rig, wherever it is thrown")
    func rigError() async throws {
        let test = try TestLab()
        let scenario = Scenario("Loses the rig") { lab in
            try await lab.expect(throwing: Broken.self, "it breaks") { throw RadioError.rig("bluetoothd is gone") }
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.map(\.kind) == [.rig])
        #expect(Failure.Kind(of: TimedOut(waitingFor: "a notification", limit: .seconds(1))) == .product)
    }

    @Test("After a failure on a lost board, the lost board is a failure of the rig as well")
    func lostBoard() async throws {
        let test = try TestLab()
        let scenario = Scenario("Loses a board") { lab in
            test.accessory.die()
            lab.expect(false, "the lamp answers")
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(Set(test.failures.map(\.kind)) == [.product, .rig])
    }

    @Test(
        "A capture that misses what the radios said is the rig's fault: evidence that shows nothing is none",
        arguments: [(0, 5, true), (0, 0, false), (1, 5, false)])
    func capture(packets: Int, frames: Int, isFault: Bool) async throws {
        let test = try TestLab(packets: packets, frames: frames)
        await test.lab.close()
        #expect(test.failures.map(\.kind) == (isFault ? [.rig] : []))
    }

    @Test("A failure of the rig at the very end is recorded as well")
    func lateFaults() async throws {
        let test = try TestLab()
        test.lab.phone.record(.rigFailure("the phone lost its radio"))
        test.lab.rig.host.events.append(.daemonLost(name: "wpa_supplicant", how: "exited with 1"))
        await test.lab.close()
        #expect(
            Set(test.failures.map(\.message)) == [
                "the phone lost its radio", "wpa_supplicant on the host board exited with 1",
            ])
        guard case .done = test.events.last else {
            Issue.record("the last event is \(String(describing: test.events.last))")
            return
        }
    }

    @Test("An action that the person was told to do but could not do is a failure")
    func person() async throws {
        let test = try TestLab()
        let scenario = Scenario("Waits") { lab in lab.phone.person.will(.pick("Die 7")) }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.count == 1)
        #expect(test.failures.first?.message.contains("pick “Die 7”, which never became possible") == true)
    }

    @Test("Only unequal texts and bytes count on any machine; everything else may be lateness")
    func basis() async throws {
        func bases(_ body: @escaping @MainActor @Sendable (Lab) async throws -> Void) async throws -> [Failure.Basis] {
            let test = try TestLab()
            let scenario = Scenario("Anything", run: body)
            await scenario.run(scenario.cases[0], in: test.lab)
            return test.failures.map(\.basis)
        }
        #expect(try await bases { $0.expect("Kim", equals: "Tim", "who wrote") } == [.certain])
        #expect(try await bases { $0.expect([UInt8(6)], equals: [5], "the roll") } == [.certain])
        #expect(try await bases { $0.expect(Data([6]), equals: Data([5]), "the roll") } == [.certain])
        #expect(try await bases { $0.expect("", equals: "Tim", "who wrote") } == [.seen], "nothing has come yet")
        #expect(try await bases { $0.expect(nil, equals: "Tim", "who wrote") } == [.seen])
        #expect(try await bases { $0.expect(3, equals: 4, "the count") } == [.seen])
        #expect(try await bases { $0.expect(false, "the lamp is on") } == [.seen])
        #expect(try await bases { _ in throw RadioError.pairingFailed("the numbers differ") } == [.seen])
        #expect(try await bases { try await $0.air.withFault(.dropped(.eapol(message: 3))) {} } == [.seen])
    }

    @Test("A failure knows how long the wait was that failed, and not that of a wait before it")
    func waited() async throws {
        let test = try TestLab()
        let recorder = test.lab.recorder
        func fail() { recorder.record(.failure(Failure(.product, "refused"))) }
        let end = recorder.beginWait { "a join" }
        fail()
        end()
        fail()
        #expect(test.failures.allSatisfy { ($0.waited ?? -1) >= 0 }, "under way, or ended just now")
        try await Task.sleep(for: .milliseconds(250))
        fail()
        #expect(test.failures.last?.waited == nil)
    }
}

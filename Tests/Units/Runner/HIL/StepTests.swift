import Foundation
import HILPhone
import HILRecord
import HILTiming
import Synchronization
import Testing

@testable import HIL

@MainActor
struct StepTests {
    private struct Broken: Error {}

    @Test("A step returns its body's value and records its time")
    func value() async throws {
        let test = try TestLab()
        let value = try await test.lab.step("add") { 3 + 4 }
        #expect(value == 7)
        #expect(test.failures.isEmpty)
        guard case .stepEnded("add", _, .done, 1)? = test.events.last else {
            Issue.record("\(test.events)")
            return
        }
    }

    @Test("A step that misses its budget is not waited for, even if it ignores cancellation")
    func overrun() async throws {
        let test = try TestLab()
        let line = #line + 2
        let step = Task { @MainActor in
            try await test.lab.step("hang", within: .seconds(5)) {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        await test.clock.sleepers(atLeast: 1)
        test.clock.advance(by: .seconds(5))
        await #expect(throws: StepOverran(step: "hang", budget: .seconds(5))) { try await step.value }
        #expect(test.failures.map(\.message) == ["“hang” missed its budget of 5 s"])
        #expect(test.failures.first?.location?.line == line)
    }

    @Test(
        "A step whose budget ends during a wait names step and wait, and the failure rests on time",
        .timeLimit(.minutes(1)))
    func waitsInside() async throws {
        let test = try TestLab()
        let waits = EventLog<Void>()
        let scenario = Scenario("Waits in vain") { lab in
            try await lab.step("pair", within: .seconds(5)) {
                try await SharedDeadline.wait(for: "the number") {
                    waits.append(())
                    _ = try await EventLog<Void>().first(within: .seconds(3600), waitingFor: "what never comes")
                }
            }
        }
        let run = Task { @MainActor in await scenario.run(scenario.cases[0], in: test.lab) }
        _ = try await waits.first(within: .seconds(300), waitingFor: "the wait to begin")
        await test.clock.sleepers(atLeast: 1)
        test.clock.advance(by: .seconds(5))
        await run.value
        #expect(test.failures.map(\.message) == ["“pair” missed its budget of 5 s, waiting for the number"])
        #expect(test.failures.map(\.waited) == [5], "it was waited for as long as the step may take")
    }

    @Test("An error that the scenario catches is not a failure")
    func caught() async throws {
        let test = try TestLab()
        await #expect(throws: Broken.self) { try await test.lab.step("break") { throw Broken() } }
        #expect(test.failures.isEmpty)
    }

    @Test("A missed budget is one failure, even if the scenario catches the error")
    func caughtOverrun() async throws {
        let test = try TestLab()
        let scenario = Scenario("Hangs") { lab in
            try? await lab.step("outer") {
                try await lab.step("hang", within: .seconds(1)) { try await Task.sleep(for: .seconds(3600)) }
            }
        }
        let run = Task { @MainActor in await scenario.run(scenario.cases[0], in: test.lab) }
        await test.clock.sleepers(atLeast: 2)
        test.clock.advance(by: .seconds(1))
        await run.value
        #expect(test.failures.map(\.message) == ["“hang” missed its budget of 1 s"])
    }

    @Test("No event makes a line that is too long for its reader, whatever names an app uses")
    func longLines() async throws {
        let name = String(repeating: "n", count: 1 << 20)
        let entry = Screen.Entry(title: name, detail: name)
        let other = Screen.Entry(title: String(name.prefix(500)), detail: "")
        let screens = [
            Screen(.picker, title: name, lines: [name], entries: [entry]),
            Screen(.picker, title: "", entries: [Screen.Entry](repeating: other, count: 5000)),
        ]
        let lines = Mutex<[[UInt8]]>([])
        let recorder = ScenarioRecorder { event in lines.withLock { $0.append((try? event.line()) ?? []) } }
        for screen in screens { recorder.record(phone: .screen(screen)) }
        recorder.record(.boardsReady(versions: ["host": ["bluez": name]]))
        let token = recorder.beginStep(name, budget: .seconds(1), at: SourceLocation(file: "", path: "", line: 1))
        recorder.endStep(token, outcome: .done)
        let told = lines.withLock { $0 }
        #expect(told.map { $0.count <= WorkerMessage.longestLine } == [true, true, true, true, true])
        let messages = try told.map { try JSONDecoder().decode(WorkerMessage.self, from: Data($0)) }
        #expect(
            messages[0].played != nil && messages[1].played == nil, "what is too long to be played is still recorded")
        guard case .phone(.screen(_?)) = messages[1].stamped.event, case .note(let text) = messages[2].stamped.event
        else {
            Issue.record("\(messages[1].stamped.event), \(messages[2].stamped.event)")
            return
        }
        #expect(text.hasPrefix("an event of 1,"), "\(text.prefix(100))")
    }
}

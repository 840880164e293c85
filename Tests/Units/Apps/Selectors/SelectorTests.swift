import Foundation
import HILTiming
import TestSupport
import Testing

@testable import HILSelectors

private final class Lamp: NSObject {
    let calls = EventLog<String>()

    func plain() { calls.append("plain") }
    func changed(_ note: Notification) { calls.append("changed \(note.name.rawValue)") }
    func count(_ number: Int) -> Int {
        calls.append("count \(number)")
        return number
    }
    func tick(_ timer: Timer) {
        calls.append("tick \(timer.userInfo as? String ?? "-")")
        if calls.events.count == 2 { timer.invalidate() }
    }
    static func all(_ number: Int) {}
}

private final class Other: NSObject {}

/// Methods by name, as the copies of apps' sources have them.
@Suite("Selectors")
struct SelectorTests {
    private let limit = Duration.seconds(20)

    @Test("A selector is told from others by its type and method, and knows who understands it")
    func identity() {
        #expect(Selector("plain", Lamp.plain) == Selector("plain", Lamp.plain))
        #expect(Selector("plain", Lamp.plain) != Selector("count(_:)", Lamp.count(_:)))
        #expect(Selector("plain", Lamp.plain).description == "Lamp.plain")
        #expect(Lamp().responds(to: Selector("plain", Lamp.plain)))
        #expect(!Other().responds(to: Selector("plain", Lamp.plain)) && !Lamp().responds(to: nil))
        #expect(Lamp().responds(to: Selector("all(_:)", Lamp.all(_:))))
    }

    @Test("A method is performed, with and without an argument")
    func perform() {
        let lamp = Lamp()
        lamp.perform(Selector("plain", Lamp.plain))
        lamp.perform(Selector("count(_:)", Lamp.count(_:)), with: 5)
        lamp.perform(Selector("plain", Lamp.plain), with: "dropped")
        #expect(lamp.calls.events == ["plain", "count 5", "plain"])
    }

    @Test("An object that lacks the method ends the program")
    func unrecognized() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Other().perform(Selector("plain", Lamp.plain))
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("-[Other Lamp.plain]: unrecognized selector"))
    }

    @Test("Delayed calls come, and cancelled ones do not")
    @MainActor func delayed() async throws {
        let (lamp, cancelled) = (Lamp(), Lamp())
        cancelled.perform(Selector("plain", Lamp.plain), with: nil, afterDelay: 0)
        NSObject.cancelPreviousPerformRequests(withTarget: cancelled)
        lamp.perform(Selector("plain", Lamp.plain), with: nil, afterDelay: 0)
        lamp.perform(Selector("count(_:)", Lamp.count(_:)), with: 1, afterDelay: 0)
        NSObject.cancelPreviousPerformRequests(
            withTarget: lamp, selector: Selector("plain", Lamp.plain), object: nil)
        #expect(try await lamp.calls.first(within: limit, waitingFor: "the call").event == "count 1")
        #expect(cancelled.calls.events.isEmpty && lamp.calls.events == ["count 1"])
    }

    @Test("A timer calls on its thread's run loop until it is invalidated, with what it carries", .covers("P9"))
    func timer() {
        let lamp = Lamp()
        let timer = Timer.scheduledTimer(
            timeInterval: 0.001, target: lamp, selector: Selector("tick(_:)", Lamp.tick(_:)), userInfo: "red",
            repeats: true)
        let once = Lamp()
        let last = Timer.scheduledTimer(
            timeInterval: 0.001, target: once, selector: Selector("plain", Lamp.plain), userInfo: nil, repeats: false)
        runLoop { timer.isValid || last.isValid }
        #expect(lamp.calls.events == ["tick red", "tick red"] && once.calls.events == ["plain"])
    }

    @Test("A call after a delay comes on its thread's run loop, unless it is dropped", .covers("P9"))
    func delayedOnRunLoop() {
        let (lamp, cancelled) = (Lamp(), Lamp())
        cancelled.perform(Selector("plain", Lamp.plain), with: nil, afterDelay: 0)
        NSObject.cancelPreviousPerformRequests(withTarget: cancelled)
        lamp.perform(Selector("count(_:)", Lamp.count(_:)), with: 1, afterDelay: 0.001)
        runLoop { lamp.calls.events.isEmpty }
        #expect(lamp.calls.events == ["count 1"] && cancelled.calls.events.isEmpty)
    }

    /// Runs this thread's run loop while a condition holds, and at most for the limit.
    private func runLoop(while condition: () -> Bool) {
        let end = Date(timeIntervalSinceNow: limit / .seconds(1))
        while condition(), end.timeIntervalSinceNow > 0, RunLoop.current.run(mode: .default, before: end) {}
    }

    @Test("A timer that the app itself adds to a run loop calls with what it carries, and keeps its object until then")
    func unscheduledTimer() {
        let lamp = Lamp()
        let timer = Timer.unscheduled(
            timeInterval: 0.001, target: lamp, selector: Selector("tick(_:)", Lamp.tick(_:)), userInfo: "red",
            repeats: false)
        RunLoop.current.add(timer, forMode: .default)
        timer.fire()
        #expect(lamp.calls.events == ["tick red"] && !timer.isValid)
    }

    @Test("A notification calls the observers of its name, until they are removed")
    func notifications() {
        let (lamp, center) = (Lamp(), NotificationCenter())
        let changed = Selector("changed(_:)", Lamp.changed(_:))
        center.addObserver(lamp, selector: changed, name: .init("a"), object: nil)
        center.addObserver(lamp, selector: changed, name: .init("b"), object: lamp)
        center.post(name: .init("a"), object: nil)
        center.post(name: .init("b"), object: nil)
        center.post(name: .init("b"), object: lamp)
        center.removeObserver(lamp, name: .init("a"), object: nil)
        center.post(name: .init("a"), object: nil)
        center.post(name: .init("b"), object: lamp)
        center.removeObserver(lamp)
        center.post(name: .init("b"), object: lamp)
        #expect(lamp.calls.events == ["changed a", "changed b", "changed b"])
    }
}

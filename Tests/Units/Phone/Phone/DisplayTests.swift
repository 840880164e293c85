import Dispatch
import HILPOSIX
import HILTiming
import HostRadio
import Synchronization
import Testing

@testable import HILPhone

/// The phone's display when several parts of the phone show screens at the same time.
@Suite struct DisplayTests {
    @Test("Screens are recorded in the order in which they were shown", .timeLimit(.minutes(1)))
    func order() {
        let recorded = Mutex<[String]>([])
        let (firstIsRecorded, secondIsRecorded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let person = Person(record: { _ in })
        person.isWilling = false
        let display = Display(person: person) { kind in
            guard case .screen(let screen?) = kind else { return }
            if screen.title == "first" {
                firstIsRecorded.signal()
                // Time for the second screen to be recorded first, if the code allows that. If it does not, this times
                // out.
                _ = secondIsRecorded.wait(timeout: .now() + .milliseconds(200))
            }
            recorded.withLock { $0.append(screen.title) }
            if screen.title == "second" { secondIsRecorded.signal() }
        }
        let isOver = DispatchSemaphore(value: 0)
        startThread(named: "first") {
            _ = display.present(Screen(.picker, title: "first", controls: [])) { _ in }
            isOver.signal()
        }
        firstIsRecorded.wait()
        _ = display.present(Screen(.picker, title: "second", controls: [])) { _ in }
        isOver.wait()
        #expect(recorded.withLock { $0 } == ["first", "second"])
        #expect(display.screens.map(\.title) == ["first", "second"])
    }
}

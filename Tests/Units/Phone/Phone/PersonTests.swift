import HILTiming
import HostRadio
import TestSupport
import Testing

@testable import HILPhone

/// The person who uses the phone.
@Suite struct PersonTests {
    private let phone = Phone(radio: InMemoryRadio(), clock: ManualClock())

    private func picker(_ names: String...) -> Screen {
        Screen(
            .picker, title: "Finding Accessories",
            entries: names.map { Screen.Entry(title: "Bluetooth Die", detail: $0) },
            controls: [.pick, .cancel], willing: names.first.map { .pick($0) })
    }

    /// The person's actions so far.
    private var done: [PersonAction] {
        phone.log.events.compactMap { if case .person(let action, _) = $0.kind { action } else { nil } }
    }

    @Test("A willing person agrees, once for each kind of screen")
    func willing() {
        let token = phone.display.present(picker()) { _ in }
        #expect(done.isEmpty)
        phone.display.update(token, to: picker("Die 7"))
        phone.display.update(token, to: picker("Die 7", "Die 8"))
        #expect(done == [.pick("Die 7")])
        phone.display.update(token, to: Screen(.setupComplete, title: "Ready", controls: [.done], willing: .done))
        #expect(done == [.pick("Die 7"), .done])
    }

    @Test("Somebody else may let the person wait, or act, and sees each new screen before")
    func experiments() {
        let seen = EventLog<String?>()
        let goesOn = EventLog<Void>()
        phone.person.onSee { seen.append($0?.kind.rawValue) }
        phone.person.onLook { screen in
            if screen.kind == .setupComplete { return .does(.done) }
            return goesOn.count == 0 ? .waits : .own
        }
        let token = phone.display.present(picker("Die 7")) { _ in }
        #expect(done.isEmpty)
        goesOn.append(())
        phone.person.lookAgain()
        #expect(done == [.pick("Die 7")])
        phone.display.update(token, to: Screen(.setupComplete, title: "Ready", controls: [.done]))
        #expect(done == [.pick("Die 7"), .done])
        phone.display.dismiss(token)
        #expect(seen.events == ["picker", "setupComplete", nil])
        phone.person.will(.cancel)
        phone.person.forget()
        #expect(phone.person.unfinished.isEmpty)
    }

    @Test("A person with instructions waits until each is possible, and follows them in order")
    func told() {
        phone.person.will(.pick("Die 8"), .cancel)
        let token = phone.display.present(picker("Die 7")) { _ in }
        #expect(done.isEmpty, "Die 8 is not listed, and cancelling comes after it")
        phone.display.update(token, to: picker("Die 7", "Die 8"))
        #expect(done == [.pick("Die 8")])
        phone.display.dismiss(token)
        _ = phone.display.present(picker("Die 7")) { _ in }
        #expect(done == [.pick("Die 8"), .cancel])
        #expect(phone.person.unfinished.isEmpty)
    }

    @Test("An instruction for the open screen is followed at once; an unwilling person does nothing else")
    func toldLater() {
        phone.person.isWilling = false
        _ = phone.display.present(picker("Die 7")) { _ in }
        #expect(done.isEmpty)
        phone.person.will(.cancel)
        #expect(done == [.cancel])
    }

    @Test("An action that never became possible reports what was on the screen")
    func unfinished() throws {
        phone.person.will(.pick("Die 9"))
        _ = phone.display.present(picker("Die 7")) { _ in }
        let text = try #require(phone.person.unfinished.first?.description)
        #expect(text.contains("pick “Die 9”"))
        #expect(text.contains("Bluetooth Die (Die 7)"))
    }

    @Test("The person acts on the topmost screen first, then on the one below")
    func stack() async throws {
        phone.person.isWilling = false
        _ = phone.display.present(picker("Die 7")) { _ in }
        phone.person.isWilling = true
        let answer = try await phone.display.ask(
            Screen(.joinNetwork, title: "Join?", controls: [.allow, .deny], willing: .allow))
        #expect(answer == .allow)
        #expect(done == [.allow, .pick("Die 7")])
    }

    @Test("A crash of the app is recognised by its line on standard error")
    func crashLine() throws {
        let crash = try #require(AppCrash.parse("hil-app-crash: P2 the service 180F is not declared\n"))
        #expect(crash.rule == "P2")
        #expect(crash.reason == "the service 180F is not declared")
        #expect(AppCrash.parse("Fatal error: P2") == nil)
    }
}

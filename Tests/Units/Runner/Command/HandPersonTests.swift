import HIL
import Testing

@testable import HILCommand

@Suite("Who has the phone in their hand")
struct HandPersonTests {
    private func turn(_ kind: HandTurn.Kind) -> HandTurn { HandTurn(kind, number: 3, "pick “Lamp”") }

    @Test("Enter means that an act is done, and a question needs a clear yes")
    func lines() {
        #expect(turn(.act).answer(for: "") == .done)
        #expect(turn(.act).answer(for: "n ") == .no)
        #expect(turn(.ask).answer(for: "") == nil)
        #expect(turn(.ask).answer(for: "Y") == .yes)
        #expect(turn(.ask).answer(for: "done") == nil)
        #expect(turn(.late).answer(for: "") == .wait)
        #expect(turn(.late).answer(for: "s") == nil)
    }

    @Test("A file has an answer in each line, and one that is too short counts as no")
    func files() async throws {
        #expect(try PersonInFile.answers(in: "# first\nyes\n\n  skip\n", of: "a") == [.yes, .skip])
        #expect(throws: UsageError.self) { try PersonInFile.answers(in: "yes\nperhaps", of: "a") }
        #expect(throws: UsageError.self) { try PersonInFile("/nowhere/answers") }
    }

    @Test("A program reads each turn and answers it; without an answer it counts as no")
    func programs() async {
        let willing = PersonProgram(#"while read -r turn; do case $turn in *'"kind":"act"'*) echo done;; esac; done"#)
        #expect(await willing.take(turn(.begin), in: "/tmp") == nil)
        #expect(await willing.take(turn(.act), in: "/tmp") == .done)
        #expect(await willing.take(turn(.tell), in: "/tmp") == nil)
        willing.close()
        let gone = PersonProgram("read -r turn; read -r turn; exit 0")
        #expect(await gone.take(turn(.begin), in: "/tmp") == nil)
        #expect(await gone.take(turn(.ask), in: "/tmp") == .no)
        gone.close()
        let odd = PersonProgram("read -r turn; read -r turn; echo perhaps; read -r turn")
        #expect(await odd.take(turn(.begin), in: "/tmp") == nil)
        #expect(await odd.take(turn(.ask), in: "/tmp") == .no)
        odd.close()
        let mute = PersonProgram("cat >/dev/null", within: .milliseconds(200))
        #expect(await mute.take(turn(.begin), in: "/tmp") == nil)
        #expect(await mute.take(turn(.ask), in: "/tmp") == .no)
        mute.close()
    }

    @Test("A virtual board needs a program as its phone or answers without one, and persons need a phone")
    func commands() throws {
        func parse(_ words: String...) throws -> Request { try Arguments.parse(["run"] + words) }
        #expect(throws: UsageError.self) { try parse("--rig", "hand,virtual") }
        #expect(throws: UsageError.self) { try parse("--person", "phone") }
        #expect(throws: UsageError.self) { try parse("--rig", "hand,pi-acc", "--jobs", "2") }
        #expect(throws: UsageError.self) { try parse("--rig", "hand,pi-acc", "--pause-on-failure") }
        guard case .run(_, let settings) = try parse("--rig", "hand,virtual", "--person", "phone") else {
            Issue.record("this is a run")
            return
        }
        #expect(settings.person.options == ["--person", "phone"])
        _ = try parse("--rig", "hand,virtual", "--answers", "a")
    }
}

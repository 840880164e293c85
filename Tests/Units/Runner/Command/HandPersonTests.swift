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

    @Test("A program reads each turn and answers it; one that is at fault says nothing about the accessory")
    func programs() async {
        let willing = PersonProgram(#"while read -r turn; do case $turn in *'"kind":"act"'*) echo done;; esac; done"#)
        #expect(await willing.take(turn(.begin), in: "/tmp") == nil)
        #expect(await willing.take(turn(.act), in: "/tmp") == HandReply(to: 3, .done))
        #expect(await willing.take(turn(.tell), in: "/tmp") == nil)
        willing.close()
        func problem(_ command: String) async -> String? {
            let program = PersonProgram(command, within: .seconds(30))
            defer { program.close() }
            #expect(await program.take(turn(.begin), in: "/tmp") == nil)
            return await program.take(turn(.ask), in: "/tmp")?.problem
        }
        #expect(await problem("read -r turn; read -r turn; exit 7") == "its program has gone: it exited with 7")
        #expect(await problem("no-such-program 2>/dev/null") == "its program has gone: it exited with 127")
        #expect(
            await problem("trap '' TERM; exec >&-; sleep 600")
                == "its program has gone: it was ended by signal 9 (Killed)", "it only closed its output")
        #expect(
            await problem("read -r turn; read -r turn; echo perhaps; read -r turn")
                == "its program says “perhaps”, not one of yes, no, skip")
        #expect(await problem("read -r turn; read -r turn; printf 'yes\\r\\n'; read -r turn") == nil)
        let mute = PersonProgram("cat >/dev/null", within: .milliseconds(200))
        #expect(await mute.take(turn(.begin), in: "/tmp") == nil)
        #expect(await mute.take(turn(.ask), in: "/tmp")?.problem?.contains("an answer of the person's program") == true)
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

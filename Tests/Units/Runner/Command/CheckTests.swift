import Testing

@testable import HILCommand
@testable import HILPhone

struct CheckTests {
    @Test("A check needs the app's folder, and nothing else")
    func arguments() throws {
        let request = Request.Checking(folder: "Fixtures/DiceApp", format: .json)
        #expect(try Arguments.parse(["check", "--app", "Fixtures/DiceApp", "--format=json"]) == .check(request))
        #expect(throws: UsageError.self) { try Arguments.parse(["check"]) }
        #expect(throws: UsageError.self) { try Arguments.parse(["check", "Fixtures/DiceApp"]) }
        let missing = CheckCommand(request: Request.Checking(folder: "/nowhere"), say: { _ in })
        #expect(throws: UsageError.self) { try missing.run() }
    }

    @Test("Each finding is one line with its rule, for any text in the file, and the last line counts them")
    func lines() {
        let findings = [
            AppFinding("P1", "Info.plist", "“\u{1B}[31m\n” is no technology"),
            AppFinding("K17", "die.jpg", "it is opaque", isFatal: false),
        ]
        #expect(
            CheckCommand.lines(findings) == [
                "WRONG    P1   Info.plist: “ [31m ” is no technology", "warning  K17  die.jpg: it is opaque",
                "1 wrong, 1 warning",
            ])
        #expect(CheckCommand.lines([]).count == 1)
    }
}

import Foundation
import HILPOSIX
import Testing

@testable import HILCommand

/// What `make install` puts beside the launcher.
@Suite("Completions and the manual page")
struct ShellCompletionsTests {
    @Test("name every command and every option of its page", arguments: ShellCompletions.Shell.allCases)
    func complete(shell: ShellCompletions.Shell) {
        let script = ShellCompletions.script(for: shell)
        for page in Help.pages {
            #expect(script.contains(page.name))
            for option in page.options {
                let name = shell == .fish ? "-l \(option.name.dropFirst(2)) " : option.name
                #expect(script.contains(name), "\(page.name) \(option.name)")
            }
        }
    }

    @Test("Bash completes a command, and the options of one")
    func bash() async throws {
        func completed(_ words: String...) async throws -> [Substring] {
            let line = words.map { "'\($0)'" }.joined(separator: " ")
            let call = "\nCOMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); _hil; printf '%s\\n' \"${COMPREPLY[@]}\""
            let command = Process()
            let output = Pipe()
            command.executableURL = URL(fileURLWithPath: "/bin/bash")
            command.arguments = ["-c", ShellCompletions.script(for: .bash) + call]
            command.standardOutput = output
            try command.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            command.waitUntilExit()
            return text.split(separator: "\n")
        }
        #expect(try await completed("hil", "pl") == ["play"])
        #expect(try await completed("hil", "run", "--retr") == ["--retries"])
        #expect(try await completed("hil", "run", "die") == [])
    }

    @Test("The manual page has each command, and no line is taken for a request")
    func manual() {
        let lines = ManualPage.text.split(separator: "\n")
        for page in Help.pages { #expect(lines.contains { $0.hasPrefix(".SS hil \(page.name)") }, "\(page.name)") }
        let requests: Set<Substring> = [".TH", ".SH", ".SS", ".B", ".I", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi"]
        for line in lines where line.hasPrefix(".") {
            #expect(requests.contains(line.prefix { $0 != " " }), "\(line)")
        }
    }
}

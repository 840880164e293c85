import Foundation
import HILPOSIX
import StubRig
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

    /// What a shell prints, which has the script in the variable `HIL`.
    private func printed(_ shell: ShellCompletions.Shell, _ words: [String]) async throws -> [Substring] {
        let output = try await ProgramOutput(
            of: ["env", "HIL=\(ShellCompletions.script(for: shell))"] + words)
        #expect(output.status.isSuccess)
        return output.text.split(separator: "\n")
    }

    @Test("Bash completes a command, and the options of one")
    func bash() async throws {
        func completed(_ words: String...) async throws -> [Substring] {
            let line = words.map { "'\($0)'" }.joined(separator: " ")
            let call = "COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); _hil; printf '%s\\n' \"${COMPREPLY[@]}\""
            return try await printed(.bash, ["bash", "--norc", "-c", "eval \"$HIL\"; \(call)"])
        }
        #expect(try await completed("hil", "pl") == ["play"])
        #expect(try await completed("hil", "run", "--retr") == ["--retries"])
        #expect(try await completed("hil", "run", "die") == [])
    }

    @Test(
        "fish completes a command, and the options of one, with what they mean",
        .enabled(if: Self.has("fish"), "fish is not here"))
    func fish() async throws {
        func completed(_ line: String) async throws -> [Substring] {
            try await printed(.fish, ["fish", "--no-config", "-c", "echo \"$HIL\" | source; complete -C '\(line)'"])
        }
        let play = try await completed("hil pla")
        #expect(play.count == 1 && play[0].hasPrefix("play\t"), "\(play)")
        let retries = try await completed("hil run --retr")
        #expect(retries.count == 1 && retries[0].hasPrefix("--retries\t"), "\(retries)")
        #expect(try await completed("hil compare --retr") == [])
    }

    /// zsh completes only in a terminal; these stand for its functions that show what there is.
    @Test(
        "zsh is offered each command, and the options of one, with what they mean",
        .enabled(if: Self.has("zsh"), "zsh is not here"))
    func zsh() async throws {
        func offered(_ words: String...) async throws -> [Substring] {
            let describe = "_describe() { [[ $1 = -o ]] && shift; print -rl -- \"${(@P)2}\" }; _files() { }"
            let line = "words=(\(words.joined(separator: " "))); CURRENT=\(words.count)"
            return try await printed(.zsh, ["zsh", "-f", "-c", "\(describe); \(line); eval \"$HIL\""])
        }
        let commands = try await offered("hil", "pl")
        #expect(commands.map { $0.prefix { $0 != ":" } } == Help.pages.map { $0.name[...] })
        let options = try await offered("hil", "run", "--retr")
        #expect(options.contains { $0.hasPrefix("--retries:") } && !options.contains { $0.hasPrefix("--device") })
    }

    private static func has(_ shell: String) -> Bool {
        ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"
            || ["/bin", "/usr/bin", "/usr/local/bin"].contains { access("\($0)/\(shell)", X_OK) == 0 }
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

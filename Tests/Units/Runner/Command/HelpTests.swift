import Testing

@testable import HILCommand

@Suite("The help")
struct HelpTests {
    @Test("All commands fit on one screen, a line each")
    func overview() {
        let lines = Help.overview.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 40 && lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("hil ") }, "\(lines.count)")
        #expect(lines.allSatisfy { $0.count <= 100 })
        for name in Help.commands { #expect(lines.count { $0.hasPrefix("  \(name) ") } == 1, "\(name)") }
    }

    @Test("Each command has a page of its own, which is what its --help prints", arguments: Help.commands)
    func page(command: String) throws {
        guard case .help(let name) = try Arguments.parse([command, "--help"]) else {
            return #expect(Bool(false), "\(command) --help is no request for help")
        }
        let text = Help.text(of: name)
        #expect(text.hasPrefix("usage: hil \(command)"), "\(text.prefix(80))")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 })
        #expect(text != Help.overview)
    }

    @Test("An option that a command takes is on its page, and no other is")
    func options() throws {
        for command in Help.commands {
            let text = Help.text(of: command)
            for option in Set(text.matches(of: /--[a-z-]+/).map { String($0.output) }) where option != "--help" {
                do { _ = try Arguments.parse([command, option]) } catch {
                    #expect(!error.description.contains("has no option"), "hil \(command) \(option): \(error)")
                }
            }
        }
    }
}

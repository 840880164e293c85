import Foundation
import StubRig
import TestSupport
import Testing

/// `Fixtures/Launcher/hil`, which `make install` puts on the path, over programs that say what they were called with.
@Suite("The launcher")
struct LauncherTests {
    private static let source = URL(fileURLWithPath: fixture("Launcher/hil"))

    /// A checkout of hil, a package of a team beside it, and the launcher that was installed from the checkout.
    private struct Place: ~Copyable {
        let folder = NSTemporaryDirectory() + "hil-launcher-\(UUID().uuidString)"
        var checkout: String { "\(folder)/hil checkout" }
        var package: String { "\(folder)/lamp" }

        init() async throws {
            try await Self.addProgram(to: checkout, sources: "Sources/Programs/hil", saying: "checkout")
            try await Self.addProgram(to: package, sources: "Sources/hil", saying: "lamp")
            try FileManager.default.createDirectory(atPath: "\(package)/Sources/App", withIntermediateDirectories: true)
            let text = try String(contentsOf: LauncherTests.source, encoding: .utf8)
                .replacing("@CHECKOUT@", with: checkout)
            try await Self.write(text, to: "\(folder)/hil")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Another process writes it: a program that is open for writing cannot run, and what this process has open its
        /// other tests' children have, too, until they run their own programs.
        private static func write(_ program: String, to path: String) async throws {
            let script = #"printf %s "$1" >"$2" && chmod 755 "$2""#
            _ = try await ProgramOutput(of: ["sh", "-c", script, "sh", program, path], withErrors: true)
        }

        private static func addProgram(to package: String, sources: String, saying name: String) async throws {
            for folder in [sources, ".build/debug"] {
                try FileManager.default.createDirectory(
                    atPath: "\(package)/\(folder)", withIntermediateDirectories: true)
            }
            try "".write(toFile: "\(package)/Package.swift", atomically: true, encoding: .utf8)
            let program = "#!/bin/sh\necho \"\(name), by $HIL_STARTED_BY:\"; printf '<%s>' \"$@\"; echo; exit 3\n"
            try await write(program, to: "\(package)/.build/debug/hil")
        }

        func call(_ words: [String], in folder: String) async throws -> (text: String, code: Int32?) {
            let output = try await ProgramOutput(
                of: ["env", "-C", folder, "\(self.folder)/hil"] + words, withErrors: true)
            guard case .exited(let code) = output.status else { return (output.text, nil) }
            return (output.text, code)
        }
    }

    @Test("runs the program of the package around the current folder, with its words and its exit code")
    func package() async throws {
        let place = try await Place()
        for folder in [place.package, "\(place.package)/Sources/App"] {
            let run = try await place.call(["run", "two words", ""], in: folder)
            #expect(run.text == "lamp, by hil:\n<run><two words><>\n" && run.code == 3, "\(run)")
        }
        #expect(try await place.call(["list"], in: place.checkout).text == "checkout, by hil:\n<list>\n")
    }

    @Test("outside a package runs the checkout's program for what needs no scenarios, and refuses the rest")
    func outside() async throws {
        let place = try await Place()
        for words in [["init", "lamp"], ["doctor"], ["report"], ["compare", "a", "b"], ["history"], ["--version"]] {
            let run = try await place.call(words, in: place.folder)
            let expected = words.map { "<\($0)>" }.joined()
            #expect(run.text == "checkout, by hil:\n\(expected)\n" && run.code == 3, "\(run)")
        }
        let refused = try await place.call(["run"], in: place.folder)
        #expect(refused.code == 64 && refused.text.contains("hil init NAME"), "\(refused)")
    }

    @Test("says what to do when the checkout is gone")
    func gone() async throws {
        let place = try await Place()
        try FileManager.default.removeItem(atPath: place.checkout)
        let run = try await place.call(["doctor"], in: place.folder)
        #expect(run.code == 64 && run.text.contains("run make install in another one"), "\(run)")
    }
}

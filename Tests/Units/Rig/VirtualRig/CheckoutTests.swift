import Foundation
import RigModel
import Testing

@testable import VirtualRig

@Suite("Finding hil's checkout")
struct CheckoutTests {
    /// Calls `body` with a folder in which `checkouts` are checkouts of hil, and `programs` are empty files.
    private func withFolder(
        checkouts: [String], programs: [String] = [], _ body: (_ folder: String) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            for checkout in checkouts {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(checkout)/Fixtures/BoardImage", withIntermediateDirectories: true)
            }
            for program in programs {
                let path = "\(folder)/\(program)"
                try FileManager.default.createDirectory(
                    atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
                try write("", to: path)
            }
            try body(folder)
        }
    }

    /// The arguments that find nothing, except those that are given.
    private func find(
        program: String = "/nowhere/hil", source: String = "/nowhere/Sources/Rig/VirtualRig/Checkout.swift",
        current: String = "/", environment: [String: String] = [:]
    ) -> String? {
        Checkout.find(program: program, source: source, current: current, environment: environment)
    }

    @Test("A program that was built in a checkout finds it, also through a symbolic link")
    func built() throws {
        let program = "hil/.build/x86_64-unknown-linux-gnu/debug/hil"
        try withFolder(checkouts: ["hil", "other"], programs: [program]) { folder in
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/other/hil", withDestinationPath: "\(folder)/\(program)")
            #expect(find(program: "\(folder)/\(program)", current: "\(folder)/other") == "\(folder)/hil")
            #expect(find(program: "\(folder)/other/hil") == "\(folder)/hil")
        }
    }

    @Test("A program of another package finds the checkout of its dependency by the folder it was compiled in")
    func dependency() throws {
        let checkout = "team/.build/checkouts/hil"
        let program = "team/.build/x86_64-unknown-linux-gnu/debug/hil-team"
        try withFolder(checkouts: [checkout, "other"], programs: [program]) { folder in
            let source = "\(folder)/\(checkout)/Sources/Rig/VirtualRig/Checkout.swift"
            let found = find(program: "\(folder)/\(program)", source: source, current: "\(folder)/other")
            #expect(found == "\(folder)/\(checkout)")
        }
    }

    @Test("A program that was moved away from a deleted checkout finds the one around the current folder")
    func moved() throws {
        try withFolder(checkouts: ["hil"], programs: ["bin/hil", "hil/Sources/Rig/file"]) { folder in
            let program = "\(folder)/bin/hil"
            #expect(find(program: program, current: "\(folder)/hil/Sources/Rig") == "\(folder)/hil")
            #expect(find(program: program, current: "\(folder)/bin") == nil)
        }
    }

    @Test("HIL_ROOT comes before all other places; an empty one does not count")
    func named() throws {
        try withFolder(checkouts: ["hil"], programs: ["hil/.build/debug/hil"]) { folder in
            let program = "\(folder)/hil/.build/debug/hil"
            #expect(find(program: program, environment: ["HIL_ROOT": "\(folder)/x/../named"]) == "\(folder)/named")
            #expect(find(program: program, environment: ["HIL_ROOT": ""]) == "\(folder)/hil")
        }
    }

    @Test("Without a checkout, the error says what was looked for and what to do")
    func missing() throws {
        #expect(find() == nil)
        let remedy = "name hil's checkout in the environment variable HIL_ROOT"
        let nothing = #expect(throws: RigFailure.self) { try Checkout.get(nil) }
        #expect(
            nothing?.description
                == "looking for hil's own files: no folder with Fixtures/BoardImage was found — \(remedy)")
        let wrong = #expect(throws: RigFailure.self) { try Checkout.get("/nowhere") }
        #expect(wrong?.description == "looking for hil's own files: /nowhere has no Fixtures/BoardImage — \(remedy)")
        try withFolder(checkouts: ["hil"]) { folder in
            #expect((try? Checkout.get("\(folder)/hil")) == "\(folder)/hil")
        }
    }
}

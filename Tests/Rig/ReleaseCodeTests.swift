import Foundation
import StubRig
import Testing

/// The machine code of comparisons of secrets, as a board runs it: the compiler must not add a branch that shows in the
/// time where two secrets differ.
@Suite(.enabled(if: ReleaseCode.isReady, "objdump or the release build of hil-board is missing: run `make setup`"))
struct ReleaseCodeTests {
    @Test(
        "A comparison of secrets calls OpenSSL's comparison and has no loop of its own",
        arguments: [
            "9CryptoKit12SharedSecretV2eeoi", "9CryptoKit12SymmetricKeyV2eeoi",
            "9CryptoKit4HMACV7isValid", "9CryptoKitE07hasSame",
            "9CryptoKit12SHA256DigestVSQAASQ2eeoi",
            "9CryptoKit17LatticePrivateKeyC11decapsulate",
        ])
    func comparison(of name: String) async throws {
        let functions = try await ReleaseCode.functions(containing: name)
        let comparing = functions.filter { $0.calls("CRYPTO_memcmp") }
        #expect(!comparing.isEmpty, "no function of \(name) compares with CRYPTO_memcmp")
        for function in comparing { #expect(!function.hasLoop, "\(function)") }
        for function in functions { #expect(!function.calls("memcmp") && !function.calls("bcmp"), "\(function)") }
    }

    @Test("The choice between a secret and a refusal has no conditional jump or move, so it reads both")
    func choice() async throws {
        let functions = try await ReleaseCode.functions(containing: "17LatticePrivateKeyC6choose")
        #expect(!functions.isEmpty)
        for function in functions {
            #expect(function.instructions.contains { $0.operation == "ret" })
            #expect(function.conditionalJumps.isEmpty && !function.hasConditionalMove, "\(function)")
        }
    }

    @Test("The bits of a secret message are multiplied by a function of its own, without a choice by their values")
    func message() async throws {
        let functions = try await ReleaseCode.functions(containing: "11PolynomialsC8multiply")
        #expect(!functions.isEmpty)
        for function in functions { #expect(!function.hasConditionalMove, "\(function)") }
    }

    @Test("The checks recognise loops, jumps and calls")
    func checks() {
        let text = """
              10:\tcall   90 <memcmp@plt>
              14:\tje     1e <f+0xe>
              18:\tdec    %eax
              1a:\tjne    18 <f+0x8>
              1e:\tjmp    10 <f>
              20:\tret
            """
        let function = MachineCode(name: "f", listing: text)
        #expect(function.instructions.count == 6 && function.conditionalJumps.map(\.operation) == ["je", "jne"])
        #expect(function.hasLoop && function.calls("memcmp") && !function.calls("cmp"))
        #expect(!MachineCode(name: "f", listing: "  14:\tje     1e <f+0xe>\n  1e:\tret").hasLoop)
    }
}

/// Our ML-KEM in a release build, under valgrind, which reports each jump and each address that depends on a secret.
///
/// CVE-2024-37880 was such a jump, which a compiler had made of source code without one. `make test-long` builds the
/// program.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["HIL_VALGRIND"] != nil, "it needs valgrind: `make test-long`"))
struct SecretFlowTests {
    /// How often valgrind reports that something depends on undefined bytes, in all.
    private static func reports(_ name: String) async throws -> Int {
        let log = NSTemporaryDirectory() + "hil-secret-flow-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let output = try await ProgramOutput(
            of: [
                "valgrind", "--malloc-fill=0", "--error-limit=no", "--log-file=\(log)",
                ".build/release/hil-secret-flow", name,
            ], withErrors: true)
        try #require(output.status.isSuccess, "\(output.text)")
        let text = try String(contentsOfFile: log, encoding: .utf8)
        // `==7== ERROR SUMMARY: 256 errors from 1 contexts (suppressed: 0 from 0)`
        let summary = try #require(text.split(separator: "\n").last { $0.contains("ERROR SUMMARY: ") })
        let words = summary.split(separator: " ")
        let place = try #require(words.firstIndex(of: "errors"))
        return try #require(Int(words[place - 1].filter { $0 != "," }))
    }

    @Test(
        "No jump and no address depends on a secret of ML-KEM",
        arguments: ["encapsulation", "decapsulation", "rejection"])
    func operation(name: String) async throws {
        #expect(try await Self.reports(name) == 0)
    }

    @Test("A jump that depends on a secret is reported")
    func control() async throws {
        #expect(try await Self.reports("control") > 0)
    }
}

/// The release build of `hil-board`, which `make setup` makes.
private enum ReleaseCode {
    private static let program = ".build/release/hil-board"

    /// If every test must run, as in `make check`, what is missing makes the tests fail.
    static let isReady: Bool = {
        #if arch(x86_64)
            if ProcessInfo.processInfo.environment["HIL_TESTS"] == "all" { return true }
            return FileManager.default.fileExists(atPath: program)
                && Shell.outputAtOnce(["objdump", "--version"]) != nil
        #else
            // The checks know this architecture's instructions only.
            return false
        #endif
    }()

    /// The functions whose symbol contains `name`.
    static func functions(containing name: String) async throws -> [MachineCode] {
        // There are some 60,000 symbols, which grep reads faster.
        let symbols = try #require(await Shell.output(["sh", "-c", "nm \(program) | grep \(name)"]))
        var found: [MachineCode] = []
        for line in symbols.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count == 3, fields[1].lowercased() == "t" else { continue }
            let symbol = String(fields[2])
            let listing = try #require(
                await Shell.output(["objdump", "-d", "--no-show-raw-insn", "--disassemble=\(symbol)", program]))
            found.append(MachineCode(name: symbol, listing: listing))
        }
        return found
    }
}

/// The instructions of a function, as objdump lists them.
private struct MachineCode: CustomStringConvertible {
    struct Instruction {
        let address: Int
        let operation: String
        let operands: String

        /// `  4f28ad:	je     4f28b5 <symbol+0x15>`; nil for other lines.
        init?(_ line: Substring) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let address = Int(parts[0].filter { $0 != " " }, radix: 16) else { return nil }
            let words = parts[1].split(separator: " ", maxSplits: 1)
            guard let operation = words.first else { return nil }
            self.address = address
            self.operation = operation.filter { $0 != "\t" }
            operands = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : ""
        }

        /// The address that a jump or call goes to.
        var target: Int? { operands.split(separator: " ").first.flatMap { Int($0, radix: 16) } }
    }

    let name: String
    let instructions: [Instruction]

    init(name: String, listing: String) {
        self.name = name
        instructions = listing.split(separator: "\n").compactMap { Instruction($0) }
    }

    /// The conditional jumps, without the one of the compiler's check of the stack.
    var conditionalJumps: [Instruction] {
        let stackCheck = instructions.filter { $0.operands.contains("<__stack_chk_fail@") }.map(\.address)
        return instructions.filter { instruction in
            instruction.operation.hasPrefix("j") && !instruction.operation.hasPrefix("jmp")
                && !stackCheck.contains { $0 == instruction.target }
        }
    }

    /// Whether a conditional jump goes back.
    var hasLoop: Bool { conditionalJumps.contains { ($0.target ?? 0) <= $0.address } }

    var hasConditionalMove: Bool { instructions.contains { $0.operation.hasPrefix("cmov") } }

    func calls(_ function: String) -> Bool {
        // A call at the end of a function may be a jump.
        instructions.contains { instruction in
            ["call", "jmp"].contains(instruction.operation)
                && (instruction.operands.contains("<\(function)>") || instruction.operands.contains("<\(function)@"))
        }
    }

    var description: String { "\(name): \(conditionalJumps.map { "\($0.operation) \($0.operands)" })" }
}

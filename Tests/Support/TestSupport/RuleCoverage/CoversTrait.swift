import Foundation
import HILRules
import Testing

/// A trait that names the rules of the phone which a test covers, or the SIG's test cases which it shows. `hil rules` and
/// `hil rules --sig` list the test under each.
///
/// If the environment variable `HIL_RULE_COVERAGE` names a file, every test adds a line to it before it runs: a JSON
/// object with its `id` (as in the event stream of Swift Testing), its `name`, and its `rules`.
public struct CoversTrait: TestTrait, SuiteTrait {
    /// Names of ``HILRules/Rule``s or ``HILRules/SIGCase``s.
    public let rules: [String]

    public var isRecursive: Bool { true }

    public func prepare(for test: Test) async throws {
        guard !test.isSuite, let path = ProcessInfo.processInfo.environment["HIL_RULE_COVERAGE"] else { return }
        struct Line: Encodable {
            let id: String
            let name: String
            let rules: [String]
        }
        let line = try JSONEncoder().encode(Line(id: "\(test.id)", name: test.name, rules: rules)) + [0x0A]
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(file) }
        // One write, so that the lines of tests that begin at the same time stay whole.
        let written = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard written == line.count else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}

private let book = RuleBook()

extension Trait where Self == CoversTrait {
    /// Declares that the test shows that these rules hold.
    public static func covers(_ rules: String...) -> CoversTrait {
        for rule in rules where book.named(rule) == nil { fatalError("there is no rule \(rule)") }
        return CoversTrait(rules: rules)
    }

    /// Declares that the test shows what these test cases of the Bluetooth SIG check.
    public static func shows(_ cases: String...) -> CoversTrait {
        for name in cases where SIGCase.applicable(name) == nil {
            fatalError("\(name) is an unknown case of the SIG, or one that does not apply")
        }
        return CoversTrait(rules: cases)
    }
}

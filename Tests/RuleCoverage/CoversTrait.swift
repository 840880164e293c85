import Rules
import Testing

/// The rules of the phone that a test covers; `hil rules` lists the test under each.
public struct CoversTrait: TestTrait, SuiteTrait {
    /// Names of ``Rules/Rule``s.
    public let rules: [String]

    public var isRecursive: Bool { true }
}

extension Trait where Self == CoversTrait {
    /// The test shows that these rules hold.
    public static func covers(_ rules: String...) -> CoversTrait {
        for rule in rules where Rule.named(rule) == nil { fatalError("there is no rule \(rule)") }
        return CoversTrait(rules: rules)
    }
}

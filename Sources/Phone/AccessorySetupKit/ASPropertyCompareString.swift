import Foundation
import HILPhone

/// A text that a property must contain, and how the two are compared.
open class ASPropertyCompareString: NSObject, NSCopying, @unchecked Sendable {  // Immutable; options are not Sendable.
    /// The string that the property must contain.
    public let string: String
    /// Options to apply when comparing.
    public let compareOptions: NSString.CompareOptions

    /// Makes a comparison with `string`.
    public init(string: String, compareOptions: NSString.CompareOptions) {
        self.string = string
        self.compareOptions = compareOptions
    }

    convenience init(_ model: DiscoveryDescriptor.TextMatch) {
        self.init(string: model.text, compareOptions: NSString.CompareOptions(rawValue: model.options))
    }

    var model: DiscoveryDescriptor.TextMatch {
        DiscoveryDescriptor.TextMatch(string, options: compareOptions.rawValue)
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
    public override func isEqual(_ object: Any?) -> Bool { (object as? ASPropertyCompareString)?.model == model }
    public override var hash: Int { model.hashValue }
}

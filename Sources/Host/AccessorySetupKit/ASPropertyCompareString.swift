import Foundation
import Phone

/// How a property is filtered against a given string.
open class ASPropertyCompareString: NSObject, NSCopying, @unchecked Sendable {  // Immutable; options are not Sendable.
    /// The string that the property has to contain.
    public let string: String
    /// Options to apply when comparing.
    public let compareOptions: NSString.CompareOptions

    /// A comparison with that string, under those options.
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

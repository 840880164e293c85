/// A signal as it arrived.
package struct BusSignal: Sendable {
    /// The unique name of who sent it.
    package let sender: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]
}

/// Which signals are wanted; nil means any.
package struct BusMatch: Sendable, Hashable {
    /// Whose signals the bus should send: a bus name.
    package var sender: String?
    package var interface: String?
    package var member: String?
    /// The object's own path.
    package var path: String?
    /// The first argument, if it is a text.
    package var firstArgument: String?

    package init(
        sender: String? = nil, interface: String? = nil, member: String? = nil, path: String? = nil,
        firstArgument: String? = nil
    ) {
        self.sender = sender
        self.interface = interface
        self.member = member
        self.path = path
        self.firstArgument = firstArgument
    }

    /// The rule in the bus's own words.
    var rule: String {
        let parts = [
            ("sender", sender), ("interface", interface), ("member", member), ("path", path), ("arg0", firstArgument),
        ]
        return "type='signal'" + parts.compactMap { name, value in value.map { ",\(name)='\($0)'" } }.joined()
    }

    /// Sorts what arrives among the subscriptions. The sender is a well-known name in the rule and a unique one in the
    /// message: the bus has sorted by it, and subscriptions that differ in the sender differ in the interface too.
    func matches(path: String, interface: String, member: String) -> Bool {
        (self.path ?? path) == path && (self.interface ?? interface) == interface && (self.member ?? member) == member
    }
}

/// A match and who wants it.
struct BusSubscription: Sendable {
    let match: BusMatch
    let handler: @Sendable (BusSignal) -> Void
}

/// A received signal.
package struct BusSignal: Sendable {
    /// The unique bus name of the sender.
    package let sender: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]
}

/// Which signals to receive. Nil means any.
package struct BusMatch: Sendable, Hashable {
    /// The bus name of the sender.
    package var sender: String?
    package var interface: String?
    package var member: String?
    /// The path of the object.
    package var path: String?
    /// The first argument, if it is a string.
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

    /// The match rule for the bus.
    var rule: String {
        let parts = [
            ("sender", sender), ("interface", interface), ("member", member), ("path", path), ("arg0", firstArgument),
        ]
        return "type='signal'" + parts.compactMap { name, value in value.map { ",\(name)='\($0)'" } }.joined()
    }

    /// Whether a received signal is for this subscription.
    ///
    /// The sender is not compared: it is a well-known name in the rule and a unique name in the message. The bus has
    /// already checked it, and subscriptions with different senders also have different interfaces.
    func matches(path: String, interface: String, member: String) -> Bool {
        (self.path ?? path) == path && (self.interface ?? interface) == interface && (self.member ?? member) == member
    }
}

/// A match rule and its handler.
struct BusSubscription: Sendable {
    let match: BusMatch
    let handler: @Sendable (BusSignal) -> Void
}

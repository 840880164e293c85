import Foundation

/// An extension of Accessory Notifications. iOS runs each in a process of its own.
public enum ForwardingExtension: Sendable, Hashable, CustomStringConvertible {
    /// Turns notifications into messages.
    case dataProvider
    /// Exchanges keys with the accessory.
    case security
    /// Carries messages to the accessory, over one transport: it is launched once for each.
    case transport(AccessoryTransport)

    public var description: String {
        switch self {
        case .dataProvider: "the data provider"
        case .security: "the security extension"
        case .transport(.bluetooth): "the transport extension"
        case .transport(.localNetwork): "the transport extension for the local network"
        case .transport(.internet): "the transport extension for the internet"
        }
    }
}

/// A moment in the life of an extension's process, at which it can end.
public enum ExtensionMoment: Sendable, Hashable, CustomStringConvertible {
    /// Its code runs for the first time, and the phone does not know yet that it accepts its session.
    case launch
    /// It has handed a key or a message to the phone.
    case send
    /// The phone has handed it a key, a message or a notification, and its code for it has been called.
    case receive
    /// It has made this many writes to characteristics since the end was asked for; 1 is the first. The accessory may
    /// still get them.
    case write(Int)
    /// It has answered: called the completion handler, or returned from `addNotification`.
    case answer

    public var description: String {
        switch self {
        case .launch: "while it was launched"
        case .send: "after it had handed something to the phone"
        case .receive: "with work in hand"
        case .write(let count): "after \(count == 1 ? "a write" : "\(count) writes")"
        case .answer: "after an answer"
        }
    }
}

/// Why the process of an extension ended. The extension is not told of any of these.
public enum ExtensionEnd: Error, Sendable, Hashable, CustomStringConvertible {
    /// Its own code crashed.
    case crash
    /// The system killed it at its memory limit.
    case memoryLimit
    /// The system ended it to free memory for others.
    case system

    public var description: String {
        switch self {
        case .crash: "it crashed"
        case .memoryLimit: "it was killed at its memory limit"
        case .system: "the system ended it"
        }
    }
}

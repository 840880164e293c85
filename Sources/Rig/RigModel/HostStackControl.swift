import BoardProtocol
import RadioModel

/// Controllers for host stacks that run on the runner's machine: ``Capability/hostStacks``.
package protocol HostStackControl: Sendable {
    /// Makes a controller that waits for its host stack.
    ///
    /// - Parameter address: Its public address; nil for the next free one.
    func attachStack(at address: DeviceAddress?) async throws -> HostStackPort

    /// Removes a controller. A connected program is disconnected.
    func detachStack(_ adapter: AdapterID) async throws
}

/// The controller of the phone, where its own host stack runs: in place of the host board's adapter.
package protocol PhoneControllerControl: Sendable {
    /// Makes the controller. It has the address and the name on the air of the host board's first adapter, which must not
    /// be plugged in.
    func attachPhone() async throws -> HostStackPort

    /// Removes it. The phone's host stack is disconnected.
    func detachPhone() async throws
}

/// A controller for a host stack.
package struct HostStackPort: Sendable, Hashable, Codable {
    /// Its number among the accessory's adapters, which faults and captures use.
    package var adapter: AdapterID
    package var address: DeviceAddress
    /// The path of the Unix socket on which it speaks H4, with one program at a time.
    package var socket: String

    package init(adapter: AdapterID, address: DeviceAddress, socket: String) {
        self.adapter = adapter
        self.address = address
        self.socket = socket
    }
}

extension AdapterID {
    /// The numbers of host stacks without a board. They follow those of a board's adapters.
    package static let hostStacks = limit..<(limit + 8)

    /// The number of the phone's own host stack. On the air it is the host board's first adapter.
    package static let phone = AdapterID(rawValue: limit + 8)

    /// Whether this is the number of a host stack without a board.
    package var isHostStack: Bool { AdapterID.hostStacks.contains(rawValue) }
}

/// An event of a host stack without a board.
package enum HostStackEvent: Sendable, Hashable, Codable {
    /// The program has connected to its controller, which is as after power-on.
    case connected
    /// The program has closed its connection, and its controller has lost all links.
    case disconnected
    /// A packet was refused. The controller answered with an error if the packet has an answer.
    case refused(why: String)
    /// The program broke the transport's rules. Its connection was closed, and no other is accepted.
    case cutOff(why: String)
}

extension HostStackEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .connected: "connected to its controller"
        case .disconnected: "disconnected from its controller"
        case .refused(let why): "refused: \(why)"
        case .cutOff(let why): "cut off: \(why)"
        }
    }
}

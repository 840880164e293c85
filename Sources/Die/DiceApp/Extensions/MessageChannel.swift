import Foundation

/// A way to the die that carries whole messages in both directions.
protocol MessageChannel: AnyObject, Sendable {
    /// Where everything happens, and where the channel tells what did.
    var queue: DispatchQueue { get }
    /// There is something to be sent: connects, where the channel does not do so by itself. Only on ``queue``.
    func open()
    /// Sends a message; only on ``queue``, and lost unless the channel is open.
    func send(_ message: Data) throws
    /// Ends the connection; nothing is told afterwards.
    func close()
}

/// What happens on a channel, told on its queue.
enum ChannelEvent: Sendable {
    /// The die can be sent to; the peripheral's identifier, over Bluetooth.
    case opened(UUID?)
    /// The link is gone; what was on its way is lost.
    case lost
    /// There is no way to the die now, and none is in sight.
    case unavailable
    /// The die sent a message.
    case message(Data)
}

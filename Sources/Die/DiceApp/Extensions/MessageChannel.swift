import Foundation

/// A channel to the die for whole messages in both directions.
protocol MessageChannel: AnyObject, Sendable {
    /// The queue for all work and for the reports of events.
    var queue: DispatchQueue { get }
    /// Connects if the channel does not do so automatically. Called when there is a message to send, only on ``queue``.
    func open()
    /// Sends a message. Call it only on ``queue``. The message is lost if the channel is not open.
    func send(_ message: Data) throws
    /// Closes the connection. No events follow.
    func close()
}

/// An event of a channel. Reported on its queue.
enum ChannelEvent: Sendable {
    /// Messages can be sent now. Over Bluetooth, with the identifier of the peripheral.
    case opened(UUID?)
    /// The link was lost, and unfinished messages with it.
    case lost
    /// The die cannot be reached now, and the channel does not keep trying.
    case unavailable
    /// A message from the die.
    case message(Data)
}

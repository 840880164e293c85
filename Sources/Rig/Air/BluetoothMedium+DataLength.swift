// LE Data Length Extension: the air negotiates for RootCanal's controllers.
extension BluetoothMedium {
    /// The work that follows from a controller's steps. A message for a link that has just ended is dropped.
    func dataLengthSteps(_ steps: [DataLengthExtension.Step], of board: AirAdapter) -> [Step] {
        steps.compactMap { step in
            switch step {
            case .event(let packet): return .event(board, packet)
            case .message(let kind, let handle, let receive, let transmit):
                guard let peers = stations[board]?.dataLength.peers(of: handle),
                    let (own, peer) = links.ends(of: board, to: peers)
                else { return nil }
                let message = DataLengthMessage(kind, from: own, to: peer, receive: receive, transmit: transmit)
                return .output(board, .linkLayer(bytes: message.bytes, phy: 0))
            }
        }
    }

    /// The work that follows when an adapter hears a message. It is for the other end of the sender's link alone,
    /// although every adapter hears it.
    mutating func dataLengthAnswers(to delivery: LELinks.Delivery) -> [Step] {
        guard let message = DataLengthMessage(delivery.bytes),
            links.ends(of: delivery.board, to: [message.source])?.own == message.destination,
            let steps = stations[delivery.board]?.dataLength.receive(message)
        else { return [] }
        return dataLengthSteps(steps, of: delivery.board)
    }
}

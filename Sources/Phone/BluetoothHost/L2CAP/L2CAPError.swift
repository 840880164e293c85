import RadioModel

/// Why a call of ``L2CAPLink`` did nothing.
package enum L2CAPError: Error, Sendable, Hashable, CustomStringConvertible {
    case invalidPort(UInt16)
    /// The link has as many channels as its configuration allows.
    case noFreeChannel(most: Int)
    case invalidMTU(UInt16)
    /// The channel is not open, or no longer.
    case notOpen(LocalChannel)
    /// An SDU longer than the peer, or the configuration, allows.
    case tooLong(length: Int, most: Int)
    /// Earlier SDUs wait for credits. The next ``L2CAPLink/Output/sent(_:)`` of the channel ends this state.
    case queueFull(waiting: Int)
    /// Only the peripheral of an LE link asks for parameters.
    case wrongRole
    /// An earlier request of this kind has no answer yet.
    case unanswered
    /// The text names the parameter.
    case invalidParameters(String)
    /// The link's transport has no such procedure.
    case wrongTransport

    package var description: String {
        switch self {
        case .invalidPort(let psm): "invalid PSM \(Hex.field(psm))"
        case .noFreeChannel(let most): "no free channel of \(most)"
        case .invalidMTU(let mtu): "invalid MTU of \(mtu) bytes"
        case .notOpen(let channel): "\(channel) is not open"
        case .tooLong(let length, let most): "an SDU of \(length) bytes; \(most) is the most"
        case .queueFull(let waiting): "\(waiting) SDUs wait for credits"
        case .wrongRole: "the central asks for no parameters"
        case .unanswered: "an earlier request has no answer yet"
        case .invalidParameters(let problem): "invalid parameters: \(problem)"
        case .wrongTransport: "wrong kind of link"
        }
    }
}

import RadioModel

extension L2CAPLink {
    /// What the layers below and above do next.
    package enum Output: Sendable, Hashable {
        /// Send a whole frame, header included.
        case frame([UInt8])
        /// The peer sent this to ATT or SMP.
        case fixed(ChannelIdentifier, [UInt8])
        /// A channel is open. `peerMTU` is the longest SDU in bytes that the peer receives.
        case opened(LocalChannel, psm: UInt16, peerMTU: UInt16, byPeer: Bool)
        /// A channel that this end wanted did not open.
        case openFailed(LocalChannel, why: L2CAPRefusal)
        /// A whole SDU. Its credit goes back with ``L2CAPLink/consumed(_:on:)``.
        case received(LocalChannel, [UInt8])
        /// The oldest SDU of the channel has left entirely.
        case sent(LocalChannel)
        /// An open channel has ended. It comes once: at once if the peer closed the channel or broke a rule; otherwise when
        /// the peer has confirmed the end, or has not in time.
        case closed(LocalChannel, byPeer: Bool, why: ChannelEnd)
        /// The peripheral asks for parameters. ``L2CAPLink/answerParameters(identifier:accepted:)`` is its answer.
        case parametersRequested(ConnectionParameters, identifier: UInt8)
        /// The peripheral asked for parameters, and this layer has refused them. `why` is in words.
        case refusedParameters(ConnectionParameters, why: String)
        /// The central has answered this end's request for parameters.
        case parametersAnswered(accepted: Bool)
        /// The answer to ``L2CAPLink/requestInformation(_:at:)``; nil if the peer does not support the type.
        case peerInformation(InformationType, value: UInt64?)
        /// The peer did not answer in time.
        case timedOut(L2CAPRequest)
        /// Something odd that does no harm, in words.
        case note(String)
        /// The peer is broken, and the link must end; in words.
        case violation(String)
    }
}

/// Why an open channel ended.
package enum ChannelEnd: Sendable, Hashable {
    /// One end wanted so.
    case requested
    /// The peer broke a rule of the channel; in words.
    case violation(String)
    /// The peer did not confirm the end of the channel.
    case noAnswer
    case linkEnded
}

import RadioModel

/// The wish for a connection.
struct ConnectionAttempt: Sendable {
    var device: PeerAddress
    /// Where the device was heard last.
    var address: PeerAddress
    /// How long the controller may listen for the device.
    var limit: Duration
    /// How long the controller has listened.
    var used: Duration = .zero
    /// How many links were made that the device did not answer.
    var tries = 0
}

/// The one attempt that the controller works on.
struct Initiation: Sendable {
    enum Phase: Sendable, Equatable {
        /// The command is sent.
        case starting
        /// The controller listens for the device.
        case listening(since: Duration)
        /// The controller was asked to give up.
        case cancelling(until: Duration)
    }

    /// What becomes of a cancelled attempt.
    enum Stop: Sendable, Equatable {
        /// It goes on later.
        case pause
        /// Its end was told. A link that comes nevertheless is ended at once.
        case end
    }

    var attempt: ConnectionAttempt
    /// The address that the controller was given.
    let target: PeerAddress
    var phase = Phase.starting
    var stop: Stop?

    init(_ attempt: ConnectionAttempt) {
        self.attempt = attempt
        target = attempt.address
    }
}

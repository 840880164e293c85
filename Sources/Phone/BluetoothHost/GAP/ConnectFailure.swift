import RadioModel

/// Why there is no connection.
package enum ConnectFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nothing was heard for so long.
    case timeout(Duration)
    /// The owner cancelled the attempt.
    case cancelled
    /// The controller refused to begin: the command's name and the reason.
    case refused(String, HCIError)
    /// The controller gave up.
    case failed(HCIError)
    /// The device was heard, and answered nothing on the new link, in so many tries.
    case notEstablished(tries: Int)
    case poweredOff
    /// There is a link to the device already.
    case connected
    /// Too many attempts wait already: their number.
    case tooMany(Int)

    package var description: String {
        switch self {
        case .timeout(let limit): "nothing was heard for \(limit.plainText)"
        case .cancelled: "the attempt was cancelled"
        case .refused(let command, let status): HCICommand.refusal(of: command, status)
        case .failed(let status): "the controller did not connect: \(status)"
        case .notEstablished(let tries):
            "the device answered nothing on the new link, in \(tries) \(tries == 1 ? "try" : "tries") (0x3E)"
        case .poweredOff: "Bluetooth is off"
        case .connected: "the device is connected already"
        case .tooMany(let count): "\(count) attempts to connect wait already"
        }
    }
}

extension Duration {
    /// `10 s`, or `1.5 s`, down to milliseconds.
    var plainText: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        guard milliseconds != 0 else { return "\(seconds) s" }
        let digits = Array(String(milliseconds.magnitude + 1000).dropFirst())
        let kept = digits.prefix((digits.lastIndex { $0 != "0" } ?? 0) + 1)
        return "\(seconds).\(String(kept)) s"
    }
}

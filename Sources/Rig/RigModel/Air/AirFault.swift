import BoardProtocol
import Timing

/// How the air misbehaves, once armed.
///
/// A Bluetooth message that a controller sends in several packets is lost, delayed, doubled or overtaken as a whole: with a part
/// of it alone no link layer does that. It is altered in the packet that is meant.
public struct AirFault: Sendable, Hashable, Codable {
    /// What happens when the fault fires.
    public enum Effect: Sendable, Hashable, Codable {
        /// Nothing goes wrong; it is told that the packet passes.
        case noticed
        /// The packet is lost, however often a radio may repeat it.
        case dropped
        /// The packet comes so much later; others may overtake it.
        case delayed(Duration)
        /// The packet comes twice.
        case doubled
        /// These bytes stand in the packet's payload from this offset on.
        case altered(offset: Int, bytes: [UInt8])
        /// The next packet of the same sender and radio overtakes it.
        case reordered
        /// The packet is lost, and so is all of these radios for so long; nil is until the Bluetooth links are given up.
        case silence([AirRadio], lasting: Duration?)
        /// A radio is pulled out of a board: of several Bluetooth adapters, this one.
        case unplugged(AirRadio, BoardRole, adapter: AdapterID)
    }

    public var effect: Effect
    /// Which packets make it fire; nil fires when it is armed.
    public var trigger: Traffic?

    package init(_ effect: Effect, when trigger: Traffic?) {
        self.effect = effect
        self.trigger = trigger
    }

    /// Packets pass, and that is told.
    package static func noticed(_ traffic: Traffic) -> AirFault { AirFault(.noticed, when: traffic) }

    /// Packets are lost, however often a radio may repeat them.
    public static func dropped(_ traffic: Traffic) -> AirFault { AirFault(.dropped, when: traffic) }

    /// Packets come so much later; others may overtake them.
    public static func delayed(_ traffic: Traffic, by delay: Duration) -> AirFault {
        AirFault(.delayed(delay), when: traffic)
    }

    /// Packets come twice.
    public static func doubled(_ traffic: Traffic) -> AirFault { AirFault(.doubled, when: traffic) }

    /// Bytes of packets are replaced. Packets that are too short for them are not meant.
    ///
    /// - Parameters:
    ///   - offset: From the packet's payload on: an ATT or SMP message, advertising data, the body of an 802.11 frame, an
    ///     HCI event's parameters.
    ///   - bytes: What stands there.
    public static func altered(_ traffic: Traffic, at offset: Int = 0, to bytes: [UInt8]) -> AirFault {
        AirFault(.altered(offset: offset, bytes: bytes), when: traffic)
    }

    /// Packets are overtaken by the next one of the same sender and radio; after a second without one, they come anyway.
    public static func reordered(_ traffic: Traffic) -> AirFault { AirFault(.reordered, when: traffic) }

    /// The boards lose each other on one radio, with the first packet that is meant.
    ///
    /// - Parameter lasting: How long nothing is heard. Bluetooth: nil is until the supervision timeout ends the links.
    ///   Wi-Fi: nil is 3 s; a station misses beacons for about one.
    public static func linkLoss(
        _ radio: AirRadio, at traffic: Traffic? = nil, lasting: Duration? = nil
    ) -> AirFault {
        let time = lasting ?? (radio == .wifi ? .seconds(3) : nil)
        return AirFault(.silence([radio], lasting: time), when: (traffic ?? .everything).and(.radio(radio)))
    }

    /// Nothing is heard on these radios for a time, beginning with the first packet that is lost.
    public static func jammed(_ radios: [AirRadio] = AirRadio.allCases, lasting: Duration) -> AirFault {
        AirFault(.silence(radios, lasting: lasting), when: .any(radios.map { .radio($0) }))
    }

    /// A radio is pulled out of a board, at once or with the first packet that is meant.
    ///
    /// - Parameter adapter: Which of the board's Bluetooth adapters; of Wi-Fi a board has one radio.
    public static func unplugged(
        _ radio: AirRadio, of board: BoardRole, adapter: AdapterID = .first, at traffic: Traffic? = nil
    ) -> AirFault {
        AirFault(.unplugged(radio, board, adapter: adapter), when: traffic)
    }
}

extension AirFault: CustomStringConvertible {
    public var description: String {
        let on = trigger.map { " at \($0)" } ?? ""
        return switch effect {
        case .noticed: "noticed\(on)"
        case .dropped: "dropped\(on)"
        case .delayed(let delay): "delayed by \(delay.short)\(on)"
        case .doubled: "doubled\(on)"
        case .altered(let offset, let bytes): "\(bytes.count) bytes altered from \(offset) on\(on)"
        case .reordered: "reordered\(on)"
        case .silence(let radios, let time):
            radios.map(\.rawValue).joined(separator: " and ") + " silent"
                + (time.map { " for \($0.short)" } ?? " until links are given up") + on
        case .unplugged(let radio, let board, let adapter):
            "\(radio.rawValue)\(adapter == .first ? "" : " adapter \(adapter)") of the \(board.rawValue) board "
                + "unplugged\(on)"
        }
    }
}

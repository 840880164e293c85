import BoardProtocol
import HILTiming

/// A fault that the air injects once it is armed.
///
/// A Bluetooth message that a controller sends in several packets is lost, delayed, doubled or overtaken as a whole,
/// because no link layer does that with only a part of it. An alteration changes only the packet that matches.
public struct AirFault: Sendable, Hashable, Codable {
    /// The effect when the fault fires.
    package enum Effect: Sendable, Hashable, Codable {
        /// Nothing goes wrong; the packet is only reported.
        case noticed
        /// The packet is lost, with all repetitions by the radio.
        case dropped
        /// The packet arrives this much later; others may overtake it.
        case delayed(Duration)
        /// The packet arrives twice.
        case doubled
        /// These bytes replace the packet's payload, starting at this offset.
        case altered(offset: Int, bytes: [UInt8])
        /// The next packet of the same sender and radio overtakes it.
        case reordered
        /// The packet and all packets of these radios are lost for this long; nil means until the Bluetooth links are
        /// given up.
        case silence([AirRadio], lasting: Duration?)
        /// A radio is pulled out of a board: of several Bluetooth adapters, this one.
        case unplugged(AirRadio, BoardRole, adapter: AdapterID)
    }

    package var effect: Effect
    /// Which packets make the fault fire; nil fires at once when it is armed.
    package var trigger: Traffic?
    /// How many matching packets pass before it fires.
    package var passing = 0

    package init(_ effect: Effect, when trigger: Traffic?, passing: Int = 0) {
        self.effect = effect
        self.trigger = trigger
        self.passing = passing
    }

    /// Matching packets pass unchanged, and are reported. Like every fault, it must fire: a scenario without such
    /// packets fails.
    public static func noticed(_ traffic: Traffic) -> AirFault { AirFault(.noticed, when: traffic) }

    /// Matching packets are lost, with all repetitions by a radio.
    public static func dropped(_ traffic: Traffic) -> AirFault { AirFault(.dropped, when: traffic) }

    /// Matching packets arrive later by `delay`, more than 0 and at most 600 s; others may overtake them.
    public static func delayed(_ traffic: Traffic, by delay: Duration) -> AirFault {
        AirFault(.delayed(delay), when: traffic)
    }

    /// Matching packets arrive twice.
    public static func doubled(_ traffic: Traffic) -> AirFault { AirFault(.doubled, when: traffic) }

    /// Bytes of matching packets are replaced. Packets that are too short do not count.
    ///
    /// - Parameters:
    ///   - offset: Counted in bytes from the start of the payload: an ATT or SMP message, advertising data, the body
    ///     of an 802.11 frame, an HCI event's parameters.
    ///   - bytes: The new bytes.
    public static func altered(_ traffic: Traffic, at offset: Int = 0, to bytes: [UInt8]) -> AirFault {
        AirFault(.altered(offset: offset, bytes: bytes), when: traffic)
    }

    /// The next packet of the same sender and radio overtakes a matching one. After one second without another packet,
    /// it arrives anyway.
    public static func reordered(_ traffic: Traffic) -> AirFault { AirFault(.reordered, when: traffic) }

    /// The boards lose each other on one radio, from the first matching packet on.
    ///
    /// - Parameter lasting: The length of the silence. Nil for Bluetooth: until the supervision timeout ends the links.
    ///   Nil for Wi-Fi: 3 s; a station gives up after about one second without beacons.
    public static func linkLoss(
        _ radio: AirRadio, at traffic: Traffic? = nil, lasting: Duration? = nil
    ) -> AirFault {
        let time = lasting ?? (radio == .wifi ? .seconds(3) : nil)
        return AirFault(.silence([radio], lasting: time), when: (traffic ?? .everything).and(.radio(radio)))
    }

    /// Nothing is heard on these radios for this long, from the next packet on.
    public static func jammed(_ radios: [AirRadio] = AirRadio.allCases, lasting: Duration) -> AirFault {
        AirFault(.silence(radios, lasting: lasting), when: .any(radios.map { .radio($0) }))
    }

    /// A radio is pulled out of a board, at once or with the first matching packet.
    ///
    /// - Parameter adapter: Which of the board's Bluetooth adapters. A board has only one Wi-Fi radio.
    public static func unplugged(
        _ radio: AirRadio, of board: BoardRole, adapter: AdapterID = .first, at traffic: Traffic? = nil
    ) -> AirFault {
        AirFault(.unplugged(radio, board, adapter: adapter), when: traffic)
    }
}

extension AirFault: CustomStringConvertible {
    public var description: String {
        let on = (trigger.map { " at \($0)" } ?? "") + (passing > 0 ? ", after \(passing)" : "")
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

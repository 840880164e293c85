import BoardProtocol
import RadioModel
import VirtualRadio

/// The Wi-Fi half of the air: who hears a frame, how strong, and whether it is acknowledged.
///
/// A frame reaches every other radio in range, whatever its receiver address, and the radio's kernel drops what is on
/// another channel. It is acknowledged when it is for one receiver, which a radio in range has, and that receiver was
/// last heard on the frame's channel or not heard yet.
struct WiFiMedium {
    /// What becomes of a transmission.
    struct Outcome: Equatable {
        /// For the transmitter.
        var status: WiFiStatus
        /// For each board that hears it.
        var receptions: [(board: BoardRole, reception: WiFiReception)]

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.status == right.status
                && left.receptions.elementsEqual(right.receptions) {
                    $0.board == $1.board && $0.reception == $1.reception
                }
        }
    }

    private struct Radio {
        /// The addresses that it takes frames for, each with the channel it last sent on, in MHz.
        var addresses: [DeviceAddress: UInt16?] = [:]
        /// The channels of its networks, in MHz, by the address that beacons there.
        var networks: [DeviceAddress: UInt16] = [:]
    }

    private var radios: [BoardRole: Radio] = [:]

    /// Adds a board's radio, in place of one that it had.
    mutating func plugIn(_ board: BoardRole) { radios[board] = Radio() }

    /// Takes a board's radio away.
    mutating func unplug(_ board: BoardRole) { radios[board] = nil }

    /// A board's radio takes frames for an address from now on, or no more.
    mutating func hears(_ address: DeviceAddress, _ now: Bool, on board: BoardRole) {
        if now {
            radios[board]?.addresses.updateValue(nil, forKey: address)
        } else {
            radios[board]?.addresses.removeValue(forKey: address)
            radios[board]?.networks.removeValue(forKey: address)
        }
    }

    /// The channels on which a board's radio has networks, in MHz.
    var frequencies: Set<UInt16> { Set(radios.values.flatMap(\.networks.values)) }

    /// Whether a board has a radio.
    func isPluggedIn(_ board: BoardRole) -> Bool { radios[board] != nil }

    /// Carries a frame of a board's radio; nil when the board has none.
    mutating func carry(_ transmission: WiFiTransmission, from board: BoardRole, geometry: Geometry) -> Outcome? {
        guard radios[board] != nil else { return nil }
        if let transmitter = address(in: transmission.frame, at: 10) {
            radios[board]?.addresses.updateValue(transmission.frequency, forKey: transmitter)
            if transmission.isBeacon { radios[board]?.networks[transmitter] = transmission.frequency }
        }
        var status = WiFiStatus(
            cookie: transmission.cookie, flags: transmission.flags, signal: 0, rates: transmission.rates)
        guard let signal = geometry.signal(.wifi) else { return Outcome(status: status, receptions: []) }
        status.signal = signal
        let reception = WiFiReception(
            frequency: transmission.frequency, signal: signal, rate: Radiotap.legacyRate(of: transmission) ?? 0,
            frame: transmission.frame)
        let others = BoardRole.allCases.filter { $0 != board && radios[$0] != nil }
        if transmission.flags & WiFiTransmission.noAcknowledgement == 0,
            others.contains(where: { acknowledges(transmission, on: $0) })
        {
            status.flags |= WiFiStatus.acknowledged
        }
        return Outcome(status: status, receptions: others.map { ($0, reception) })
    }

    private func acknowledges(_ transmission: WiFiTransmission, on board: BoardRole) -> Bool {
        guard let receiver = address(in: transmission.frame, at: 4), receiver.bytes[0] & 1 == 0,
            let frequency = radios[board]?.addresses[receiver]
        else { return false }
        return frequency == nil || frequency == transmission.frequency
    }

    private func address(in frame: [UInt8], at offset: Int) -> DeviceAddress? {
        frame.count >= offset + 6 ? DeviceAddress(bytes: frame[offset..<(offset + 6)]) : nil
    }
}

extension WiFiTransmission {
    /// Whether it is what an access point tells of its network unasked (IEEE 802.11-2020, 9.2.4.1.3).
    var isBeacon: Bool { frame.first == 0x80 }
}

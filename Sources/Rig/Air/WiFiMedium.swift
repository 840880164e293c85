import BoardProtocol
import RadioModel
import VirtualRadio

/// The Wi-Fi half of the air: which boards hear a frame, with which signal, and whether it is acknowledged.
///
/// A frame reaches every other radio in range, with any receiver address; the radio's kernel drops frames of other
/// channels. A frame is acknowledged if it has one receiver, a radio in range has that address, and the address last
/// sent on the frame's channel or has not sent yet.
struct WiFiMedium {
    /// The result of a transmission.
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
        /// The addresses that it receives frames for, each with the channel in MHz that it last sent on.
        var addresses: [DeviceAddress: UInt16?] = [:]
        /// The channels of its networks in MHz, by the address that sends the beacons.
        var networks: [DeviceAddress: UInt16] = [:]
    }

    private var radios: [BoardRole: Radio] = [:]

    /// Adds a board's radio. It replaces the board's old one.
    mutating func plugIn(_ board: BoardRole) { radios[board] = Radio() }

    /// Removes a board's radio.
    mutating func unplug(_ board: BoardRole) { radios[board] = nil }

    /// Sets whether a board's radio receives frames for an address.
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

    /// Whether a board's radio is plugged in.
    func isPluggedIn(_ board: BoardRole) -> Bool { radios[board] != nil }

    /// Carries a frame of a board's radio; nil if the board has none.
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
    /// Whether the frame is a beacon (IEEE 802.11-2020, 9.2.4.1.3).
    var isBeacon: Bool { frame.first == 0x80 }
}

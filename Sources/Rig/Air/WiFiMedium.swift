import BoardProtocol
import RadioModel
import VirtualRadio

/// The Wi-Fi half of the air: which radios hear a frame, with which signal, and whether it is acknowledged.
///
/// A frame reaches every other radio in range, with any receiver address; the radio's kernel drops frames of other
/// channels. A frame is acknowledged if it has one receiver, a radio in range has that address, and the address last
/// sent on the frame's channel or has not sent yet.
struct WiFiMedium {
    /// The result of a transmission.
    struct Outcome: Equatable {
        /// For the transmitter.
        var status: WiFiStatus
        /// For each place where it is heard.
        var receptions: [(place: AirPlace, reception: WiFiReception)]

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.status == right.status
                && left.receptions.elementsEqual(right.receptions) {
                    $0.place == $1.place && $0.reception == $1.reception
                }
        }
    }

    private struct Radio {
        /// The addresses that it receives frames for, each with the channel in MHz that it last sent on.
        var addresses: [DeviceAddress: UInt16?] = [:]
        /// The channels of its networks in MHz, by the address that sends the beacons.
        var networks: [DeviceAddress: UInt16] = [:]
    }

    private var radios: [AirPlace: Radio] = [:]

    /// Adds a radio. It replaces the old one of the place.
    mutating func plugIn(_ place: AirPlace) { radios[place] = Radio() }

    /// Removes a radio.
    mutating func unplug(_ place: AirPlace) { radios[place] = nil }

    /// Sets whether a radio receives frames for an address.
    mutating func hears(_ address: DeviceAddress, _ now: Bool, on place: AirPlace) {
        if now {
            radios[place]?.addresses.updateValue(nil, forKey: address)
        } else {
            radios[place]?.addresses.removeValue(forKey: address)
            radios[place]?.networks.removeValue(forKey: address)
        }
    }

    /// The channels on which radios have networks, in MHz.
    var frequencies: Set<UInt16> { Set(radios.values.flatMap(\.networks.values)) }

    /// Whether a radio is plugged in.
    func isPluggedIn(_ place: AirPlace) -> Bool { radios[place] != nil }

    /// Carries a frame of a radio; nil if there is none at this place.
    mutating func carry(_ transmission: WiFiTransmission, from place: AirPlace, geometry: Geometry) -> Outcome? {
        guard radios[place] != nil else { return nil }
        if let transmitter = address(in: transmission.frame, at: 10) {
            radios[place]?.addresses.updateValue(transmission.frequency, forKey: transmitter)
            if transmission.isBeacon { radios[place]?.networks[transmitter] = transmission.frequency }
        }
        var status = WiFiStatus(
            cookie: transmission.cookie, flags: transmission.flags, signal: 0, rates: transmission.rates)
        let rate = Radiotap.legacyRate(of: transmission) ?? 0
        var receptions: [(place: AirPlace, reception: WiFiReception)] = []
        for other in AirPlace.allCases where other != place && radios[other] != nil {
            guard let signal = geometry.wifiSignal(between: place, and: other) else { continue }
            receptions.append(
                (
                    other,
                    WiFiReception(
                        frequency: transmission.frequency, signal: signal, rate: rate, frame: transmission.frame)
                ))
        }
        let receiver = receptions.first { acknowledges(transmission, at: $0.place) }
        // The sender hears the acknowledgement; of other frames, whatever is nearest.
        status.signal = receiver?.reception.signal ?? receptions.map(\.reception.signal).max() ?? 0
        if receiver != nil, transmission.flags & WiFiTransmission.noAcknowledgement == 0 {
            status.flags |= WiFiStatus.acknowledged
        }
        return Outcome(status: status, receptions: receptions)
    }

    private func acknowledges(_ transmission: WiFiTransmission, at place: AirPlace) -> Bool {
        guard let receiver = address(in: transmission.frame, at: 4), receiver.bytes[0] & 1 == 0,
            let frequency = radios[place]?.addresses[receiver]
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

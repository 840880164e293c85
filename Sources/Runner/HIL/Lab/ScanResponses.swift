import Foundation
import HILPhone
import RadioModel

/// The scan responses that the controllers of a capture were given, and the devices whose scan response the phone heard.
///
/// A phone that hears an advertisement asks its sender for the scan response. A service that is only there is not heard
/// if the answer is lost, or if the phone does not ask.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.7.65.2, 7.7.65.13, 7.8.8 and 7.8.55.
struct ScanResponses {
    /// What each controller answers, by its name in the capture.
    private var answers: [String: AdvertisingData] = [:]
    /// Whether a scan response was heard of each device that answers.
    private var wasHeard: [DeviceAddress: Bool] = [:]

    /// The near misses, with what the capture has of their scan responses.
    ///
    /// - Parameter capture: The path of a pcapng file; without a file they stay as they are.
    static func explaining(_ misses: [NearMiss], in capture: String?) -> [NearMiss] {
        guard misses.contains(where: { $0.unlisted != nil }), let capture,
            let content = FileManager.default.contents(atPath: capture)
        else { return misses }
        var responses = ScanResponses()
        responses.read(Array(content))
        return misses.map(responses.explaining)
    }

    /// Reads the HCI packets of a capture.
    mutating func read(_ capture: [UInt8]) {
        let interfaces = PcapNGPackets.interfaces(in: capture)
        for packet in PcapNGPackets(capture) {
            let index = Int(packet.interface)
            guard interfaces.indices.contains(index) else { continue }
            switch HCIPacket(captured: Array(packet.bytes)) {
            case .command(let code, let parameters): take(code, parameters, of: interfaces[index])
            case .event(0x3E, let parameters) where interfaces[index].hasPrefix("host-hci"): hear(parameters)
            default: break
            }
        }
    }

    /// What a host gives its controller to answer.
    private mutating func take(_ code: UInt16, _ parameters: [UInt8], of interface: String) {
        switch code {
        // Length, then the data.
        case 0x2009:
            guard let length = parameters.first else { return }
            answers[interface] = AdvertisingData(decoding: Array(parameters.dropFirst().prefix(Int(length))))
        // Set, operation, preference, length, then the data. Data in several pieces is too long for a phone to listen
        // to.
        case 0x2038:
            guard parameters.count > 4, parameters[1] == 3 else { return }
            answers[interface] = AdvertisingData(decoding: Array(parameters.dropFirst(4).prefix(Int(parameters[3]))))
        default: break
        }
    }

    /// Reads the reports of an event. Each names its kind and its sender.
    private mutating func hear(_ parameters: [UInt8]) {
        guard parameters.count > 2, parameters[0] == 0x02 || parameters[0] == 0x0D else { return }
        let isExtended = parameters[0] == 0x0D
        // A report of either kind: its head, the length of the data, the data, and what follows.
        let (address, head, tail) = isExtended ? (3, 23, 0) : (2, 8, 1)
        var rest = parameters.dropFirst(2)
        for _ in 0..<parameters[1] {
            guard rest.count > head else { return }
            let report = Array(rest.prefix(head + 1))
            rest = rest.dropFirst(head + 1 + Int(report[head]) + tail)
            guard let device = DeviceAddress(bytes: report[address..<(address + 6)].reversed()) else { continue }
            let isResponse = isExtended ? report[0] & 0x08 != 0 : report[0] == 0x04
            let answers = isExtended ? report[0] & 0x02 != 0 : report[0] == 0x00 || report[0] == 0x02
            if isResponse {
                wasHeard[device] = true
            } else if answers, wasHeard[device] == nil {
                wasHeard[device] = false
            }
        }
    }

    /// A near miss, with what is missing because no scan response was heard.
    func explaining(_ miss: NearMiss) -> NearMiss {
        guard let unlisted = miss.unlisted, wasHeard[unlisted.device] == false else { return miss }
        var miss = miss
        let holder = answers.sorted { $0.key < $1.key }.first { _, answer in
            !unlisted.services.isDisjoint(with: answer.serviceUUIDs + answer.serviceData.keys)
        }
        let reason =
            if let (interface, answer) = holder {
                "a scan response of \(interface) lists "
                    + unlisted.services.intersection(answer.serviceUUIDs + answer.serviceData.keys).map(\.namedText)
                    .sorted().joined(separator: " and ")
                    + ", and the phone heard no scan response of this device: the service is only there"
            } else {
                "its scan response, which may have the service, was not heard"
            }
        miss.reasons.append(reason)
        return miss
    }
}

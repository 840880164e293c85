import RadioModel

/// A management frame of 802.11 after its radiotap header.
struct ManagementFrame {
    enum Kind {
        case associationRequest, associationResponse, probeRequest, probeResponse, beacon, authentication, other
    }

    let kind: Kind
    let to: DeviceAddress
    let from: DeviceAddress
    /// The access point's address.
    let network: DeviceAddress
    private let body: ArraySlice<UInt8>

    /// The management frames of a capture, in order.
    static func all(in capture: [UInt8]) -> some Sequence<ManagementFrame> {
        let interfaces = PcapNGPackets.interfaces(in: capture)
        return PcapNGPackets(capture).lazy.compactMap { packet in
            let index = Int(packet.interface)
            guard interfaces.indices.contains(index), interfaces[index].hasSuffix("-wifi") else { return nil }
            return ManagementFrame(packet.bytes)
        }
    }

    /// nil for another frame, or too little of one.
    init?(_ packet: ArraySlice<UInt8>) {
        guard packet.count > 4 else { return nil }
        let header = Int(packet[packet.startIndex + 2]) | Int(packet[packet.startIndex + 3]) << 8
        let frame = packet.dropFirst(header)
        guard frame.count >= 24 else { return nil }
        let start = frame.startIndex
        // Version 0, type 0.
        guard frame[start] & 0x0F == 0 else { return nil }
        func address(_ offset: Int) -> DeviceAddress? {
            DeviceAddress(bytes: Array(frame[(start + offset)..<(start + offset + 6)]))
        }
        guard let to = address(4), let from = address(10), let network = address(16) else { return nil }
        (self.to, self.from, self.network) = (to, from, network)
        body = frame.dropFirst(24)
        kind =
            switch frame[start] >> 4 {
            case 0, 2: .associationRequest
            case 1, 3: .associationResponse
            case 4: .probeRequest
            case 5: .probeResponse
            case 8: .beacon
            case 11: .authentication
            default: .other
            }
    }

    /// The number of 16 bits at an offset of the body.
    func word(_ offset: Int) -> UInt16? {
        let bytes = body.dropFirst(offset).prefix(2)
        return bytes.count == 2 ? UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8 : nil
    }

    /// The elements after so many bytes of the body.
    func elements(after offset: Int) -> InformationElements { InformationElements(body.dropFirst(offset)) }

    /// The SSID, in the first element after so many bytes of the body; empty for any network.
    func network(after offset: Int) -> String? {
        let element = body.dropFirst(offset)
        guard element.count >= 2, element[element.startIndex] == 0 else { return nil }
        let size = Int(element[element.startIndex + 1])
        let name = element.dropFirst(2).prefix(size)
        return size <= 32 && name.count == size ? String(decoding: name, as: UTF8.self) : nil
    }
}

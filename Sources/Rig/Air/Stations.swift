import BoardProtocol
import RadioModel
import RigModel
import VirtualRadio

/// The stations on the air without a board. To be used from one thread.
final class Stations {
    /// The most stations at a time.
    static let limit = 256

    private struct Entry {
        let station: AirStation
        /// When it sends its next advertisement or beacon.
        var due: ContinuousClock.Instant
    }

    private var entries: [DeviceAddress: Entry] = [:]
    private var sequence: UInt16 = 0
    /// The state of the random generator. The seed is fixed, so that every run has the same air.
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    var isEmpty: Bool { entries.isEmpty }

    /// Puts a station on the air. It replaces a station with the same address.
    ///
    /// - Returns: Why it was refused; nil if it is on the air.
    func add(_ station: AirStation, at now: ContinuousClock.Instant) -> String? {
        if let problem = station.problem { return problem }
        guard entries[station.address] != nil || entries.count < Stations.limit else {
            return "the air has room for at most \(Stations.limit) stations"
        }
        guard !AirAddress.ofBoards.contains(station.address) else {
            return "\(station.address) is the address of a board"
        }
        // Spread over 100 ms, so that they do not all send at once.
        let offset = Duration.milliseconds(entries.count * 37 % 100)
        entries[station.address] = Entry(station: station, due: now + offset)
        return nil
    }

    /// Whether a station has this address.
    func contains(_ address: DeviceAddress) -> Bool { entries[address] != nil }

    /// Takes a station off the air.
    ///
    /// - Returns: Whether it was there.
    func remove(_ address: DeviceAddress) -> Bool { entries.removeValue(forKey: address) != nil }

    /// The stations that send an advertisement or a beacon now.
    func takeDue(at now: ContinuousClock.Instant) -> [AirStation] {
        var due: [AirStation] = []
        for (address, entry) in entries where entry.due <= now {
            let interval =
                switch entry.station {
                case .advertiser(let advertiser): advertiser.interval + advertisingDelay()
                case .accessPoint: AirAccessPoint.beaconInterval
                }
            // After a pause, missed events are not sent later.
            entries[address]?.due = max(entry.due + interval, now)
            due.append(entry.station)
        }
        return due
    }

    /// A random delay of 0 to 10 ms for each event, so that two advertisers that collide once do not collide forever,
    /// and each can be asked for its name (Core Specification 6.0, Vol 6, Part B, 4.4.2.2.1).
    private func advertisingDelay() -> Duration {
        // Marsaglia's xorshift.
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return .microseconds(Int64(random % 10_001))
    }

    /// The advertiser that a board's scan request is for; nil if the packet is anything else.
    func advertiser(asked packet: [UInt8]) -> AirAdvertiser? {
        // A type, source and destination, least significant byte first, and the types of both addresses.
        guard packet.count >= 15, packet[0] == 0x0E, let address = DeviceAddress(bytes: packet[7..<13].reversed()),
            case .advertiser(let advertiser)? = entries[address]?.station
        else { return nil }
        return advertiser
    }

    /// The access points that answer a board's frame: if it is a probe request, those on its channel with its SSID.
    func accessPoints(asked transmission: WiFiTransmission) -> [AirAccessPoint] {
        let frame = transmission.frame
        // Any SSID, or the one that the first element names.
        guard !entries.isEmpty, frame.count >= 26, frame[0] == 0x40, frame[24] == 0, frame.count >= 26 + Int(frame[25])
        else { return [] }
        let wanted = frame[26..<(26 + Int(frame[25]))]
        return entries.values.compactMap { entry -> AirAccessPoint? in
            guard case .accessPoint(let point) = entry.station, point.frequency == transmission.frequency,
                wanted.isEmpty || point.ssid.utf8.elementsEqual(wanted)
            else { return nil }
            return point
        }
    }

    /// The channels of the access points, in MHz.
    var frequencies: Set<UInt16> {
        Set(entries.values.compactMap { if case .accessPoint(let point) = $0.station { point.frequency } else { nil } })
    }

    /// The sequence number of the next frame, 12 bits.
    func nextSequence() -> UInt16 {
        sequence = (sequence + 1) & 0x0FFF
        return sequence
    }
}

extension AirAdvertiser {
    private var type: UInt8 { isRandom ? 1 : 0 }

    /// A scannable and connectable advertisement as RootCanal's controllers send it: addresses, their types, ADV_IND,
    /// data.
    var advertisement: [UInt8] {
        [0x0B] + address.bytes.reversed() + [UInt8](repeating: 0, count: 6) + [type, 0, 0] + data
    }

    /// The answer to a scan request.
    func answer(to request: [UInt8]) -> [UInt8] {
        [0x0F] + address.bytes.reversed() + request[1..<7] + [type] + scanResponse
    }
}

extension AirAccessPoint {
    /// A beacon; with a receiver, the answer to its probe request (IEEE 802.11-2020, 9.3.3.2 and 9.3.3.10).
    ///
    /// - Parameter time: Microseconds since the network began.
    func beacon(to receiver: DeviceAddress? = nil, sequence: UInt16, time: UInt64) -> [UInt8] {
        let destination = receiver?.bytes ?? [UInt8](repeating: 0xFF, count: 6)
        var frame: [UInt8] = [receiver == nil ? 0x80 : 0x50, 0, 0, 0] + destination + bssid.bytes + bssid.bytes
        frame += littleEndian(sequence << 4) + littleEndian(time) + littleEndian(UInt16(100))
        frame += littleEndian(UInt16(0x0401 | (security == .open ? 0 : 0x0010)))
        frame += element(0, Array(ssid.utf8))
        let map = receiver == nil ? element(5, [0, 1, 0, 0]) : []
        // The rates in units of 500 kbit/s; basic rates have the highest bit. At 5 GHz there is no CCK, and no
        // elements about it.
        guard frequency < 4000 else {
            return frame + element(1, [0x8C, 0x12, 0x98, 0x24, 0xB0, 0x48, 0x60, 0x6C]) + map + robustSecurity
        }
        frame += element(1, [0x82, 0x84, 0x8B, 0x96, 0x0C, 0x12, 0x18, 0x24]) + element(3, [UInt8(channel)])
        return frame + map + element(42, [0]) + robustSecurity + firstWPA + element(50, [0x30, 0x48, 0x60, 0x6C])
    }

    /// The RSN element: CCMP, the key managements, and whether management frames are protected (9.4.2.24).
    private var robustSecurity: [UInt8] {
        let (managements, capabilities): ([UInt8], UInt16) =
            switch security {
            case .open, .wpa1: ([], 0)
            case .enhancedOpen: ([18], 0x00C0)
            case .wpa2, .wpa1wpa2: ([2], 0)
            case .wpa2Enterprise: ([1], 0)
            case .wpa3: ([8], 0x00C0)
            case .wpa2wpa3: ([2, 8], 0x0080)
            }
        guard !managements.isEmpty else { return [] }
        let ccmp: [UInt8] = [0x00, 0x0F, 0xAC, 4]
        let group: [UInt8] = security == .wpa1wpa2 ? [0x00, 0x0F, 0xAC, 2] : ccmp
        var body: [UInt8] = [1, 0] + group + [1, 0] + ccmp + [UInt8(managements.count), 0]
        for management in managements { body += [0x00, 0x0F, 0xAC, management] }
        return element(48, body + littleEndian(capabilities))
    }

    /// The vendor element of the first WPA: TKIP and PSK (Wi-Fi Alliance, WPA 3.1, 2.1).
    private var firstWPA: [UInt8] {
        guard [.wpa1, .wpa1wpa2].contains(security) else { return [] }
        let suite: [UInt8] = [0x00, 0x50, 0xF2, 2]
        return element(221, [0x00, 0x50, 0xF2, 1, 1, 0] + suite + [1, 0] + suite + [1, 0] + suite)
    }

    private func element(_ number: UInt8, _ body: [UInt8]) -> [UInt8] { [number, UInt8(body.count)] + body }

    private func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<MemoryLayout<Number>.size).map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) }
    }
}

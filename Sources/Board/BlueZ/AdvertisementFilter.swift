import RadioModel

/// Decides which reports of a radio to pass on: changes at once, repetitions a few times a second.
///
/// Otherwise a device that advertises every 20 ms would keep a small board busy with reports that contain nothing new.
package struct AdvertisementFilter<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
    private struct Heard {
        var data: AdvertisingData
        var rssi: Int?
        var told: Instant
    }

    /// The shortest time between reports of a device if only its signal changes: 100 ms.
    package static var signalInterval: Duration { .milliseconds(100) }
    /// The shortest time between reports of a device if nothing changes: 250 ms.
    package static var repeatInterval: Duration { .milliseconds(250) }
    /// The most devices to remember. Above that, all devices are forgotten and reported again.
    package static var capacity: Int { 1024 }

    private var heard: [DeviceAddress: Heard] = [:]

    package init() {}

    /// How many devices are remembered.
    var rememberedCount: Int { heard.count }

    /// Forgets all reports, at the start of a discovery.
    package mutating func reset() { heard = [:] }

    /// Whether this device was reported since the start.
    package func remembers(_ address: DeviceAddress) -> Bool { heard[address] != nil }

    /// Handles a report. Returns the advertisement to pass on, or nil.
    package mutating func take(
        _ address: DeviceAddress, _ report: AdvertisingData, rssi: Int?, at now: Instant
    ) -> Advertisement? {
        let before = heard[address]
        var data = before?.data ?? AdvertisingData()
        data.merge(report)
        if let before {
            let age = before.told.duration(to: now)
            let isDue =
                data != before.data || age >= Self.repeatInterval
                || (rssi != before.rssi && age >= Self.signalInterval)
            guard isDue else { return nil }
        }
        if before == nil, heard.count >= Self.capacity { heard = [:] }
        heard[address] = Heard(data: data, rssi: rssi, told: now)
        var advertisement = Advertisement(
            address: address, name: data.name, serviceUUIDs: data.serviceUUIDs, rssi: rssi)
        advertisement.manufacturerData = data.manufacturerData
        advertisement.serviceData = data.serviceData
        advertisement.txPower = data.txPower
        advertisement.mayHaveClassic = data.mayHaveClassic
        advertisement.appearance = data.appearance
        advertisement.solicitedUUIDs = data.solicitedUUIDs
        return advertisement
    }
}

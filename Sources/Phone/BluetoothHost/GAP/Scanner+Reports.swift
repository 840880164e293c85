import RadioModel

// What is heard.
extension Scanner {
    /// How many devices are kept.
    package var deviceCount: Int { devices.count }

    /// The device that was heard last at an address of either kind.
    package func device(at address: DeviceAddress) -> PeerAddress? { devices.lastKey { $0.address == address } }

    /// Takes reports of the controller.
    ///
    /// - Parameter addresses: Finds the devices behind private addresses.
    package mutating func receive(
        _ reports: [AdvertisingReport], resolving addresses: inout AddressBook, at now: Duration
    ) -> [Output] {
        var outputs: [Output] = []
        for report in reports {
            for whole in assembler?.receive(report, at: now) ?? [] {
                outputs.append(.heard(discovery(whole, resolving: &addresses)))
            }
        }
        return outputs
    }

    /// Reports the advertisements that have waited long enough for a scan response, and tries again after a refusal.
    package mutating func advance(to now: Duration, resolving addresses: inout AddressBook) -> [Output] {
        let reports = assembler?.advance(to: now) ?? []
        return reports.map { .heard(discovery($0, resolving: &addresses)) } + step(at: now)
    }

    private mutating func discovery(_ report: ScanReport, resolving addresses: inout AddressBook) -> Discovery {
        let device = addresses.resolve(report.address)
        let heard = combined(report, with: devices.use(device))
        devices.set(device, heard)
        return Discovery(
            device: device, address: report.address,
            advertisement: Advertisement(heard, from: device, rssi: report.rssi, txPower: report.txPower),
            isConnectable: heard.isConnectable, target: report.target)
    }

    /// The report, with what it lacks from the device's last one.
    private func combined(_ report: ScanReport, with last: HeardDevice?) -> HeardDevice {
        if report.isScanResponse, report.data.isEmpty, report.isLegacy {
            // The scan response came too late for its advertisement, and does not say whether it was connectable.
            return HeardDevice(
                data: last?.data ?? [], scanResponse: report.scanResponse,
                isConnectable: last?.isConnectable ?? report.isConnectable)
        }
        var heard = HeardDevice(data: report.data, scanResponse: nil, isConnectable: report.isConnectable)
        if report.isScanResponse {
            heard.scanResponse = report.scanResponse
        } else if report.isScannable, last?.data == report.data {
            // The scan response was missed this time.
            heard.scanResponse = last?.scanResponse
        }
        return heard
    }
}

extension Advertisement {
    /// - Parameters:
    ///   - rssi: In dBm.
    ///   - txPower: In dBm, as the packet's header has it. The advertisement's own field counts more.
    fileprivate init(_ heard: HeardDevice, from device: PeerAddress, rssi: Int8?, txPower: Int8?) {
        var fields = AdvertisingData(decoding: heard.data)
        fields.merge(AdvertisingData(decoding: heard.scanResponse ?? []))
        self.init(
            address: device.address, name: fields.name, serviceUUIDs: fields.serviceUUIDs, rssi: rssi.map { Int($0) })
        manufacturerData = fields.manufacturerData
        serviceData = fields.serviceData
        solicitedUUIDs = fields.solicitedUUIDs
        self.txPower = fields.txPower ?? txPower.map { Int($0) }
        mayHaveClassic = fields.mayHaveClassic
        appearance = fields.appearance
        isConnectable = heard.isConnectable
    }
}

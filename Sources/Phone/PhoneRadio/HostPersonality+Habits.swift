import HILBluetoothHost
import RadioModel

extension HostPersonality {
    /// An iPhone with other properties that accessories see.
    static func iPhone(_ radio: RadioPersonality) -> HostPersonality {
        var phone = HostPersonality.iPhone
        phone.access.addresses.isPrivate = radio.hasPrivateAddress
        let most = UInt16(clamping: max(23, radio.mtu))
        phone.link.mtu = min(phone.link.mtu, most)
        phone.link.mtuWithoutDataLength = min(phone.link.mtuWithoutDataLength, most)
        phone.take(radio.habits)
        return phone
    }

    /// Takes the values that are not nil.
    mutating func take(_ habits: BluetoothHabits) {
        takeLink(habits)
        takeScans(habits)
        takeSecurity(habits)
        takeAttributes(habits)
    }

    private mutating func takeLink(_ habits: BluetoothHabits) {
        if let mtu = habits.mtu.map({ UInt16(clamping: max(23, $0)) }) {
            (link.mtu, link.mtuWithoutDataLength) = (mtu, mtu)
        }
        link.mtuMoment.take(habits.mtuMoment.map(LinkProcedures.Moment.init))
        link.dataLength.octets.take(habits.dataLength.map { UInt16(clamping: min(max(27, $0), 251)) })
        link.dataLength.microseconds.take(habits.dataLengthTime.map { UInt16(clamping: min(max(328, $0), 17040)) })
        start.defaultDataLength = link.dataLength
        link.dataLengthMoment.take(habits.dataLengthMoment.map(LinkProcedures.Moment.init))
        link.phys.take(habits.phys.map(LEPHYSet.init))
        link.phyMoment.take(habits.phyMoment.map(LinkProcedures.Moment.init))
        link.versionMoment.take(habits.versionMoment.map(LinkProcedures.Moment.init))
        link.featuresMoment.take(habits.featuresMoment.map(LinkProcedures.Moment.init))
        link.encryptsAtOnce.take(habits.encryptsAtOnce)
        if let greeting = habits.greeting {
            link.greetingChannel = greeting.channel
            link.greeting = greeting.bytes.isEmpty ? nil : Array(greeting.bytes.prefix(19))
        }
        access.connector.phases.atConnect.take(habits.connection)
        if let settled = habits.settledConnection { access.connector.phases.settled = settled }
    }

    private mutating func takeScans(_ habits: BluetoothHabits) {
        if let scan = habits.connectionScan {
            (access.connector.scanInterval, access.connector.scanWindow) = scan.units
        }
        if let scan = habits.scan {
            (foregroundScan.interval, foregroundScan.window) = scan.units
            foregroundScan.isActive = scan.isActive
        }
        access.addresses.isPrivate.take(habits.hasPrivateAddress)
        access.addresses.rotation.take(habits.addressLifetime.map { max(.seconds(1), $0) })
    }

    private mutating func takeSecurity(_ habits: BluetoothHabits) {
        security.unpaired.take(habits.pairsOnSecurityRequest.map { $0 ? .pair : .ignore })
        guard let pairing = habits.pairing else { return }
        self.pairing.capability = pairing.capability
        self.pairing.bonds = pairing.bonds
        self.pairing.asksForAuthentication = pairing.authenticates
        self.pairing.supportsSecureConnections = pairing.isSecure
        self.pairing.supportsKeypress = pairing.tellsKeypresses
        self.pairing.supportsCT2 = pairing.supportsH7
        self.pairing.maximumKeySize = pairing.keySize
        self.pairing.initiatorKeys = KeyDistribution(pairing.givenKeys)
        self.pairing.responderKeys = KeyDistribution(pairing.wantedKeys)
    }

    private mutating func takeAttributes(_ habits: BluetoothHabits) {
        attributeClient.offeredMTU = link.mtu
        attributeServer.offeredMTU = link.mtu
        gattClient.habits.serviceSearch.take(habits.serviceSearch.map { $0 == .all ? .readsAll : .findsByUUID })
        gattClient.habits.continuesAfterValue.take(habits.continuesAfterValue)
        switch habits.subscribesToServiceChanged {
        case .never: gattClient.subscribesToServiceChanged = .never
        case .whenBonded: gattClient.subscribesToServiceChanged = .whenBonded
        case .always: gattClient.subscribesToServiceChanged = .always
        case nil: break
        }
    }
}

extension LinkProcedures.Moment {
    fileprivate init(_ moment: BluetoothHabits.Moment) {
        self =
            switch moment {
            case .never: .never
            case .connected: .connected
            case .encrypted: .encrypted
            }
    }
}

extension LEPHYSet {
    fileprivate init(_ phys: Set<BluetoothHabits.PHY>) {
        self = []
        if phys.contains(.oneMegabit) { insert(.oneMegabit) }
        if phys.contains(.twoMegabit) { insert(.twoMegabit) }
        if phys.contains(.coded) { insert(.coded) }
    }
}

extension KeyDistribution {
    fileprivate init(_ keys: Set<PairingHabits.Key>) {
        self = []
        if keys.contains(.encryption) { insert(.encryption) }
        if keys.contains(.identity) { insert(.identity) }
        if keys.contains(.signing) { insert(.signing) }
        if keys.contains(.link) { insert(.link) }
    }
}

extension BluetoothHabits.Scan {
    /// In units of 0.625 ms, 4 to 16384.
    fileprivate var units: (interval: UInt16, window: UInt16) {
        func units(_ milliseconds: Double) -> UInt16 {
            UInt16(min(max(4, (milliseconds.isFinite ? milliseconds : 0) / 0.625), 16384))
        }
        return (units(interval), min(units(window), units(interval)))
    }
}

/// Takes a value unless it is nil.
extension Equatable {
    fileprivate mutating func take(_ value: Self?) { if let value { self = value } }
}

import RadioModel

/// Subscribes to Service Changed: finds the GATT service, its characteristics and their descriptors as far as they are
/// not known.
///
/// A server without Service Changed is a success: its services never change.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 7.1.
struct ServiceChangedSubscribing: GATTProcedure {
    static let service = BluetoothUUID(short: 0x1801)
    private let habits: GATTHabits
    /// The procedure that sends the requests now.
    private var part: any GATTProcedure
    private(set) var findings: [GATTFinding] = []

    /// - Parameters:
    ///   - service: The GATT service; nil for its search.
    ///   - characteristic: Service Changed; nil for its discovery.
    init(
        in service: DiscoveredService?, characteristic: DiscoveredCharacteristic? = nil, _ habits: GATTHabits
    ) {
        var all = habits
        all.endsWithWantedCharacteristics = false
        self.habits = all
        if let characteristic {
            part = Subscribing(to: characteristic, isOn: true, all)
        } else if let service {
            part = CharacteristicDiscovery(of: service, all)
        } else {
            part = ServiceSearch([ServiceChangedSubscribing.service], all)
        }
    }

    mutating func start(mtu: Int) -> GATTStep { next(after: part.start(mtu: mtu), mtu: mtu) }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        next(after: part.take(answer, mtu: mtu), mtu: mtu)
    }

    private mutating func next(after step: GATTStep, mtu: Int) -> GATTStep {
        guard case .done(let result) = step else { return step }
        findings += part.findings
        switch result {
        case .services(let services):
            guard let service = services.first else { return .done(.done) }
            part = CharacteristicDiscovery(of: service, habits)
        case .characteristics(let characteristics):
            guard let changed = characteristics.first(where: { $0.uuid == AttributeType.serviceChanged }) else {
                return .done(.done)
            }
            part = Subscribing(to: changed, isOn: true, habits)
        case .done:
            findings.append(.subscribedToServiceChanged)
            return step
        default: return step
        }
        return start(mtu: mtu)
    }
}

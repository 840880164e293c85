import RadioModel

/// Writes the Client Characteristic Configuration of a characteristic, after the discovery of its descriptors if they
/// are not known.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 3.3.3.3 and 4.12.3.
struct Subscribing: GATTProcedure {
    private let characteristic: DiscoveredCharacteristic
    private let isOn: Bool
    private let habits: GATTHabits
    private let context: String
    private var discovery: DescriptorDiscovery?

    /// - Parameter endsAtDeclaration: Whether the end of the characteristic is not known.
    init(
        to characteristic: DiscoveredCharacteristic, isOn: Bool, endsAtDeclaration: Bool = false, _ habits: GATTHabits
    ) {
        self.characteristic = characteristic
        self.isOn = isOn
        self.habits = habits
        context = "\(isOn ? "subscribing to" : "unsubscribing from") \(characteristic.uuid.namedText)"
        guard characteristic.descriptors == nil else { return }
        discovery = DescriptorDiscovery(of: characteristic, endsAtDeclaration: endsAtDeclaration, habits)
    }

    var findings: [GATTFinding] { discovery?.findings ?? [] }

    mutating func start(mtu: Int) -> GATTStep {
        guard wanted != nil else {
            return .failed(.unsupported("\(characteristic.uuid.namedText) neither notifies nor indicates"))
        }
        if let step = discovery?.start(mtu: mtu) { return afterDiscovery(step) }
        return write(characteristic.descriptors ?? [])
    }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        if discovery?.findings.isEmpty == true, let step = discovery?.take(answer, mtu: mtu) {
            return afterDiscovery(step)
        }
        switch answer {
        case .success(.writeResponse): return .done(.done)
        case .success(let pdu): return .failed(.unexpected(pdu, for: context))
        case .failure(let failure): return .failed(failure)
        }
    }

    /// The value to write; nil if the properties permit none.
    private var wanted: ClientConfiguration? {
        let (notifies, indicates) =
            (characteristic.properties.contains(.notify), characteristic.properties.contains(.indicate))
        guard notifies || indicates else { return nil }
        guard isOn else { return [] }
        return indicates && (habits.prefersIndications || !notifies) ? .indicates : .notifies
    }

    private func afterDiscovery(_ step: GATTStep) -> GATTStep {
        guard case .done(.descriptors(let descriptors)) = step else { return step }
        return write(descriptors)
    }

    private func write(_ descriptors: [GATTDescriptor]) -> GATTStep {
        guard let wanted, let descriptor = descriptors.first(where: { $0.uuid == AttributeType.clientConfiguration })
        else { return .failed(.noClientConfiguration(handle: characteristic.handle)) }
        return .request(.writeRequest(handle: descriptor.id.handle, value: wanted.bytes), for: context)
    }
}

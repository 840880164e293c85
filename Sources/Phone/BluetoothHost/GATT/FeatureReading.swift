import RadioModel

/// A value of the GATT service that describes the server. Nothing shows that an iPhone reads one.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 7.
package enum GATTFeature: Sendable, Hashable, CaseIterable {
    case clientFeatures
    case serverFeatures
    case databaseHash

    /// Source: Assigned Numbers, 3.8.1.
    package var uuid: BluetoothUUID {
        switch self {
        case .clientFeatures: BluetoothUUID(short: 0x2B29)
        case .serverFeatures: BluetoothUUID(short: 0x2B3A)
        case .databaseHash: AttributeType.databaseHash
        }
    }

    /// The permitted lengths of the value, in bytes.
    var lengths: ClosedRange<Int> { self == .databaseHash ? 16...16 : 1...512 }
}

/// Reads Client Supported Features, Server Supported Features or the Database Hash.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 7.2 to 7.4; 2.5.2.1 for Read Using Characteristic UUID.
struct FeatureReading: GATTProcedure {
    private let feature: GATTFeature
    private var reading: TypedReading

    init(_ feature: GATTFeature, _ habits: GATTHabits) {
        self.feature = feature
        reading = TypedReading(feature.uuid, habits)
    }

    mutating func start(mtu: Int) -> GATTStep { reading.start(mtu: mtu) }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        let step = reading.take(answer, mtu: mtu)
        guard case .done(.values(let values)) = step else { return step }
        let name = feature.uuid.namedText
        guard values.count == 1, let value = values.first else {
            return .failed(.broken("\(values.count) values of \(name); 1 is due"))
        }
        guard feature.lengths.contains(value.value.count) else {
            let place = "\(name) at handle \(HandleRange.text(value.handle))"
            return .failed(.broken("\(place) has \(value.value.count) bytes"))
        }
        return step
    }
}

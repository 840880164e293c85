import FoundationEssentials
import HILBlueZ
import PeripheralModel
import RadioModel

/// The services of an accessory as data, and the values that it keeps.
struct PeripheralValues {
    /// The longest value of an attribute in bytes; Core Specification 6.0, Vol 3, Part F, 3.2.9.
    static let longestValue = 512

    let services: [PeripheralService]
    private var values: [AttributePlace: Data] = [:]

    /// - Throws: `invalid` for a table that no GATT server can have.
    init(_ services: [PeripheralService]) throws(RadioError) {
        self.services = services
        for (number, service) in services.enumerated() {
            guard service.included.allSatisfy({ services.indices.contains($0) && $0 != number }) else {
                throw .invalid("the service \(service.uuid) includes an unknown service")
            }
            for (index, characteristic) in service.characteristics.enumerated() {
                let place = AttributePlace(service: number, characteristic: index)
                try keep(characteristic.value, at: place)
                if let schedule = characteristic.schedule {
                    guard schedule.milliseconds > 0, !schedule.values.isEmpty else {
                        throw .invalid("the schedule of \(characteristic.uuid) needs a time and a value")
                    }
                }
                for (index, descriptor) in characteristic.descriptors.enumerated() {
                    try keep(
                        descriptor.value,
                        at: AttributePlace(
                            service: place.service, characteristic: place.characteristic, descriptor: index))
                }
            }
        }
    }

    /// The kept value.
    ///
    /// - Throws: `invalid` for a place without an attribute.
    func value(at place: AttributePlace) throws(RadioError) -> Data {
        guard let value = values[place] else { throw .invalid("the accessory has no attribute at \(place)") }
        return value
    }

    /// Changes the kept value.
    ///
    /// - Throws: `invalid` for a place without an attribute, or more than 512 bytes.
    mutating func set(_ value: Data, at place: AttributePlace) throws(RadioError) {
        _ = try self.value(at: place)
        try keep(value, at: place)
    }

    private mutating func keep(_ value: Data, at place: AttributePlace) throws(RadioError) {
        guard value.count <= Self.longestValue else {
            throw .invalid("a value has at most \(Self.longestValue) bytes, not \(value.count)")
        }
        values[place] = value
    }

    /// The whole value after a phone wrote a part of it.
    func value(at place: AttributePlace, writing part: Data, at offset: Int) -> Result<
        Data, AttributeErrorCode.Refusal
    > {
        guard offset > 0 else {
            return part.count <= Self.longestValue ? .success(part) : .failure(.init(.invalidLength))
        }
        guard let value = values[place], offset <= value.count else { return .failure(.init(.invalidOffset)) }
        let whole = value.prefix(offset) + part
        return whole.count <= Self.longestValue ? .success(Data(whole)) : .failure(.init(.invalidLength))
    }

    func answering(at place: AttributePlace) -> PeripheralAnswering {
        guard let characteristic = characteristic(at: place) else { return PeripheralAnswering() }
        guard let descriptor = place.descriptor else { return characteristic.answering }
        return characteristic.descriptors[descriptor].answering
    }

    func characteristic(at place: AttributePlace) -> PeripheralCharacteristic? {
        guard values[place] != nil else { return nil }
        return services[place.service].characteristics[place.characteristic]
    }

    /// The services as the agent offers them.
    var local: [LocalService] {
        services.map { service in
            LocalService(
                uuid: service.uuid, isPrimary: service.isPrimary, included: service.included,
                characteristics: service.characteristics.map { characteristic in
                    LocalCharacteristic(
                        uuid: characteristic.uuid, properties: characteristic.properties,
                        reading: characteristic.reading, writing: characteristic.writing,
                        notifying: characteristic.notifying,
                        descriptors: characteristic.descriptors.map { descriptor in
                            LocalDescriptor(
                                uuid: descriptor.uuid, isReadable: descriptor.isReadable,
                                isWritable: descriptor.isWritable, protection: descriptor.protection)
                        })
                })
        }
    }
}

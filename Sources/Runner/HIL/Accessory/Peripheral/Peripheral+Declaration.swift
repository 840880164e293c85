import Foundation
import PeripheralModel
import RadioModel

extension Peripheral {
    /// The declaration for the board.
    ///
    /// - Throws: `invalid` for a text that is not a UUID, or an unknown included service.
    func declaration() throws(RadioError) -> PeripheralDeclaration {
        var declared: [PeripheralService] = []
        for service in services { declared.append(try self.declared(service)) }
        var advertising = advertising
        if advertising == nil {
            let first = declared.first { $0.isPrimary }?.uuid
            advertising = PeripheralAdvertising(name: name, serviceUUIDs: first.map { [$0] } ?? [])
        }
        var declaration = PeripheralDeclaration(
            advertising: advertising, services: declared, pairing: pairing, hasPrivateAddress: hasPrivateAddress,
            classicPort: classicPort, networks: networks,
            channels: channels.map {
                PeripheralChannel(port: $0.port, protection: $0.protection, echoes: $0.echoes)
            }, name: linkName ?? advertising?.name ?? name,
            connectionParameters: connectionInterval.map { ConnectionParameters(milliseconds: $0) }, ports: ports,
            usesPhone: usesPhone, bonjour: bonjour, bands: bands)
        declaration.reports = reports
        return declaration
    }

    private func declared(_ service: Service) throws(RadioError) -> PeripheralService {
        var included: [Int] = []
        for text in service.included {
            let uuid = try Self.uuid(text)
            guard let index = services.firstIndex(where: { BluetoothUUID($0.uuid) == uuid }) else {
                throw .invalid("the service \(service.uuid) includes \(text), which the accessory does not have")
            }
            included.append(index)
        }
        var characteristics: [PeripheralCharacteristic] = []
        for characteristic in service.characteristics { characteristics.append(try Self.declared(characteristic)) }
        return PeripheralService(
            uuid: try Self.uuid(service.uuid), isPrimary: service.isPrimary, included: included,
            characteristics: characteristics)
    }

    private static func declared(_ characteristic: Characteristic) throws(RadioError) -> PeripheralCharacteristic {
        var descriptors: [PeripheralDescriptor] = []
        for descriptor in characteristic.descriptors {
            descriptors.append(
                PeripheralDescriptor(
                    uuid: try uuid(descriptor.uuid), value: Data(descriptor.value), isWritable: descriptor.isWritable,
                    protection: descriptor.protection))
        }
        return PeripheralCharacteristic(
            uuid: try uuid(characteristic.uuid), properties: characteristic.properties,
            reading: characteristic.reading, writing: characteristic.writing, notifying: characteristic.notifying,
            value: Data(characteristic.value),
            answering: PeripheralAnswering(
                reads: characteristic.onRead != nil, writes: characteristic.onWrite != nil),
            schedule: characteristic.schedule, descriptors: descriptors)
    }

    static func uuid(_ text: String) throws(RadioError) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else {
            throw .invalid("“\(text)” is not a Bluetooth UUID: write 4, 8 or 36 characters")
        }
        return uuid
    }
}

extension [Peripheral.Service] {
    /// The place of a characteristic.
    ///
    /// - Parameters:
    ///   - service: The UUID of its service; nil for any.
    ///   - number: Which of those with this UUID, counted from 1.
    func place(of text: String, in service: String?, number: Int) throws(RadioError) -> AttributePlace {
        let uuid = try Peripheral.uuid(text)
        var wanted: BluetoothUUID?
        if let service { wanted = try Peripheral.uuid(service) }
        var count = 0
        for (place, service) in enumerated() where wanted == nil || BluetoothUUID(service.uuid) == wanted {
            for (index, characteristic) in service.characteristics.enumerated()
            where BluetoothUUID(characteristic.uuid) == uuid {
                count += 1
                if count == number { return AttributePlace(service: place, characteristic: index) }
            }
        }
        throw .invalid("the accessory has no characteristic \(text)\(number > 1 ? " with the number \(number)" : "")")
    }

    /// The attribute at a place, with its UUID: `colour (4C410002)`.
    func name(of place: AttributePlace) -> String {
        guard indices.contains(place.service),
            self[place.service].characteristics.indices.contains(place.characteristic)
        else { return "an attribute" }
        let characteristic = self[place.service].characteristics[place.characteristic]
        let name = BluetoothUUID(characteristic.uuid)?.namedText ?? characteristic.uuid
        return place.descriptor == nil ? name : "a descriptor of \(name)"
    }
}

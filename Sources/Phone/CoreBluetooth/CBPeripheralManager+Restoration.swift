import Foundation
import HILPhone
import PeripheralModel
import RadioModel

/// The objects of what an app had published when the system ended it (L7).
struct RestoredObjects {
    let services: [CBMutableService]
    /// For ``CBPeripheralManagerDelegate/peripheralManager(_:willRestoreState:)``.
    let dictionary: [String: Any]

    /// - Parameter central: Makes the object for a device, by its identifier and its ATT MTU in bytes.
    init(_ restored: RestoredPublication, central: (UUID, Int) -> CBCentral) {
        let services = restored.services.map { CBMutableService(restoring: $0) }
        for (service, old) in zip(services, restored.services) where !old.included.isEmpty {
            service.includedServices = old.included.filter(services.indices.contains).map { services[$0] }
        }
        for (place, subscribers) in restored.subscribed where services.indices.contains(place.service) {
            let characteristics = services[place.service].characteristics ?? []
            guard characteristics.indices.contains(place.characteristic) else { continue }
            guard let characteristic = characteristics[place.characteristic] as? CBMutableCharacteristic else {
                continue
            }
            for (device, mtu) in subscribers.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
                characteristic.setSubscribed(central(device, mtu), true)
            }
        }
        var dictionary: [String: Any] = [CBPeripheralManagerRestoredStateServicesKey: services]
        if let advertising = restored.advertising {
            var data: [String: Any] = [CBAdvertisementDataServiceUUIDsKey: advertising.serviceUUIDs.map { CBUUID($0) }]
            if !advertising.name.isEmpty { data[CBAdvertisementDataLocalNameKey] = advertising.name }
            dictionary[CBPeripheralManagerRestoredStateAdvertisementDataKey] = data
        }
        (self.services, self.dictionary) = (services, dictionary)
    }
}

extension CBMutableService {
    fileprivate convenience init(restoring old: PeripheralService) {
        self.init(type: CBUUID(old.uuid), primary: old.isPrimary)
        characteristics = old.characteristics.map { CBMutableCharacteristic(restoring: $0) }
    }
}

extension CBMutableCharacteristic {
    fileprivate convenience init(restoring old: PeripheralCharacteristic) {
        var properties = CBCharacteristicProperties(rawValue: UInt(old.properties.rawValue))
        if old.notifying == .encrypted { properties.insert(.notifyEncryptionRequired) }
        var permissions: CBAttributePermissions = []
        if old.properties.contains(.read) {
            permissions.insert(old.reading == .encrypted ? .readEncryptionRequired : .readable)
        }
        if !old.properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
            permissions.insert(old.writing == .encrypted ? .writeEncryptionRequired : .writeable)
        }
        // Only a value that never changes belongs to the phone.
        self.init(
            type: CBUUID(old.uuid), properties: properties, value: old.answering.reads ? nil : old.value,
            permissions: permissions)
        descriptors = old.descriptors.map { descriptor in
            let isText = descriptor.uuid == BluetoothUUID("2901")
            return CBMutableDescriptor(
                type: CBUUID(descriptor.uuid),
                value: isText ? String(decoding: descriptor.value, as: UTF8.self) : descriptor.value)
        }
        publish()
    }
}

import Foundation
import HILBluetoothHost
import HostRadio
import RadioModel

// The services of devices: the stack's table of each link answers what is known already.
extension PhoneRadio {
    /// How often one discovery of services begins anew because they have changed meanwhile. Assumed.
    private static let mostRestarts = 8

    package func discoverServices(
        _ wanted: [BluetoothUUID]?, of device: DeviceAddress
    ) async throws -> [GATTService] {
        for rest in (0...PhoneRadio.mostRestarts).reversed() {
            do { return try await findServices(wanted, of: device) } catch let failure as StackFailure {
                if case .gatt(.servicesChanged) = failure, rest > 0 { continue }
                throw RadioError(failure)
            }
        }
        throw PhoneRadio.surprise
    }

    private func findServices(_ wanted: [BluetoothUUID]?, of device: DeviceAddress) async throws -> [GATTService] {
        let answer = try await driver.perform(.gatt(current(device), .discoverServices(wanted)))
        guard case .gatt(.services(let found)) = answer else { throw PhoneRadio.surprise }
        return found.map(\.withoutContents)
    }

    package func discoverIncludedServices(
        ofService service: UInt16, of device: DeviceAddress
    ) async throws -> [GATTService] {
        guard case .included(let found) = try await ask(.discoverIncluded(service: service), of: device) else {
            throw PhoneRadio.surprise
        }
        // An include declaration does not say whether its service is a primary one.
        let primary = found.isEmpty ? [] : Set(try await discoverServices(nil, of: device).map(\.handle))
        return found.map { included in
            GATTService(
                uuid: included.uuid, handle: included.handle, isPrimary: primary.contains(included.handle),
                characteristics: [])
        }
    }

    package func discoverCharacteristics(
        _ wanted: [BluetoothUUID]?, ofService service: UInt16, of device: DeviceAddress
    ) async throws -> [GATTCharacteristic] {
        let action = GATTClient.Action.discoverCharacteristics(service: service, wanted)
        guard case .characteristics(let found) = try await ask(action, of: device) else { throw PhoneRadio.surprise }
        return found.map { characteristic in
            GATTCharacteristic(
                uuid: characteristic.uuid, id: CharacteristicID(handle: characteristic.handle),
                properties: characteristic.properties)
        }
    }

    package func discoverDescriptors(
        of characteristic: CharacteristicID, of device: DeviceAddress
    ) async throws -> [GATTDescriptor] {
        let action = GATTClient.Action.discoverDescriptors(characteristic: characteristic.handle)
        guard case .descriptors(let found) = try await ask(action, of: device) else { throw PhoneRadio.surprise }
        return found
    }

    package func forgetServices(of device: DeviceAddress) async throws {
        let address = current(device)
        await driver.act { stack, _ in stack.forgetServices(of: address) }
    }

    /// An iPhone reads the name so: noble/noble#243.
    package func readName(of device: DeviceAddress) async throws -> Data? {
        let name = GATTClient.Action.readByType(BluetoothUUID(short: 0x2A00), in: .all)
        guard case .values(let values) = try await ask(name, of: device) else { throw PhoneRadio.surprise }
        return values.first.map { Data($0.value) }
    }

    private func ask(_ action: GATTClient.Action, of device: DeviceAddress) async throws -> GATTResult {
        guard case .gatt(let result) = try await perform(.gatt(current(device), action)) else {
            throw PhoneRadio.surprise
        }
        return result
    }
}

extension DiscoveredService {
    fileprivate var withoutContents: GATTService {
        GATTService(uuid: uuid, handle: handle, isPrimary: isPrimary, characteristics: [])
    }
}

import Foundation
import HILBluetoothHost
import PeripheralModel
import RadioModel

/// The phone's published services: where each of their values is in the database of the host stack.
struct PublishedTable: Sendable {
    private struct Entry: Sendable {
        let service: PeripheralService
        let id: ServiceID
    }

    private var entries: [Entry] = []
    private var handles: [AttributePlace: UInt16] = [:]
    private var places: [UInt16: AttributePlace] = [:]
    /// The values of attributes whose reads or writes the app answers: the database does not keep these.
    private var values: [AttributePlace: [UInt8]] = [:]

    func handle(of place: AttributePlace) -> UInt16? { handles[place] }
    func place(of handle: UInt16) -> AttributePlace? { places[handle] }

    /// Replaces the services. Those that stay keep their handles and values. After an error nothing is changed.
    ///
    /// - Returns: The handles of services that came or went; nil if none did.
    mutating func replace(
        with services: [PeripheralService], in database: inout AttributeDatabase
    ) throws(AttributeDatabaseError) -> HandleRange? {
        var (rest, changed) = (entries, database)
        var range: HandleRange?
        func note(_ other: HandleRange?) {
            if let other { range = range?.joined(with: other) ?? other }
        }
        var kept: [Int: Entry] = [:]
        for (number, service) in services.enumerated() where PublishedTable.standsAlone(number, in: services) {
            guard let place = rest.firstIndex(where: { $0.service == service }) else { continue }
            guard PublishedTable.standsAlone(rest[place].id, among: entries) else { continue }
            kept[number] = rest.remove(at: place)
        }
        // A service goes before those that it includes.
        while !rest.isEmpty {
            let place = rest.lastIndex { entry in !rest.contains { includes($0, entry) } } ?? rest.count - 1
            note(try changed.remove(rest.remove(at: place).id))
        }
        let new = services.indices.filter { kept[$0] == nil }
        var ids = kept.mapValues(\.id)
        for (offset, number) in new.enumerated() { ids[number] = ServiceID(changed.nextID.number + offset) }
        note(try changed.add(new.map { services[$0].definition { ids[$0] } }))
        let old = self
        database = changed
        entries = services.indices.compactMap { number in ids[number].map { Entry(service: services[number], id: $0) } }
        number(in: database)
        keepValues(of: old)
        return range
    }

    /// Gives each value its place.
    private mutating func number(in database: AttributeDatabase) {
        (handles, places) = ([:], [:])
        for (number, entry) in entries.enumerated() {
            for (index, found) in (database.service(entry.id)?.characteristics ?? []).enumerated() {
                let place = AttributePlace(service: number, characteristic: index)
                handles[place] = found.id.handle
                let declared = entry.service.characteristics[index].descriptors
                let others = found.descriptors.filter { $0.uuid != AttributeType.clientConfiguration }
                for (index, descriptor) in others.enumerated() where index < declared.count {
                    var place = place
                    place.descriptor = index
                    handles[place] = descriptor.id.handle
                }
            }
        }
        for (place, handle) in handles { places[handle] = place }
    }

    private mutating func keepValues(of old: PublishedTable) {
        values = [:]
        for (place, handle) in handles {
            guard let declared = declared(at: place) else { continue }
            values[place] = old.places[handle].flatMap { old.values[$0] } ?? Array(declared.value)
        }
    }

    private func includes(_ entry: Entry, _ other: Entry) -> Bool {
        entry.service.included.contains { entries.indices.contains($0) && entries[$0].id == other.id }
    }

    /// Whether a service neither includes another one nor is included.
    private static func standsAlone(_ number: Int, in services: [PeripheralService]) -> Bool {
        services[number].included.isEmpty && !services.contains { $0.included.contains(number) }
    }

    private static func standsAlone(_ id: ServiceID, among entries: [Entry]) -> Bool {
        guard let number = entries.firstIndex(where: { $0.id == id }) else { return false }
        return standsAlone(number, in: entries.map(\.service))
    }
}

// Values and who answers.
extension PublishedTable {
    /// What is declared about a value: the first one, and who answers.
    private func declared(at place: AttributePlace) -> (value: Data, answering: PeripheralAnswering)? {
        guard entries.indices.contains(place.service) else { return nil }
        let characteristics = entries[place.service].service.characteristics
        guard characteristics.indices.contains(place.characteristic) else { return nil }
        let characteristic = characteristics[place.characteristic]
        guard let descriptor = place.descriptor else { return (characteristic.value, characteristic.answering) }
        guard characteristic.descriptors.indices.contains(descriptor) else { return nil }
        let found = characteristic.descriptors[descriptor]
        return (found.value, found.answering)
    }

    /// Whether the app answers reads and writes of a value.
    func answering(at place: AttributePlace) -> PeripheralAnswering {
        declared(at: place)?.answering ?? PeripheralAnswering()
    }

    func value(at place: AttributePlace) -> [UInt8]? { values[place] }

    mutating func set(_ value: [UInt8], at place: AttributePlace) {
        if values[place] != nil { values[place] = value }
    }
}

extension PeripheralService {
    /// - Parameter id: The number of the service at a place in the list.
    fileprivate func definition(_ id: (Int) -> ServiceID?) -> ServiceDefinition {
        ServiceDefinition(
            uuid, isPrimary: isPrimary, included: included.compactMap(id),
            characteristics.map { characteristic in
                let kept = AttributeValue.kept(characteristic.value, characteristic.answering)
                return CharacteristicDefinition(
                    characteristic.uuid, characteristic.properties, reading: characteristic.reading,
                    writing: characteristic.writing, notifying: characteristic.notifying, value: kept,
                    descriptors: characteristic.descriptors.map(\.definition))
            })
    }
}

extension PeripheralDescriptor {
    fileprivate var definition: DescriptorDefinition {
        DescriptorDefinition(
            uuid, reading: isReadable ? protection : nil, writing: isWritable ? protection : nil,
            value: .kept(value, answering))
    }
}

extension AttributeValue {
    fileprivate static func kept(_ value: Data, _ answering: PeripheralAnswering) -> AttributeValue {
        answering.reads || answering.writes ? .dynamic : .stored(Array(value))
    }
}

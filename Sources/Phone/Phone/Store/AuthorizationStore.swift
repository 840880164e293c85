import Foundation
import Synchronization

/// Which app may use which accessory. It belongs to the phone, so an app that is launched again has the same
/// accessories (A1).
package final class AuthorizationStore: Sendable {
    private struct State {
        /// By the app's bundle identifier, oldest first.
        var records: [String: [AccessoryRecord]] = [:]
        /// The person's answers to apps that wanted all of Bluetooth, by the app's bundle identifier.
        var bluetooth: [String: Bool] = [:]
        /// The accessories that were removed while their app may not know it yet (C3), by the app's bundle identifier:
        /// CoreBluetooth identifiers, each with the number of `accessoryRemoved` events that are on their way.
        var leaving: [String: [UUID: Int]] = [:]
        var onChange: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())
    private let note: @Sendable (PhoneEvent.Kind) -> Void

    init(record: @escaping @Sendable (PhoneEvent.Kind) -> Void) { note = record }

    /// The accessories of an app, in any state, oldest first.
    ///
    /// - Parameter app: The app's bundle identifier, here and below.
    package func accessories(of app: String) -> [AccessoryRecord] { state.withLock { $0.records[app] ?? [] } }

    /// The accessories that an app may use: authorised, or waiting for the app itself to finish the authorisation (O2).
    package func usableAccessories(of app: String) -> [AccessoryRecord] {
        accessories(of: app).filter { $0.state != .unauthorized }
    }

    /// The app's accessory with this CoreBluetooth identifier.
    package func accessory(bluetoothIdentifier: UUID, of app: String) -> AccessoryRecord? {
        accessories(of: app).first { $0.bluetoothIdentifier == bluetoothIdentifier }
    }

    /// Whether any app has an accessory with this CoreBluetooth identifier.
    package func holds(bluetoothIdentifier: UUID) -> Bool {
        state.withLock { $0.records.values.joined().contains { $0.bluetoothIdentifier == bluetoothIdentifier } }
    }

    /// The app's accessory with this Wi-Fi network.
    package func accessory(ssid: String, of app: String) -> AccessoryRecord? {
        accessories(of: app).first { $0.ssid?.isSameSSID(as: ssid) ?? false }
    }

    /// Whether the person allowed an app to use all of Bluetooth; nil if the app never asked.
    package func mayUseBluetooth(_ app: String) -> Bool? { state.withLock { $0.bluetooth[app] } }

    /// The apps that may not use all of Bluetooth.
    var refusedBluetooth: [String] { state.withLock { $0.bluetooth.filter { !$0.value }.map(\.key).sorted() } }

    func setMayUseBluetooth(_ isAllowed: Bool, for app: String) {
        state.withLock { $0.bluetooth[app] = isAllowed }
        note(.authorization("\(app) may \(isAllowed ? "use" : "not use") Bluetooth"))
    }

    /// Every authorised accessory of every app, with the app's bundle identifier, sorted by that identifier.
    package var everything: [(app: String, record: AccessoryRecord)] {
        state.withLock { state in
            state.records.sorted { $0.key < $1.key }.flatMap { app, records in
                records.filter { $0.state == .authorized }.map { (app, $0) }
            }
        }
    }

    /// The record of another app that has set up the same accessory (K13); nil if no other app has.
    ///
    /// - Parameters:
    ///   - device: The CoreBluetooth identifier of an accessory that was found by Bluetooth.
    ///   - ssid: The network of an accessory that was found by Wi-Fi.
    ///   - app: The bundle identifier of the app that asks.
    package func presentation(device: UUID?, ssid: String?, besides app: String) -> AccessoryRecord? {
        everything.first { other in
            guard other.app != app else { return false }
            if let device { return other.record.bluetoothIdentifier == device }
            return ssid.map { other.record.ssid?.isSameSSID(as: $0) ?? false } ?? false
        }?.record
    }

    /// Adds an accessory, or replaces the one with the same `id`.
    package func set(_ record: AccessoryRecord, for app: String) {
        if let identifier = record.bluetoothIdentifier { state.withLock { $0.leaving[app]?[identifier] = nil } }
        change(app, "\(app) has “\(record.displayName)”, \(record.state)") { records in
            if let index = records.firstIndex(where: { $0.id == record.id }) {
                records[index] = record
            } else {
                records.append(record)
            }
        }
    }

    /// Removes an accessory from an app. Does nothing if the app does not have it.
    package func remove(_ id: UUID, from app: String) {
        guard let record = accessories(of: app).first(where: { $0.id == id }) else { return }
        if let identifier = record.bluetoothIdentifier {
            state.withLock { $0.leaving[app, default: [:]][identifier] = 0 }
        }
        change(app, "\(app) no longer has “\(record.displayName)”") { $0.removeAll { $0.id == id } }
    }

    /// Changes an accessory as it is now, which may differ from what an app or a screen knows of it.
    ///
    /// - Returns: The changed record; nil if the app no longer has the accessory.
    func update(_ id: UUID, of app: String, _ body: (inout AccessoryRecord) -> Void) -> AccessoryRecord? {
        let (record, tell): (AccessoryRecord?, (@Sendable (String) -> Void)?) = state.withLock { state in
            var records = state.records[app] ?? []
            guard let index = records.firstIndex(where: { $0.id == id }) else { return (nil, nil) }
            body(&records[index])
            state.records[app] = records
            return (records[index], state.onChange)
        }
        guard let record else { return nil }
        note(.authorization("\(app) has “\(record.displayName)”, \(record.state)"))
        tell?(app)
        return record
    }

    // MARK: Removed accessories whose app does not know it yet

    /// Whether an accessory was removed from an app that has not handled `accessoryRemoved` yet (C3).
    package func isLeaving(_ identifier: UUID, from app: String) -> Bool {
        state.withLock { $0.leaving[app]?[identifier] != nil }
    }

    /// Notes that one of the app's sessions will get `accessoryRemoved`.
    func willTellRemoval(of identifier: UUID, to app: String) {
        state.withLock { state in
            if let count = state.leaving[app]?[identifier] { state.leaving[app]?[identifier] = count + 1 }
        }
    }

    /// Notes that a session of the app has handled `accessoryRemoved`. After the last one the app knows it.
    func didTellRemoval(of identifier: UUID, to app: String) {
        state.withLock { state in
            guard let count = state.leaving[app]?[identifier] else { return }
            state.leaving[app]?[identifier] = count > 1 ? count - 1 : nil
        }
    }

    /// Notes that an app has ended: at its next launch it finds what it has in its session.
    func ended(_ app: String) { state.withLock { $0.leaving[app] = nil } }

    /// Forgets the person's answer to an app that was deleted (L6).
    func deleted(_ app: String) { state.withLock { $0.bluetooth[app] = nil } }

    private func change(_ app: String, _ what: String, _ body: (inout [AccessoryRecord]) -> Void) {
        let tell = state.withLock { state in
            body(&state.records[app, default: []])
            return state.onChange
        }
        note(.authorization(what))
        tell?(app)
    }

    func onChange(_ body: @escaping @Sendable (String) -> Void) { state.withLock { $0.onChange = body } }
}

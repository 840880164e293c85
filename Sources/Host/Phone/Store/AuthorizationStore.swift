import Foundation
import Synchronization

/// Which app may speak to which accessory. Belongs to the phone: an app that is launched again finds what it had (A1).
public final class AuthorizationStore: Sendable {
    private struct State {
        /// By the app's bundle identifier, oldest first.
        var records: [String: [AccessoryRecord]] = [:]
        /// The person's answer to an app that wanted all of Bluetooth, by the app's bundle identifier.
        var bluetooth: [String: Bool] = [:]
        var onChange: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())
    private let note: @Sendable (PhoneEvent.Kind) -> Void

    init(record: @escaping @Sendable (PhoneEvent.Kind) -> Void) { note = record }

    /// The accessories of the app of this bundle identifier, in any state, oldest first.
    public func accessories(of app: String) -> [AccessoryRecord] { state.withLock { $0.records[app] ?? [] } }

    /// Those of them that the app may use: authorised, or waiting for the app itself to finish the authorisation (O2).
    public func usableAccessories(of app: String) -> [AccessoryRecord] {
        accessories(of: app).filter { $0.state != .unauthorized }
    }

    /// The app's accessory of that CoreBluetooth identifier.
    public func accessory(bluetoothIdentifier: UUID, of app: String) -> AccessoryRecord? {
        accessories(of: app).first { $0.bluetoothIdentifier == bluetoothIdentifier }
    }

    /// Whether any app has an accessory of that CoreBluetooth identifier.
    public func holds(bluetoothIdentifier: UUID) -> Bool {
        state.withLock { $0.records.values.joined().contains { $0.bluetoothIdentifier == bluetoothIdentifier } }
    }

    /// The app's accessory of that network.
    public func accessory(ssid: String, of app: String) -> AccessoryRecord? {
        accessories(of: app).first { $0.ssid?.isSameSSID(as: ssid) ?? false }
    }

    /// Whether the person let an app use all of Bluetooth; nil if it never asked.
    public func mayUseBluetooth(_ app: String) -> Bool? { state.withLock { $0.bluetooth[app] } }

    func setMayUseBluetooth(_ isAllowed: Bool, for app: String) {
        state.withLock { $0.bluetooth[app] = isAllowed }
        note(.authorization("\(app) may \(isAllowed ? "use" : "not use") Bluetooth"))
    }

    /// Every authorised accessory of every app, with the app's bundle identifier; apps in the order of their names.
    public var everything: [(app: String, record: AccessoryRecord)] {
        state.withLock { state in
            state.records.sorted { $0.key < $1.key }.flatMap { app, records in
                records.filter { $0.state == .authorized }.map { (app, $0) }
            }
        }
    }

    /// How another app set the same accessory up first (K13); nil if none did.
    ///
    /// - Parameters:
    ///   - device: Its CoreBluetooth identifier, for an accessory found by Bluetooth.
    ///   - ssid: Its network, for one found by Wi-Fi.
    public func presentation(device: UUID?, ssid: String?, besides app: String) -> AccessoryRecord? {
        everything.first { other in
            guard other.app != app else { return false }
            if let device { return other.record.bluetoothIdentifier == device }
            return ssid.map { other.record.ssid?.isSameSSID(as: $0) ?? false } ?? false
        }?.record
    }

    /// Adds an accessory, or changes the one of the same `id`.
    public func set(_ record: AccessoryRecord, for app: String) {
        change(app, "\(app) has “\(record.displayName)”, \(record.state)") { records in
            if let index = records.firstIndex(where: { $0.id == record.id }) {
                records[index] = record
            } else {
                records.append(record)
            }
        }
    }

    /// Takes an accessory away; nothing if the app does not have it.
    public func remove(_ id: UUID, from app: String) {
        guard let record = accessories(of: app).first(where: { $0.id == id }) else { return }
        change(app, "\(app) no longer has “\(record.displayName)”") { $0.removeAll { $0.id == id } }
    }

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

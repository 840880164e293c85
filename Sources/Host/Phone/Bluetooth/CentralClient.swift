import Foundation
import RadioModel

/// One central manager's hold on the phone's Bluetooth.
public final class CentralClient: Sendable {
    /// The app that the central manager belongs to.
    public let app: RunningApp
    let id: CentralCore.ClientID
    private let phone: Phone
    private let bluetooth: PhoneBluetooth
    /// The accessory of the extension that it belongs to.
    private let host = Phone.hostedAccessory

    init(id: CentralCore.ClientID, app: RunningApp, phone: Phone, bluetooth: PhoneBluetooth) {
        self.id = id
        self.app = app
        self.phone = phone
        self.bluetooth = bluetooth
    }

    /// Begins to tell events, in order, one at a time; the first is whether Bluetooth can be used.
    ///
    /// - Parameter tell: Must return at once and must not ask Bluetooth for anything.
    public func start(_ tell: @escaping @Sendable (CentralEvent) -> Void) { bluetooth.start(id, tell) }

    /// Ends the central manager's scan and connections; it is told nothing more. What an app left that the system ended is
    /// the next app's.
    public func stop() { if app.isRunning { bluetooth.stop(id) } }

    /// Whether it is being told events.
    public var isStarted: Bool { app.isRunning && bluetooth.isStarted(id) }

    /// Asks for something. Requests are taken in the order of these calls; answers come as events.
    public func submit(_ request: CentralRequest) {
        guard app.isRunning else { return }
        if case .connect(let peripheral, _) = request, bluetooth.permission(of: app) == .notNeeded,
            bluetooth.allowed(to: app.bundle.identifier)[peripheral] == nil
        {
            phone.warn(of: .connectedAfterRemoval(peripheral))
        }
        bluetooth.submit(request, from: id)
    }

    /// The peripherals with these identifiers; one that the app is not authorised for ends the app (C3). An app that may use
    /// all of Bluetooth gets those that the phone knows.
    public func retrieve(_ identifiers: [UUID]) -> [KnownPeripheral] {
        if bluetooth.permission(of: app) == .given {
            return identifiers.filter { phone.identifiers.address(of: $0) != nil }
                .map { KnownPeripheral(identifier: $0, name: bluetooth.heardName(of: $0)) }
        }
        let allowed = bluetooth.allowed(to: app.bundle.identifier)
        return identifiers.map { identifier in
            guard let name = allowed[identifier] else {
                AppCrash.crash(
                    "C3",
                    "retrievePeripherals(withIdentifiers:) was given \(identifier), which is no accessory of "
                        + "\(app.bundle.identifier): use the bluetoothIdentifier of an ASAccessory of this app")
            }
            return KnownPeripheral(identifier: identifier, name: bluetooth.heardName(of: identifier) ?? name)
        }
    }

    /// The peripherals that are connected to the phone, by whichever app, that this app may use, and that offer one of the
    /// services.
    public func connected(offering services: Set<BluetoothUUID>) -> [KnownPeripheral] {
        bluetooth.connected(offering: services, for: id)
    }

    /// Notes what iOS would log as a misuse of the framework; it is not done, and the app goes on.
    public func misuse(_ what: String) {
        phone.record(.warning(rule: "CoreBluetooth", "API MISUSE: \(what)"))
    }

    /// Calls into the app on its queue, unless it has ended.
    public func deliver(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        phone.deliver(to: app, on: queue, hostedFor: host, body)
    }
}

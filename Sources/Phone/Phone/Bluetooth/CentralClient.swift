import Foundation
import RadioModel

/// One central manager's connection to the phone's Bluetooth.
package final class CentralClient: Sendable {
    /// The app that the central manager belongs to.
    package let app: RunningApp
    let id: CentralCore.ClientID
    private let phone: Phone
    private let bluetooth: PhoneBluetooth
    /// The extension that the central manager belongs to; nil if it belongs to the app itself.
    private let host = Phone.host
    /// The watch of the extension's end.
    private let end: LinkWatch?

    init(id: CentralCore.ClientID, app: RunningApp, phone: Phone, bluetooth: PhoneBluetooth) {
        self.id = id
        self.app = app
        self.phone = phone
        self.bluetooth = bluetooth
        end = host?.whenEnded { [weak bluetooth] in bluetooth?.hostEnded(id) }
    }

    /// Whether the code that the central manager belongs to runs: its app, and its extension if it belongs to one.
    private var isRunning: Bool { app.isRunning && host?.isRunning ?? true }

    /// Starts the delivery of events, in order, one at a time. The first one says whether Bluetooth can be used.
    ///
    /// - Parameter tell: Called with each event. It must return at once and must not call the phone's Bluetooth.
    package func start(_ tell: @escaping @Sendable (CentralEvent) -> Void) {
        bluetooth.start(id) { [weak phone, identifier = app.bundle.identifier] event in
            phone?.noteTold(identifier, event)
            tell(event)
        }
    }

    /// Ends the central manager's scan and connections, and the delivery of events.
    ///
    /// Does nothing if the app or the extension has ended: if the system ended it, its next run takes over its
    /// connections.
    package func stop() { if isRunning { bluetooth.stop(id) } }

    /// Whether the central manager receives events.
    package var isStarted: Bool { isRunning && bluetooth.isStarted(id) }

    /// Submits a request. Requests are handled in the order of these calls; answers arrive as events.
    ///
    /// A request of a suspended app is handled when the app is awake again.
    package func submit(_ request: CentralRequest) {
        guard host == nil else { return submitNow(request) }
        app.whenAwake { self.submitNow(request) }
    }

    private func submitNow(_ request: CentralRequest) {
        guard isRunning else { return noteUseAfterEnd() }
        if case .connect(let peripheral, _) = request, bluetooth.permission(of: app) == .notNeeded,
            bluetooth.allowed(to: app.bundle.identifier)[peripheral] == nil
        {
            phone.warn(of: .connectedAfterRemoval(peripheral))
        }
        bluetooth.submit(request, from: id)
        if case .gatt(_, .write) = request { host?.reached(.write(1)) }
    }

    /// An extension's objects that outlive its process exist only here: on a phone, they end with it.
    private func noteUseAfterEnd() {
        guard app.isRunning, let host, host.noteUseAfterEnd() else { return }
        phone.record(
            .note(
                "extensions",
                "\(host.which) used a central manager of its process that has ended, to no effect: on a phone, global "
                    + "and static objects end with the process, too"))
    }

    /// Submits a request later, if it still holds then.
    package func submit(
        _ request: CentralRequest, after delay: Duration, if isWanted: @escaping @Sendable () -> Bool
    ) {
        Task { [phone] in
            guard (try? await phone.clock.sleep(for: delay)) != nil, isWanted() else { return }
            submitNow(request)
        }
    }

    /// The peripherals with these identifiers. An identifier that the app is not authorised for crashes the app (C3).
    /// That of an accessory whose removal the app cannot know yet gives nothing.
    ///
    /// An app that may use all of Bluetooth gets those that the phone knows.
    package func retrieve(_ identifiers: [UUID]) -> [KnownPeripheral] {
        if bluetooth.permission(of: app) == .given {
            return identifiers.filter { phone.identifiers.address(of: $0) != nil }
                .map { KnownPeripheral(identifier: $0, name: bluetooth.heardName(of: $0)) }
        }
        let allowed = bluetooth.allowed(to: app.bundle.identifier)
        return identifiers.compactMap { identifier in
            guard let name = allowed[identifier] else {
                guard !phone.store.isLeaving(identifier, from: app.bundle.identifier) else { return nil }
                AppCrash.crash(
                    "C3",
                    "retrievePeripherals(withIdentifiers:) was given \(identifier), which is not an accessory of "
                        + "\(app.bundle.identifier): use the bluetoothIdentifier of an ASAccessory of this app")
            }
            return KnownPeripheral(identifier: identifier, name: bluetooth.heardName(of: identifier) ?? name)
        }
    }

    /// The connected peripherals that this app may use and that offer one of the services, whichever app connected
    /// them.
    package func connected(offering services: Set<BluetoothUUID>) -> [KnownPeripheral] {
        bluetooth.connected(offering: services, for: id)
    }

    /// Whether the phone has Apple Notification Center Service.
    package var hasNotificationService: Bool { phone.part(PhonePeripheral.self).hasNotificationService }

    /// Whether the person lets a peripheral have the phone's notifications by Apple Notification Center Service (C23).
    package func sharesNotifications(with peripheral: UUID) -> Bool {
        phone.part(PhonePeripheral.self).sharesNotifications(with: peripheral)
    }

    /// Records a misuse of the framework that iOS would log. The call has no effect, and the app continues.
    package func misuse(_ what: String) {
        phone.record(.warning(rule: "CoreBluetooth", "API MISUSE: \(what)"))
    }

    /// Calls into the app on its queue, unless it has ended.
    ///
    /// - Parameter isOfPeripheral: Whether this is about a peripheral, which wakes an app that may run for it in the
    ///   background.
    package func deliver(
        on queue: DispatchQueue, isOfPeripheral: Bool = false, _ body: @escaping @Sendable () -> Void
    ) {
        let wakes = isOfPeripheral && app.propertyList.backgroundModes.contains("bluetooth-central")
        phone.deliver(to: app, on: queue, hostedBy: host, wakes: wakes, body)
    }
}

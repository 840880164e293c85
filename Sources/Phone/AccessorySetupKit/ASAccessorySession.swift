import Dispatch
import Foundation
import HILPhone
import Synchronization

/// Coordinates the discovery and set-up of accessories, and keeps the app informed about them.
///
/// A session uses the phone that is current when the session is made. Events and completions are delivered on the queue
/// given on activation, so they arrive in order.
open class ASAccessorySession: NSObject, @unchecked Sendable {  // A lock guards all that changes.
    private struct State {
        var queue = DispatchQueue.main
        var settings: ASPickerDisplaySettings?
    }

    let session: SetupSession
    private let phone: Phone
    private let state = Mutex(State())

    /// Makes a session for the running app. It is not active yet.
    public override init() {
        phone = Phone.current
        session = phone.part(AccessorySetup.self).makeSession()
        super.init()
        session.setOwner(self)
    }

    deinit { session.invalidate() }

    /// Previously selected accessories of this app; empty before activation.
    public var accessories: [ASAccessory] { session.accessories.map(ASAccessory.init) }

    /// Settings of the accessory picker. Reading gives a copy.
    public var pickerDisplaySettings: ASPickerDisplaySettings? {
        get { state.withLock { $0.settings?.copy() as? ASPickerDisplaySettings } }
        set {
            let copy = newValue?.copy() as? ASPickerDisplaySettings
            state.withLock { $0.settings = copy }
        }
    }

    /// Activates the session and starts delivering events to an event handler.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called, the main queue by default. Use a serial queue.
    ///   - eventHandler: Receives each event, `activated` first.
    open func activate(on queue: DispatchQueue = .main, eventHandler: @escaping (ASAccessoryEvent) -> Void) {
        state.withLock { $0.queue = queue }
        let handler = OnQueue(eventHandler)
        session.activate { [phone, app = session.app, host = session.host] event in
            phone.deliver(to: app, on: queue, hostedBy: host) {
                handler.body(ASAccessoryEvent(event))
                phone.handled(event, by: app)
            }
        }
    }

    /// Stops any operation and releases the handler. The session cannot be used afterwards.
    open func invalidate() { session.invalidate() }

    /// Presents a picker that shows discovered accessories matching an array of display items.
    ///
    /// - Parameter completionHandler: Gets nil after an accessory was set up, else an ``ASError``.
    open func showPicker(
        for displayItems: [ASPickerDisplayItem], completionHandler: @escaping ((any Error)?) -> Void
    ) {
        let settings = state.withLock { $0.settings?.model } ?? SetupSession.PickerSettings()
        session.showPicker(for: displayItems.map(\.model), settings: settings, completion: deliver(completionHandler))
    }

    /// Presents a picker that shows discovered accessories matching an array of display items. Throws ``ASError``.
    open func showPicker(for displayItems: [ASPickerDisplayItem]) async throws {
        try await completed { self.showPicker(for: displayItems, completionHandler: $0) }
    }

    /// Presents a picker that shows accessories managed by a Device Discovery Extension in the app.
    ///
    /// This phone has no such extensions: the completion always gets ``ASError/Code/extensionNotFound`` (rule K9).
    open func showPicker(completionHandler: @escaping ((any Error)?) -> Void) {
        session.showPicker(completion: deliver(completionHandler))
    }

    /// Presents a picker that shows accessories managed by a Device Discovery Extension in the app. Throws ``ASError``.
    open func showPicker() async throws {
        try await completed { self.showPicker(completionHandler: $0) }
    }

    /// Shows accessories that the app has filtered, in addition to those that it showed before.
    ///
    /// - Parameter completionHandler: Gets nil when the picker shows them, else an ``ASError``.
    open func updatePicker(
        showing displayItems: [ASDiscoveredDisplayItem], completionHandler: @escaping ((any Error)?) -> Void
    ) {
        session.updatePicker(showing: displayItems.map(\.filtered), completion: deliver(completionHandler))
    }

    /// Shows accessories that the app has filtered, in addition to those that it showed before. Throws ``ASError``.
    open func updatePicker(showing displayItems: [ASDiscoveredDisplayItem]) async throws {
        try await completed { self.updatePicker(showing: displayItems, completionHandler: $0) }
    }

    /// Ends the discovery in the picker, and shows the timeout message if no accessory was added (rule F3).
    ///
    /// It has no effect after ``updatePicker(showing:completionHandler:)``.
    ///
    /// - Parameter completionHandler: Gets nil after success, else an ``ASError``.
    open func finishPickerDiscovery(completionHandler: @escaping ((any Error)?) -> Void) {
        session.finishPickerDiscovery(completion: deliver(completionHandler))
    }

    /// Ends the discovery in the picker, like ``finishPickerDiscovery(completionHandler:)``. Throws ``ASError``.
    open func finishPickerDiscovery() async throws {
        try await completed { self.finishPickerDiscovery(completionHandler: $0) }
    }

    /// Calls a completion of the app on the queue of its events, after all earlier events.
    func deliver(_ completionHandler: @escaping ((any Error)?) -> Void) -> SetupSession.Completion {
        let handler = OnQueue(completionHandler)
        return { [phone, app = session.app, queue = state.withLock { $0.queue }] error in
            phone.record(.told(app.bundle.identifier, "completion: \(error.map { "\($0)" } ?? "no error")"))
            phone.deliver(to: app, on: queue) { handler.body(error.map(ASError.init)) }
        }
    }

    func completed(_ operation: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            operation { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}

/// A closure of the app, which Apple does not ask to be `@Sendable`: it is only ever called on the queue that the app
/// gave.
private struct OnQueue<Value>: @unchecked Sendable {
    let body: (Value) -> Void

    init(_ body: @escaping (Value) -> Void) { self.body = body }
}

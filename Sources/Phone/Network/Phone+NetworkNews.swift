import HILPhone

extension Phone {
    /// Notes in the log that an object of the framework tells the app that it waits, or has failed.
    ///
    /// - Parameters:
    ///   - object: Its class: `NWConnection`.
    ///   - what: `is waiting` or `has failed`.
    func note(_ object: String, _ what: String, _ error: NWError, toldTo app: RunningApp) {
        record(.told(app.bundle.identifier, "\(object) \(what) (\(error.debugDescription))"))
    }
}

import Foundation
import HILFoundation

extension NSObjectProtocol where Self: NSObject {
    /// Gives the values of a property: the current one, and each new one. Source: Foundation,
    /// NSObject.KeyValueObservingPublisher.
    ///
    /// A peripheral's state and a central manager's `isScanning` can be observed, and key paths that end at one of
    /// these. Any other key path ends the program when something subscribes.
    ///
    /// - Parameter options: Without `initial`, the current value is not given.
    public func publisher<Value>(
        for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> AnyPublisher<Value, Never> {
        AnyPublisher { subscriber in
            let subject = CurrentValueSubject<Value?, Never>(nil)
            let observation = self.observeRead(keyPath, options.union(.new)) { _, change in
                subject.send(change.newValue)
            }
            guard let observation else { fatalError(nothingToObserve) }
            subject.compactMap { $0 }.handleEvents(receiveCancel: { observation.invalidate() }).receive(
                subscriber: subscriber)
        }
    }
}

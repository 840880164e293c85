import Foundation
import HILFoundation
import HILPhone

// The observable properties of Core Bluetooth: a peripheral's state, and whether a central manager scans.

extension CBPeripheral {
    /// Observes `\.state`. The handler is called on the manager's queue, or where the app connects or cancels.
    ///
    /// Other properties are not observed: the delegate reports their changes.
    public func observe<Value>(
        _ keyPath: KeyPath<CBPeripheral, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (CBPeripheral, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        if keyPath as AnyKeyPath != \CBPeripheral.state { client.misuse("only a peripheral's state can be observed") }
        return observers.add(keyPath, options, current: self[keyPath: keyPath]) { [weak self] change in
            if let self { changeHandler(self, change) }
        }
    }
}

extension CBCentralManager {
    /// Observes `\.isScanning`. The handler is called where the app starts or stops the scan, or on the manager's queue.
    ///
    /// Other properties are not observed: the delegate reports their changes.
    public func observe<Value>(
        _ keyPath: KeyPath<CBCentralManager, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (CBCentralManager, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        if keyPath as AnyKeyPath != \CBCentralManager.isScanning {
            client.misuse("only isScanning of a central manager can be observed")
        }
        return observers.add(keyPath, options, current: self[keyPath: keyPath]) { [weak self] change in
            if let self { changeHandler(self, change) }
        }
    }
}

extension NSObjectProtocol where Self: NSObject {
    /// Observes whether a central manager of the app's own object scans: `\.manager?.isScanning`. The manager must be there
    /// already.
    public func observe(
        _ keyPath: KeyPath<Self, Bool>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Bool>) -> Void
    ) -> NSKeyValueObservation { observed(keyPath, options, changeHandler) }

    /// Observes whether a central manager of the app's own object scans: `\.manager?.isScanning`. The manager must be there
    /// already.
    public func observe(
        _ keyPath: KeyPath<Self, Bool?>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Bool?>) -> Void
    ) -> NSKeyValueObservation { observed(keyPath, options, changeHandler) }

    /// Observes the state of a peripheral of the app's own object: `\.peripheral.state`.
    public func observe(
        _ keyPath: KeyPath<Self, CBPeripheralState>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<CBPeripheralState>) -> Void
    ) -> NSKeyValueObservation { observed(keyPath, options, changeHandler) }

    /// Observes the state of a peripheral of the app's own object: `\.peripheral?.state`. The peripheral must be there
    /// already.
    public func observe(
        _ keyPath: KeyPath<Self, CBPeripheralState?>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<CBPeripheralState?>) -> Void
    ) -> NSKeyValueObservation { observed(keyPath, options, changeHandler) }

    private func observed<Value>(
        _ keyPath: KeyPath<Self, Value>, _ options: NSKeyValueObservingOptions,
        _ handler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        guard let observation = observeRead(keyPath, options, handler) else {
            AppCrash.crash("CoreBluetooth", nothingToObserve)
        }
        return observation
    }
}

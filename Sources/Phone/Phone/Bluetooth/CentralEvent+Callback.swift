// What an app learns from an event.
extension CentralEvent {
    /// The name of the delegate's method that the event calls: `didDisconnectPeripheral`.
    package var callback: String {
        switch self {
        case .power(let power): "didUpdateState \(power)"
        case .restored: "willRestoreState"
        case .discovered: "didDiscover"
        case .connected: "didConnect"
        case .mtuChanged: "mtuChanged"
        case .failedToConnect: "didFailToConnect"
        case .disconnected: "didDisconnectPeripheral"
        case .renamed: "didUpdateName"
        case .sharingChanged: "didUpdateANCSAuthorization"
        case .connectionChanged: "connectionEventDidOccur"
        case .gatt(_, let answer): answer.callback
        }
    }

    /// Whether a method of the delegate is called.
    package var isCallback: Bool {
        if case .mtuChanged = self { false } else { true }
    }

    /// The delegate's method, and the error that it brings: `didDisconnectPeripheral: the link was lost`.
    package var news: String {
        let failure: CentralFailure? =
            switch self {
            case .failedToConnect(_, let failure): failure
            case .disconnected(_, let failure, _): failure
            case .gatt(_, let answer): answer.failure
            default: nil
            }
        return failure.map { "\(callback): \($0)" } ?? callback
    }

    /// Whether it says that something failed, or ended without the app's doing.
    package var isBadNews: Bool {
        switch self {
        case .power(let power): power != .on
        case .failedToConnect: true
        case .disconnected(_, let failure, _): failure != nil
        // What was asked of a service that is gone is not answered any more.
        case .gatt(_, .servicesChanged): true
        case .gatt(_, let answer): answer.failure != nil
        case .restored, .discovered, .connected, .mtuChanged, .renamed, .sharingChanged, .connectionChanged: false
        }
    }
}

extension GATTAnswer {
    fileprivate var callback: String {
        switch self {
        case .services: "didDiscoverServices"
        case .characteristics: "didDiscoverCharacteristicsFor"
        case .value: "didUpdateValueFor"
        case .written: "didWriteValueFor"
        case .sent: "isReadyToSendWriteWithoutResponse"
        case .notifying: "didUpdateNotificationStateFor"
        case .includedServices: "didDiscoverIncludedServicesFor"
        case .descriptors: "didDiscoverDescriptorsFor"
        case .descriptorValue: "didUpdateValueForDescriptor"
        case .descriptorWritten: "didWriteValueForDescriptor"
        case .signal: "didReadRSSI"
        case .channel: "didOpen"
        case .servicesChanged: "didModifyServices"
        }
    }
}
